#include "base/ids.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "base/encoding.hpp"

namespace stele {
namespace {

// rand_a of RFC 9562, used as its "fixed-length dedicated counter": 12 bits, seeded with 11 random ones.
constexpr std::uint16_t counter_max = 0xfff;

std::string uuid_text(std::span<const std::uint8_t, 16> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(36);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

}  // namespace

std::string uuid_v7(Host& host) {
  std::array<std::uint8_t, 16> bytes;
  host.random_bytes(bytes);
  auto& last = host.last_uuid_;
  const auto now_ms = host.now_ms();
  if (now_ms > last.ms) {
    last = {now_ms, static_cast<std::uint16_t>((bytes[6] << 8 | bytes[7]) & counter_max >> 1)};
  } else if (last.counter < counter_max) {
    ++last.counter;
  } else {
    last = {last.ms + 1, 0};
  }
  for (int i = 0; i < 6; ++i) bytes[i] = static_cast<std::uint8_t>(last.ms >> (40 - 8 * i));
  bytes[6] = static_cast<std::uint8_t>(0x70 | last.counter >> 8);
  bytes[7] = static_cast<std::uint8_t>(last.counter);
  bytes[8] = static_cast<std::uint8_t>(0x80 | (bytes[8] & 0x3f));
  return uuid_text(bytes);
}

std::string random_token(Host& host, std::size_t bytes) {
  std::vector<std::uint8_t> drawn(bytes);
  host.random_bytes(drawn);
  return base64url(drawn);
}

}  // namespace stele
