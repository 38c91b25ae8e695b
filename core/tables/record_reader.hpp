// RecordReader: a format taken apart into records of cells, one at a time, as often as one likes. It gives cells as
// they are written and never decides a type.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tables/malformed_rows.hpp"

namespace stele {

enum class CellKind : std::uint8_t {
  absent,  // the record leaves the column out
  null,
  bare,     // an unquoted CSV cell, not empty
  quoted,   // a CSV cell in quotes
  text,     // a JSON string
  marked,   // text that may be a number with a decimal comma, where the caller says that they are so written
  number,   // a JSON number
  boolean,  // "true" or "false" of JSON
  nested,   // a JSON object or array
};

struct Cell {
  CellKind kind = CellKind::absent;
  std::string_view text{};
  bool holds_value() const { return kind > CellKind::null; }
};

class RecordReader {
 public:
  virtual ~RecordReader() = default;
  // Back to before the first record.
  virtual void rewind() = 0;
  // Reads a record; false if none is left. A record that breaks the format is passed over and counted; throws Error
  // where it cannot be told from those behind it, naming the line.
  virtual bool next() = 0;
  // The cells of the record read last, by column; columns past the end are absent. Valid until the next call.
  virtual std::span<const Cell> cells() const = 0;
  // Bytes, or as much work as reading so many would be, since rewind(): by which slices are counted.
  virtual std::uint64_t work_done() const = 0;
  // Those passed over since rewind().
  virtual const MalformedRows& malformed_rows() const {
    static const MalformedRows none;
    return none;
  }
};

}  // namespace stele
