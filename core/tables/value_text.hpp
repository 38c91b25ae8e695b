// Value text: from the text of one value to the number, day or instant it writes, exactly. It never rounds what it
// cannot hold, knows no locale, and decides nothing about columns (that is typing.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stele {

// "-12", "0"; nothing for other spellings ("007", "+1", "-0") and beyond 64 bits.
std::optional<std::int64_t> parse_int64(std::string_view text);

// The nearest double to a decimal number, correctly rounded. `text` is a number as classify() or JSON knows it.
double parse_double(std::string_view text);

// Whether the nearest double, written with as many significant digits as `text` has, gives these digits back.
bool double_keeps(std::string_view text);

// Days since 1970-01-01 of a proleptic Gregorian day; nothing if there is no such day in the years 1 to 9999.
std::optional<std::int32_t> days_of(int year, int month, int day);

// "2025-04-03"
std::optional<std::int32_t> parse_date(std::string_view text);

enum class DateOrder { iso, day_first, month_first };
// "25/04/2025" or "25.4.2025" in the order given.
std::optional<std::int32_t> parse_local_date(std::string_view text, DateOrder order);

// How a date or a time was understood: `impossible` has the shape but names no day or time of day; `too_fine` has
// digits beyond microseconds that are not 0.
enum class Reading { none, good, impossible, too_fine };

struct TimeText {
  Reading reading = Reading::none;
  std::int64_t micros = 0;  // since midnight, or since 1970-01-01T00:00:00 (UTC if zoned)
  bool zoned = false;
};
// "06:45", "06:45:00", "06:45:00.123456"
TimeText parse_time(std::string_view text);
// "2025-04-03T06:45:00", a blank for the T, "Z", " UTC" or "+05:30" behind
TimeText parse_timestamp(std::string_view text);

}  // namespace stele
