#include "tables/value_text.hpp"

#include <locale.h>

#include <array>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace stele {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// A decimal number taken apart: `digits` significant digits in `mantissa` (if at most 19), times ten to the `exponent`.
struct Decimal {
  bool negative = false;
  std::uint64_t mantissa = 0;
  int digits = 0;     // without leading and trailing zeros
  long exponent = 0;  // of the mantissa's last digit
};

Decimal take_apart(std::string_view text) {
  Decimal decimal;
  std::size_t at = 0;
  if (text[at] == '-') decimal.negative = true, ++at;
  bool fraction = false;
  int pending_zeros = 0;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.') {
      fraction = true;
      continue;
    }
    if (fraction) --decimal.exponent;
    if (text[at] == '0') {
      if (decimal.digits) ++pending_zeros;
      continue;
    }
    for (; pending_zeros; --pending_zeros, ++decimal.digits) decimal.mantissa *= 10;
    decimal.mantissa = decimal.mantissa * 10 + static_cast<std::uint64_t>(text[at] - '0');
    ++decimal.digits;
  }
  decimal.exponent += pending_zeros;
  if (at < text.size()) {
    const bool plus = at + 1 < text.size() && text[at + 1] == '+';
    const char* first = text.data() + at + 1 + (plus ? 1 : 0);
    long written = 0;
    if (std::from_chars(first, text.data() + text.size(), written).ec == std::errc::result_out_of_range) {
      written = *first == '-' ? -100'000'000 : 100'000'000;
    }
    decimal.exponent += written;
  }
  return decimal;
}

// strtod is correctly rounded in the C libraries we build with, but it heeds the locale unless told.
double slow_double(std::string_view text) {
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", nullptr);
  std::array<char, 64> small;
  if (text.size() < small.size()) {
    small[text.copy(small.data(), text.size())] = '\0';
    return strtod_l(small.data(), nullptr, c_locale);
  }
  return strtod_l(std::string(text).c_str(), nullptr, c_locale);
}

double to_double(const Decimal& decimal, std::string_view text) {
  // A product or quotient of two exact doubles is rounded once, so it is right.
  if (decimal.digits <= 15 && decimal.exponent >= -22 && decimal.exponent <= 22) {
    auto value = static_cast<double>(decimal.mantissa);
    const auto power = powers_of_ten[static_cast<std::size_t>(std::labs(decimal.exponent))];
    value = decimal.exponent < 0 ? value / power : value * power;
    return decimal.negative ? -value : value;
  }
  return slow_double(text);
}

// Two digits at `at`, or -1.
int two_digits(std::string_view text, std::size_t at) {
  if (at + 2 > text.size() || !is_digit(text[at]) || !is_digit(text[at + 1])) return -1;
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

bool has_date_shape(std::string_view text) {
  return text.size() == 10 && two_digits(text, 0) >= 0 && two_digits(text, 2) >= 0 && text[4] == '-' &&
         two_digits(text, 5) >= 0 && text[7] == '-' && two_digits(text, 8) >= 0;
}

// Takes the zone off the end of a time. Returns false if there is none; `minutes` east of Greenwich.
bool take_zone(std::string_view& time, int& minutes) {
  minutes = 0;
  if (time.ends_with('Z')) return time.remove_suffix(1), true;
  if (time.ends_with(" UTC")) return time.remove_suffix(4), true;
  const auto sign = time.find_first_of("+-");
  if (sign == std::string_view::npos) return false;
  const auto zone = time.substr(sign + 1);
  const int hours = two_digits(zone, 0);
  int rest = 0;
  if (zone.size() == 5 && zone[2] == ':') {
    rest = two_digits(zone, 3);
  } else if (zone.size() == 4) {
    rest = two_digits(zone, 2);
  } else if (zone.size() != 2) {
    return false;
  }
  if (hours < 0 || hours > 18 || rest < 0 || rest > 59) return false;
  minutes = (hours * 60 + rest) * (time[sign] == '-' ? -1 : 1);
  time = time.substr(0, sign);
  return true;
}

}  // namespace

std::optional<std::int64_t> parse_int64(std::string_view text) {
  const auto digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || !is_digit(digits[0]) || (digits[0] == '0' && text.size() > 1)) return {};
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

double parse_double(std::string_view text) { return to_double(take_apart(text), text); }

