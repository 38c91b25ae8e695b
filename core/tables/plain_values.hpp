// Plain values: the commonest spellings of numbers, days and instants, told and read in one go. What they do not know
// they leave to the classifier and to value_text, with which they agree.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tables/value_text.hpp"

namespace stele {

namespace plain {

// So many digits fit an int64, and a double exactly.
inline constexpr std::size_t digits_max = 15;

inline unsigned digit(char c) { return static_cast<unsigned>(static_cast<unsigned char>(c)) - '0'; }

// Of `count` characters at `at`; at least 10,000 if one of them is no digit.
inline unsigned four_or_two(const char* at, int count) {
  unsigned value = 0, wrong = 0;
  for (int i = 0; i < count; ++i) {
    const unsigned d = digit(at[i]);
    wrong |= d > 9 ? 10'000u : 0u;
    value = value * 10 + d;
  }
  return wrong ? wrong : value;
}

}  // namespace plain

// Text whose first character no number, day, time or word for a boolean or for no number begins with.
inline bool is_plain_text(std::string_view text) {
  if (text.empty()) return false;
  const auto first = static_cast<unsigned char>(text[0]);
  const unsigned char letter = first | 0x20;
  const bool word = letter >= 'a' && letter <= 'z' && letter != 't' && letter != 'f' && letter != 'n' && letter != 'i';
  return word || first >= 0x80;
}

// "-12": an integer of at most 15 digits.
inline std::optional<std::int64_t> plain_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  text.remove_prefix(negative ? 1 : 0);
  if (text.empty() || text.size() > plain::digits_max) return {};
  if (text[0] == '0' && (text.size() > 1 || negative)) return {};
  std::int64_t value = 0;
  for (const char c : text) {
    const unsigned d = plain::digit(c);
    if (d > 9) return {};
    value = value * 10 + d;
  }
  return negative ? -value : value;
}

struct PlainNumberRead {
  double value;
  bool integer;
};
// "-12.50", "12": at most 15 digits and no exponent.
inline std::optional<PlainNumberRead> plain_double(std::string_view text) {
  constexpr std::array<double, plain::digits_max + 1> powers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = text.starts_with('-');
  text.remove_prefix(negative ? 1 : 0);
  if (text.empty() || text.size() > plain::digits_max + 1) return {};
  std::int64_t mantissa = 0;
  std::size_t point = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned d = plain::digit(text[i]);
    if (d <= 9) {
      mantissa = mantissa * 10 + d;
    } else if (text[i] == '.' && point == text.size()) {
      point = i;
    } else {
      return {};
    }
  }
  const bool integer = point == text.size();
  const std::size_t fraction = integer ? 0 : text.size() - point - 1;
  if (point == 0 || point + fraction > plain::digits_max || (!integer && fraction == 0)) return {};
  if (text[0] == '0' && (point > 1 || (integer && negative))) return {};
  // A quotient of two exact doubles is rounded once, so it is right.
  const double value = static_cast<double>(mantissa) / powers[fraction];
  return PlainNumberRead{negative ? -value : value, integer};
}

// "2025-04-03", in days.
inline std::optional<std::int32_t> plain_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return {};
  const unsigned year = plain::four_or_two(text.data(), 4);
  const unsigned month = plain::four_or_two(text.data() + 5, 2);
  const unsigned day = plain::four_or_two(text.data() + 8, 2);
  if (year > 9'999 || month > 12 || day > 31) return {};
  return days_of(static_cast<int>(year), static_cast<int>(month), static_cast<int>(day));
}

// "2025-04-03 06:45:00", with a blank or a T, in microseconds.
inline std::optional<std::int64_t> plain_timestamp(std::string_view text) {
  if (text.size() != 19 || (text[10] != ' ' && text[10] != 'T') || text[13] != ':' || text[16] != ':') return {};
  const unsigned hour = plain::four_or_two(text.data() + 11, 2);
  const unsigned minute = plain::four_or_two(text.data() + 14, 2);
  const unsigned second = plain::four_or_two(text.data() + 17, 2);
  if (hour > 23 || minute > 59 || second > 59) return {};
  const auto days = plain_date(text.substr(0, 10));
  if (!days) return {};
  const auto seconds = static_cast<std::int64_t>((hour * 60 + minute) * 60 + second);
  return (*days * std::int64_t{86'400} + seconds) * 1'000'000;
}

}  // namespace stele
