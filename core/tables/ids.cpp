#include "tables/ids.hpp"

#include <array>
#include <cstdint>

namespace stele {

namespace {

using Id = std::array<std::uint8_t, 16>;

Id random_id(Host& host) {
  Id id{};
  host.random_bytes(id);
  return id;
}

std::string hex(const Id& id) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::uint8_t byte : id) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace

std::string new_uuid(Host& host) {
  Id id = random_id(host);
  const auto now = static_cast<std::uint64_t>(host.now_ms());
  for (int i = 0; i < 6; ++i) id[i] = static_cast<std::uint8_t>(now >> (40 - 8 * i));
  id[6] = static_cast<std::uint8_t>((id[6] & 0x0f) | 0x70);
  id[8] = static_cast<std::uint8_t>((id[8] & 0x3f) | 0x80);
  std::string text = hex(id);
  for (std::size_t at : {20, 16, 12, 8}) text.insert(at, "-");
  return text;
}

std::string new_token(Host& host) { return hex(random_id(host)); }

}  // namespace stele
