// ColumnType: a type that a table's column may have, as cells meet it: whether it holds one exactly, and how it is
// delivered. It never rounds, cuts or guesses.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/engine.hpp"
#include "tables/classifier.hpp"
#include "tables/record_reader.hpp"
#include "tables/value_text.hpp"

namespace stele {

ValueClass classify(const Cell& cell);

class ColumnType {
 public:
  // DuckDB's spelling of a type.
  explicit ColumnType(std::string_view name, DateOrder date_order = DateOrder::iso);

  bool is_text() const { return kind_ == Kind::text; }
  // Whether the type holds the value exactly. Types that have no text of their own here hold nothing.
  bool holds(const Cell& cell) const;
  // Sets the column to a cell that holds a value; the type holds it, or it is text.
  void deliver(const Cell& cell, RowBuffer& buffer, std::size_t column) const;

 private:
  enum class Kind {
    text,
    integer,
    wide_integer,
    decimal,
    float64,
    float32,
    boolean,
    date,
    time,
    timestamp,
    zoned_timestamp,
    json,
    uuid,
    other
  };

  Kind kind_ = Kind::other;
  DateOrder date_order_;
  std::int64_t min_ = 0, max_ = 0;              // of integer
  std::string_view widest_, narrowest_;         // of wide_integer: the digits of its bounds
  int whole_digits_ = 0, fraction_digits_ = 0;  // of decimal
};

}  // namespace stele
