#include "tables/sample_rows.hpp"

#include <cstdio>

#include "base/encoding.hpp"
#include "tables/answer_fit.hpp"

namespace stele {
namespace {

constexpr std::size_t cell_chars_max = 100;
constexpr std::size_t sample_bytes_max = 40'000;
constexpr std::int64_t micros_per_day = 86'400'000'000;
constexpr std::int64_t exact_integer_max = (std::int64_t{1} << 53) - 1;

// "06:45:00", with as many digits behind the point as say something.
std::string time_text(std::int64_t micros) {
  const auto seconds = micros / 1'000'000;
  char text[24];
  std::snprintf(text, sizeof text, "%02d:%02d:%02d.%06d", static_cast<int>(seconds / 3600),
                static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60),
                static_cast<int>(micros % 1'000'000));
  std::string shorter = text;
  shorter.resize(shorter.find_last_not_of('0') + 1);
  if (shorter.back() == '.') shorter.pop_back();
  return shorter.size() < 8 ? std::string(text, 8) : shorter;
}

// Civil dates from day counts, after Hinnant's "chrono-compatible low-level date algorithms".
std::string date_text(std::int64_t days) {
  days += 719'468;
  const auto era = (days >= 0 ? days : days - 146'096) / 146'097;
  const auto day_of_era = days - era * 146'097;
  const auto year_of_era = (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const auto day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const auto shifted_month = (5 * day_of_year + 2) / 153;
  const auto day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const auto month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02d-%02d", static_cast<int>(year_of_era + era * 400 + (month <= 2 ? 1 : 0)),
                static_cast<int>(month), static_cast<int>(day));
  return text;
}

}  // namespace

SampleRows::SampleRows(const std::vector<SourceColumn>& types, std::size_t columns, std::size_t rows_max)
    : columns_(columns), rows_max_(rows_max), row_(std::vector<Json>(columns)) {
  for (const auto& column : types) types_.push_back(column.type);
}

void SampleRows::set_int64(std::size_t column, std::int64_t value) {
  const bool exact = value <= exact_integer_max && value >= -exact_integer_max;
  set(column, exact ? Json(value) : Json(std::to_string(value)));
}

void SampleRows::set_text(std::size_t column, std::string_view utf8) {
  const std::string text(utf8.substr(0, 4 * cell_chars_max + 4));
  const auto shown = first_chars(text, cell_chars_max);
  bytes_ += shown.size();
  set(column, shown.size() < utf8.size() ? shown + "…" : shown);
}

void SampleRows::set_date(std::size_t column, std::int32_t days) { set(column, date_text(days)); }

void SampleRows::set_micros(std::size_t column, std::int64_t micros) {
  if (types_[column] == "TIME") return set(column, time_text(micros));
  const auto day = (micros >= 0 ? micros : micros - micros_per_day + 1) / micros_per_day;
  const bool zoned = types_[column] == "TIMESTAMP WITH TIME ZONE";
  set(column, date_text(day) + (zoned ? "T" : " ") + time_text(micros - day * micros_per_day) + (zoned ? "Z" : ""));
}

bool SampleRows::set_cast(std::size_t column, std::string_view utf8) {
  set(column, std::string(utf8));
  return true;
}

bool SampleRows::full() const { return rows_.size() == rows_max_ || bytes_ > sample_bytes_max; }

void SampleRows::end_row() {
  rows_.push_back(row_);
  row_ = Json(std::vector<Json>(columns_));
}

}  // namespace stele
