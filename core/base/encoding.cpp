#include "base/encoding.hpp"

#include <array>
#include <cstdio>

namespace stele {

std::string base64url(std::span<const std::uint8_t> bytes) {
  static constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string encoded;
  encoded.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t held = 0;
  int bits = 0;
  for (const std::uint8_t byte : bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 6; bits -= 6) encoded += alphabet[(held >> (bits - 6)) & 63];
  }
  if (bits > 0) encoded += alphabet[(held << (6 - bits)) & 63];
  return encoded;
}

std::string base64url(std::string_view bytes) {
  return base64url(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

std::string iso_time(std::int64_t ms) {
  constexpr std::int64_t day_ms = 86'400'000;
  const std::int64_t days = ms / day_ms - (ms % day_ms < 0 ? 1 : 0);
  const std::int64_t in_day = ms - days * day_ms;
  // Days to a civil date, counted in eras of 400 years that begin on 1 March.
  const std::int64_t shifted = days + 719'468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  const std::int64_t of_era = shifted - era * 146'097;
  const std::int64_t year_of_era = (of_era - of_era / 1'460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t from_march = (5 * of_year + 2) / 153;
  const std::int64_t day = of_year - (153 * from_march + 2) / 5 + 1;
  const std::int64_t month = from_march < 10 ? from_march + 3 : from_march - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  std::array<char, 160> written{};
  std::snprintf(written.data(), written.size(), "%04lld-%02lld-%02lldT%02lld:%02lld:%02lld.%03lldZ",
                static_cast<long long>(year), static_cast<long long>(month), static_cast<long long>(day),
                static_cast<long long>(in_day / 3'600'000), static_cast<long long>(in_day / 60'000 % 60),
                static_cast<long long>(in_day / 1'000 % 60), static_cast<long long>(in_day % 1'000));
  return written.data();
}

}  // namespace stele
