#include "tables/classifier.hpp"

#include <array>
#include <cmath>

#include "tables/value_text.hpp"

namespace stele {
namespace {

using enum ValueClass;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_from(std::string_view text, std::size_t at) {
  const auto begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return at - begin;
}

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != lower[i]) return false;
  }
  return true;
}

ValueClass classify_word(std::string_view text) {
  switch (text[0] | 0x20) {
    case 't':
    case 'f':
      if (text == "true" || text == "false") return bool_lower;
      if (text == "True" || text == "False") return bool_title;
      if (text == "TRUE" || text == "FALSE") return bool_upper;
      return ValueClass::text;
    case 'n':
      return equal_ignoring_case(text, "nan") ? not_finite : ValueClass::text;
    case 'i':
      return equal_ignoring_case(text, "inf") || equal_ignoring_case(text, "infinity") ? not_finite : ValueClass::text;
    default:
      return ValueClass::text;
  }
}

// Whether a 64-bit integer survives the way through a double.
bool exact_as_double(std::int64_t value) {
  const auto as_double = static_cast<double>(value);
  return as_double < 9223372036854775808.0 && static_cast<std::int64_t>(as_double) == value;
}

ValueClass classify_integer(std::string_view text, std::size_t digits) {
  if (digits <= 15) return integer;
  const auto value = parse_int64(text);
  if (!value) return beyond_int64;
  return exact_as_double(*value) ? integer : long_integer;
}

ValueClass classify_decimal(std::string_view text) {
  if (double_keeps(text)) return decimal;
  const double value = parse_double(text);
  return std::isfinite(value) && value != 0 ? too_precise : out_of_range;
}

// 1,234.50 1.234,50 1'234.50 418,20 12% 1 234: digits in groups of three or a decimal comma, perhaps a percent sign.
bool is_marked_number(std::string_view text) {
  if (text.ends_with('%')) text.remove_suffix(1);
  std::size_t at = text[0] == '-' || text[0] == '+' ? 1 : 0;
  auto run = digits_from(text, at);
  if (run == 0) return false;
  at += run;
  char group_mark = 0;
  while (at < text.size() && run <= 3) {
    const char mark = text[at];
    if (!(mark == ',' || mark == '.' || mark == '\'' || mark == ' ') || (group_mark && mark != group_mark)) break;
    if (digits_from(text, at + 1) != 3) break;
    group_mark = mark;
    at += 4;
  }
  if (at < text.size() && (text[at] == ',' || text[at] == '.') && text[at] != group_mark) {
    const auto fraction = digits_from(text, at + 1);
    if (fraction == 0) return false;
    at += 1 + fraction;
  }
  return at == text.size();
}

ValueClass classify_local_date(std::string_view text, char separator) {
  const bool day_first = parse_local_date(text, DateOrder::day_first).has_value();
  const bool month_first = parse_local_date(text, DateOrder::month_first).has_value();
  if (!day_first && !month_first) return ValueClass::text;
  if (separator == '-') return other_date;
  const bool slash = separator == '/';
  if (day_first && month_first) return slash ? either_slash : either_dot;
  if (day_first) return slash ? day_first_slash : day_first_dot;
  return slash ? month_first_slash : month_first_dot;
}

// Whether all separators are the one at `first`, and a local date stands before a blank or the end.
ValueClass classify_day_first_text(std::string_view text, std::size_t first) {
  const auto date = text.substr(0, text.find_first_of(" T"));
  if (date.size() < 8 || date.find(text[first], first + 1) == std::string_view::npos) return ValueClass::text;
  const auto value_class = classify_local_date(date, text[first]);
  if (value_class == ValueClass::text || date.size() == text.size()) return value_class;
  const auto time = parse_time(text.substr(date.size() + 1));
  return time.reading == Reading::none ? ValueClass::text : other_date;
}

ValueClass classify_iso(std::string_view text) {
  if (text.size() == 10) {
    if (parse_date(text)) return date;
    const bool shape = text[7] == '-' && digits_from(text, 5) == 2 && digits_from(text, 8) == 2;
    return shape ? impossible_date : ValueClass::text;
  }
  const auto read = parse_timestamp(text);
  switch (read.reading) {
    case Reading::none:
      return ValueClass::text;
    case Reading::impossible:
      return impossible_date;
    case Reading::too_fine:
      return read.zoned ? fine_instant : too_fine;
    case Reading::good:
      break;
  }
  return read.zoned ? zoned_timestamp : timestamp;
}

ValueClass classify_time(std::string_view text) {
  switch (parse_time(text).reading) {
    case Reading::none:
      return ValueClass::text;
    case Reading::impossible:
      return impossible_date;
    case Reading::too_fine:
      return too_fine;
    case Reading::good:
      break;
  }
  return ValueClass::time;
}

// What follows "digits" or "digits.digits" from an E on.
ValueClass classify_exponent(std::string_view text, std::size_t e, bool leading, bool fraction) {
  const bool sign = e + 1 < text.size() && (text[e + 1] == '-' || text[e + 1] == '+');
  const auto run = digits_from(text, e + 1 + (sign ? 1 : 0));
  if (run == 0 || e + 1 + (sign ? 1 : 0) + run != text.size()) return ValueClass::text;
  if (leading) return leading_zero;
  return fraction || sign ? classify_decimal(text) : exponent_code;
}