bool double_keeps(std::string_view text) {
  const auto decimal = take_apart(text);
  if (decimal.digits == 0) return true;
  const long magnitude = decimal.exponent + decimal.digits - 1;
  if (decimal.digits <= 15 && magnitude > -300 && magnitude < 300) return true;
  constexpr int digits_max = 40;
  if (decimal.digits > digits_max) return false;
  const double value = to_double(decimal, text);
  if (!std::isfinite(value) || value == 0) return false;
  std::array<char, digits_max + 16> written;
  const int length = std::snprintf(written.data(), written.size(), "%.*e", decimal.digits - 1, std::fabs(value));
  const std::string_view back(written.data(), static_cast<std::size_t>(length));
  const auto e = back.find('e');
  if (std::strtol(written.data() + e + 1, nullptr, 10) != magnitude) return false;
  // Digit by digit: the locale's decimal point and the text's own are passed over.
  std::size_t at = text.find_first_of("123456789");
  for (const char c : back.substr(0, e)) {
    if (!is_digit(c)) continue;
    while (!is_digit(text[at])) ++at;
    if (text[at++] != c) return false;
  }
  return true;
}

std::optional<std::int32_t> days_of(int year, int month, int day) {
  constexpr std::array<int, 12> lengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return {};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (day > lengths[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0)) return {};
  // Years that begin in March put the leap day last, which makes the days of the months before a linear formula.
  const int shifted = month > 2 ? month - 3 : month + 9;
  const int y = month > 2 ? year : year - 1;
  return 365 * y + y / 4 - y / 100 + y / 400 + (153 * shifted + 2) / 5 + day - 1 - 719468;
}

std::optional<std::int32_t> parse_date(std::string_view text) {
  if (!has_date_shape(text)) return {};
  return days_of(two_digits(text, 0) * 100 + two_digits(text, 2), two_digits(text, 5), two_digits(text, 8));
}

std::optional<std::int32_t> parse_local_date(std::string_view text, DateOrder order) {
  std::array<int, 3> parts{};
  std::size_t part = 0, length = 0;
  for (const char c : text) {
    if (is_digit(c)) {
      parts[part] = parts[part] * 10 + (c - '0');
      if (++length > 4) return {};
    } else if (length >= 1 && length <= 2 && part < 2) {
      ++part;
      length = 0;
    } else {
      return {};
    }
  }
  if (part != 2 || length != 4) return {};
  if (order == DateOrder::month_first) std::swap(parts[0], parts[1]);
  return days_of(parts[2], parts[1], parts[0]);
}

TimeText parse_time(std::string_view text) {
  const int hour = two_digits(text, 0);
  const int minute = two_digits(text, 3);
  if (hour < 0 || minute < 0 || text[2] != ':') return {};
  int second = 0;
  std::int64_t micros = 0;
  bool too_fine = false;
  if (text.size() > 5) {
    second = two_digits(text, 6);
    if (second < 0 || text[5] != ':') return {};
    if (text.size() > 8) {
      if (text[8] != '.' || text.size() == 9 || text.size() > 18) return {};
      std::int64_t unit = 100'000;
      for (const char c : text.substr(9)) {
        if (!is_digit(c)) return {};
        too_fine = too_fine || (unit == 0 && c != '0');
        micros += (c - '0') * unit;
        unit /= 10;
      }
    }
  }
  TimeText time;
  time.micros = ((hour * 60 + minute) * std::int64_t{60} + second) * 1'000'000 + micros;
  const bool possible = hour < 24 && minute < 60 && second < 60;
  time.reading = !possible ? Reading::impossible : too_fine ? Reading::too_fine : Reading::good;
  return time;
}

TimeText parse_timestamp(std::string_view text) {
  if (text.size() < 16 || !has_date_shape(text.substr(0, 10)) || (text[10] != 'T' && text[10] != ' ')) return {};
  auto rest = text.substr(11);
  int minutes_east = 0;
  const bool zoned = take_zone(rest, minutes_east);
  auto time = parse_time(rest);
  if (time.reading == Reading::none) return time;
  const auto days = parse_date(text.substr(0, 10));
  if (!days) time.reading = Reading::impossible;
  time.zoned = zoned;
  time.micros += days.value_or(0) * std::int64_t{86'400'000'000} - minutes_east * std::int64_t{60'000'000};
  return time;
}

}  // namespace stele
