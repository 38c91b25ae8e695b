// Classifier: what one value looks like, by its text alone. Never what a column is: see typing.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stele {

// The classes above `kept_classes` could be values of a type; those below it look like values but would not come back
// as they were written, so they keep a column text.
enum class ValueClass : std::uint8_t {
  integer,       // a BIGINT, and exact as a DOUBLE too
  long_integer,  // a BIGINT that no DOUBLE holds exactly
  decimal,       // a DOUBLE
  true_false,    // a boolean of JSON
  bool_lower,    // true
  bool_title,    // True
  bool_upper,    // TRUE
  date,
  time,
  timestamp,
  zoned_timestamp,
  fine_instant,     // with a zone, and digits beyond microseconds, which are cut with a warning
  nested,           // a JSON object or array
  day_first_slash,  // 25/04/2025
  month_first_slash,
  either_slash,   // 03/04/2025
  day_first_dot,  // 25.04.2025
  month_first_dot,
  either_dot,
  quoted_empty,  // "" in a CSV file, where some write every cell in quotes
  // Kept as text:
  empty,          // text of no characters
  leading_zero,   // 007
  plus_sign,      // +1
  exponent_code,  // 12E3
  too_precise,    // more digits than a double holds
  beyond_int64,
  out_of_range,     // 1.5e999
  not_finite,       // NaN, inf
  marked_number,    // 1,234.50 or 418,20 or 12%
  other_date,       // 25-11-2025, 28.02.2025 06:45
  impossible_date,  // 2025-13-01
  too_fine,         // digits beyond microseconds, without a zone
  text,
};
inline constexpr std::size_t class_count = static_cast<std::size_t>(ValueClass::text) + 1;

// The types a column may still have, one bit each. Booleans and local dates have several, since a column must use one
// spelling.
enum TypeBit : std::uint16_t {
  bit_bigint = 1 << 0,
  bit_double = 1 << 1,
  bit_bool_lower = 1 << 2,
  bit_bool_title = 1 << 3,
  bit_bool_upper = 1 << 4,
  bit_date = 1 << 5,
  bit_time = 1 << 6,
  bit_timestamp = 1 << 7,
  bit_zoned_timestamp = 1 << 8,
  bit_json = 1 << 9,
  bit_day_first_slash = 1 << 10,
  bit_month_first_slash = 1 << 11,
  bit_day_first_dot = 1 << 12,
  bit_month_first_dot = 1 << 13,
};
inline constexpr std::uint16_t all_type_bits = (1 << 14) - 1;

enum class Family : std::uint8_t { none, number, boolean, day_or_time, nested };

struct ClassTraits {
  std::uint16_t types;   // the types that hold such a value exactly
  Family family;         // what it looks like
  const char* why_kept;  // ends the sentence "007 …", for classes that keep a column text
};
const ClassTraits& traits(ValueClass value_class);

// Text as found in a quoted cell or a JSON string.
ValueClass classify(std::string_view text);
// Text of an unquoted CSV cell: blanks around a number or a date mean nothing there.
ValueClass classify_bare(std::string_view text);
// A number by JSON's grammar, where 1e5 is a number and not a code.
ValueClass classify_json_number(std::string_view text);

std::string_view without_blanks_around(std::string_view text);

}  // namespace stele