ValueClass classify_fraction(std::string_view text, std::size_t point, std::size_t whole, bool leading) {
  const auto fraction = digits_from(text, point + 1);
  const auto end = point + 1 + fraction;
  if (fraction == 0) return ValueClass::text;
  if (end == text.size()) {
    if (leading) return leading_zero;
    return whole + fraction <= 15 ? decimal : classify_decimal(text);
  }
  if (text[end] == 'e' || text[end] == 'E') return classify_exponent(text, end, leading, true);
  if (text[end] == '.' && whole >= 1 && whole <= 2 && fraction <= 2) return classify_day_first_text(text, point);
  return is_marked_number(text) ? marked_number : ValueClass::text;
}

// Text that begins with a digit, or with a sign or point before one.
ValueClass classify_number(std::string_view text) {
  const std::size_t begin = text[0] == '-' ? 1 : 0;
  const auto whole = digits_from(text, begin);
  const auto end = begin + whole;
  const bool leading = whole > 1 && text[begin] == '0';
  if (end == text.size()) {
    if (whole == 0) return ValueClass::text;
    if (leading) return leading_zero;
    // An integer has no -0, a double does.
    if (begin == 1 && text == "-0") return decimal;
    return classify_integer(text, whole);
  }
  switch (text[end]) {
    case '.':
      return classify_fraction(text, end, whole, leading);
    case 'e':
    case 'E':
      return whole ? classify_exponent(text, end, leading, false) : ValueClass::text;
    case '-':
      if (begin == 0 && whole == 4 && text.size() >= 10) return classify_iso(text);
      [[fallthrough]];
    case '/':
      return begin == 0 && whole >= 1 && whole <= 2 ? classify_day_first_text(text, end) : ValueClass::text;
    case ':':
      return begin == 0 && whole == 2 ? classify_time(text) : ValueClass::text;
    case ',':
    case '\'':
    case ' ':
    case '%':
      return is_marked_number(text) ? marked_number : ValueClass::text;
    default:
      if (begin == 1 && whole == 0) return classify_word(text.substr(1)) == not_finite ? not_finite : ValueClass::text;
      return ValueClass::text;
  }
}

constexpr std::uint16_t any_number = bit_bigint | bit_double;
constexpr std::uint16_t any_bool = bit_bool_lower | bit_bool_title | bit_bool_upper;
constexpr std::array<ClassTraits, class_count> class_traits = {{
    {any_number, Family::number, "is an integer"},
    {bit_bigint, Family::number, "has more digits than a column with fractions holds exactly"},
    {bit_double, Family::number, "is not an integer"},
    {any_bool, Family::boolean, "is a boolean"},
    {bit_bool_lower, Family::boolean, "is written in another case than the others"},
    {bit_bool_title, Family::boolean, "is written in another case than the others"},
    {bit_bool_upper, Family::boolean, "is written in another case than the others"},
    {bit_date, Family::day_or_time, "is a date without a time"},
    {bit_time, Family::day_or_time, "is a time without a date"},
    {bit_timestamp, Family::day_or_time, "has no time zone or offset while others differ"},
    {bit_zoned_timestamp, Family::day_or_time, "has a time zone while others have none"},
    {bit_zoned_timestamp, Family::day_or_time, "has a time zone while others have none"},
    {bit_json, Family::nested, "is a nested value"},
    {bit_day_first_slash, Family::day_or_time, "has the day first"},
    {bit_month_first_slash, Family::day_or_time, "has the month first"},
    {bit_day_first_slash | bit_month_first_slash, Family::day_or_time, "can be read with the day or the month first"},
    {bit_day_first_dot, Family::day_or_time, "has the day first"},
    {bit_month_first_dot, Family::day_or_time, "has the month first"},
    {bit_day_first_dot | bit_month_first_dot, Family::day_or_time, "can be read with the day or the month first"},
    {all_type_bits, Family::none, "is empty"},
    {0, Family::none, "is empty text, which is not the same as no value"},
    {0, Family::number, "would lose its leading zero as a number"},
    {0, Family::number, "would lose its plus sign as a number"},
    {0, Family::number, "may be a code and not an exponent"},
    {0, Family::number, "has more digits than a number column holds exactly"},
    {0, Family::number, "is an integer beyond 64 bits"},
    {0, Family::number, "is beyond the range of numbers"},
    {0, Family::number, "is a word and not a finite number"},
    {0, Family::number, "is written with a decimal comma, thousands marks or a percent sign"},
    {0, Family::day_or_time, "is not written as an ISO date (2025-04-03)"},
    {0, Family::day_or_time, "names no day or time that exists"},
    {0, Family::day_or_time, "has digits beyond microseconds, which would be cut"},
    {0, Family::none, ""},
}};

}  // namespace

const ClassTraits& traits(ValueClass value_class) { return class_traits[static_cast<std::size_t>(value_class)]; }

ValueClass classify(std::string_view text) {
  if (text.empty()) return empty;
  const char first = text[0];
  if (is_digit(first)) return classify_number(text);
  if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z')) return classify_word(text);
  if (first == '-' || first == '.') return classify_number(text);
  if (first == '+' && text.size() > 1) {
    const auto unsigned_class = classify(text.substr(1));
    if (text[1] == '+' || text[1] == '-') return ValueClass::text;
    if (unsigned_class == marked_number || unsigned_class == not_finite) return unsigned_class;
    return traits(unsigned_class).family == Family::number ? plus_sign : ValueClass::text;
  }
  return ValueClass::text;
}

std::string_view without_blanks_around(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

ValueClass classify_bare(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  if (text.empty() || !(is_blank(text.front()) || is_blank(text.back()))) return classify(text);
  const auto inner = without_blanks_around(text);
  return inner.empty() ? ValueClass::text : classify(inner);
}

ValueClass classify_json_number(std::string_view text) {
  if (text.find_first_of(".eE") != std::string_view::npos) return classify_decimal(text);
  return classify_number(text);
}

}  // namespace stele
