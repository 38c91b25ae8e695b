// ColumnProfile: what is known of one column, and what class it is of. Figures in, JSON out; it reads nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "engine/snapshot.hpp"

namespace stele {

// What a type allows to be asked of its values.
enum class ValueKind { number, temporal, boolean, text, nested };
ValueKind value_kind(const std::string& type);
bool is_integer_type(const std::string& type);
bool is_float_type(const std::string& type);  // may hold NaN and infinities

enum class ColumnClass { identifier, categorical, continuous, temporal, boolean, text, nested };
const char* class_name(ColumnClass of);

struct ColumnProfile {
  Column column;
  ValueKind kind = ValueKind::text;
  std::uint64_t rows = 0;
  std::uint64_t values = 0;    // not NULL
  std::uint64_t distinct = 0;  // about so many unless exact; 0 for nested columns
  bool distinct_exact = true;
  std::uint64_t longest = 0;     // characters, of text
  std::uint64_t not_finite = 0;  // NaN and infinities, of floats
  Json least, most;              // of numbers and times; null if there are none
  double low = 0, high = 0;      // the same as doubles, of numbers
  std::optional<double> mean;
  Json quartiles;                                         // full only: [q1, median, q3], of numbers
  std::vector<std::pair<Json, std::uint64_t>> top;        // most frequent first
  std::vector<std::pair<double, std::uint64_t>> buckets;  // full only: where each begins, and its values
  ColumnClass column_class = ColumnClass::text;           // of classify()

  void classify();
  Json to_json(std::size_t top_max, std::size_t value_chars, const std::string& description) const;
};

// Six significant digits: enough to judge by, short enough to read.
Json rounded(double value);

}  // namespace stele
