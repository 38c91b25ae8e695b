#include "tables/column_profile.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "engine/sql_name.hpp"
#include "tables/answer_fit.hpp"
#include "tables/letter_case.hpp"

namespace stele {
namespace {

bool begins_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

template <std::size_t n>
bool is_one_of(std::string_view text, const std::array<std::string_view, n>& words) {
  for (const auto word : words)
    if (text == word) return true;
  return false;
}

bool named_like_a_key(const std::string& name) {
  static constexpr std::array<std::string_view, 6> whole = {"id", "key", "code", "no", "number", "uuid"};
  const std::string lowered = lower_ascii(name);
  for (const auto word : whole)
    if (lowered == word || ends_with(lowered, "_" + std::string(word)) || ends_with(lowered, " " + std::string(word)))
      return true;
  return ends_with(name, "Id") || ends_with(name, "ID");
}

Json shortened(const Json& value, std::size_t chars) {
  if (!value.is_string()) return value;
  const auto& text = value.get_ref<const std::string&>();
  return count_chars(text) <= chars ? value : Json(first_chars(text, chars) + "…");
}

}  // namespace

bool is_integer_type(const std::string& type) {
  static constexpr std::array<std::string_view, 10> types = {"TINYINT", "SMALLINT", "INTEGER",   "BIGINT",
                                                             "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
                                                             "UBIGINT", "UHUGEINT"};
  return is_one_of(type, types);
}

bool is_float_type(const std::string& type) { return type == "DOUBLE" || type == "FLOAT"; }

ValueKind value_kind(const std::string& type) {
  if (ends_with(type, "]") || begins_with(type, "STRUCT") || begins_with(type, "MAP") || begins_with(type, "UNION") ||
      type == "JSON")
    return ValueKind::nested;
  if (type == "BOOLEAN") return ValueKind::boolean;
  if (is_integer_type(type) || is_float_type(type) || begins_with(type, "DECIMAL")) return ValueKind::number;
  if (type == "DATE" || begins_with(type, "TIME")) return ValueKind::temporal;
  return ValueKind::text;
}

const char* class_name(ColumnClass of) {
  switch (of) {
    case ColumnClass::identifier:
      return "identifier";
    case ColumnClass::categorical:
      return "categorical";
    case ColumnClass::continuous:
      return "continuous";
    case ColumnClass::temporal:
      return "temporal";
    case ColumnClass::boolean:
      return "boolean";
    case ColumnClass::text:
      return "text";
    case ColumnClass::nested:
      return "nested";
  }
  return "text";
}

void ColumnProfile::classify() {
  constexpr std::uint64_t key_chars_max = 64;
  const bool enough = values >= 2 && values == rows;
  const bool unique = enough && (distinct_exact ? distinct == values : distinct >= values - values / 32);
  switch (kind) {
    case ValueKind::nested:
      column_class = ColumnClass::nested;
      return;
    case ValueKind::boolean:
      column_class = ColumnClass::boolean;
      return;
    case ValueKind::temporal:
      column_class = ColumnClass::temporal;
      return;
    case ValueKind::text: {
      const bool repeats =
          distinct > 0 && distinct < values && (distinct <= 10 || (distinct <= 100 && distinct * 2 <= values));
      column_class = column.type == "UUID" || (unique && longest <= key_chars_max) ? ColumnClass::identifier
                     : repeats                                                     ? ColumnClass::categorical
                                                                                   : ColumnClass::text;
      return;
    }
    case ValueKind::number: {
      const bool whole = is_integer_type(column.type);
      const bool gapless = high - low + 1 == static_cast<double>(values);
      const bool repeats = distinct > 0 && distinct <= 10 && distinct * 4 <= values;
      column_class = whole && unique && (gapless || named_like_a_key(column.name)) ? ColumnClass::identifier
                     : whole && repeats                                            ? ColumnClass::categorical
                                                                                   : ColumnClass::continuous;
      return;
    }
  }
}

Json rounded(double value) {
  if (!std::isfinite(value)) return value > 0 ? "Infinity" : value < 0 ? "-Infinity" : "NaN";
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  std::array<char, 40> written{};
  std::snprintf(written.data(), written.size(), "%.6g", value);
  return Json::parse(written.data());
}

Json ColumnProfile::to_json(std::size_t top_max, std::size_t value_chars, const std::string& description) const {
  Json shown = Json::object();
  shown["name"] = column.name;
  if (const auto sql = sql_name(column.name); sql != column.name) shown["sql"] = sql;
  shown["type"] = column.type;
  shown["class"] = class_name(column_class);
  if (!description.empty()) shown["description"] = description;
  shown["nulls"] = rows - values;
  if (kind != ValueKind::nested) shown[distinct_exact ? "distinct" : "distinct_about"] = distinct;
  if (not_finite > 0) shown["not_finite"] = not_finite;
  if (!least.is_null()) {
    shown["min"] = shortened(least, value_chars);
    shown["max"] = shortened(most, value_chars);
  }
  if (mean) shown["mean"] = rounded(*mean);
  if (!quartiles.is_null()) shown["quartiles"] = quartiles;
  if (!top.empty()) {
    shown["top"] = Json::array();
    for (std::size_t i = 0; i < top.size() && i < top_max; ++i) {
      Json pair = Json::array();
      pair.push_back(shortened(top[i].first, value_chars));
      pair.push_back(top[i].second);
      shown["top"].push_back(std::move(pair));
    }
  }
  if (!buckets.empty()) {
    shown["histogram"] = Json::array();
    for (const auto& [from, count] : buckets) {
      Json bucket = Json::array();
      bucket.push_back(rounded(from));
      bucket.push_back(count);
      shown["histogram"].push_back(std::move(bucket));
    }
  }
  return shown;
}

}  // namespace stele
