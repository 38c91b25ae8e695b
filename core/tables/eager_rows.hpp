// EagerRows: rows written while they are first looked at, on the guess that the first of them show the types of all.
// The rule of typing stays with ColumnTyping, which looks at every value: what was written here serves only where the
// rule finds the types guessed, and gives up, leaving nothing, at the first value that breaks the guess.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "tables/column_type.hpp"
#include "tables/record_reader.hpp"
#include "tables/staged_segment.hpp"

namespace stele {

class EagerRows {
 public:
  // A type for each column, of those that typing gives. `engine` and `blobs` outlive this.
  EagerRows(Engine& engine, Blobs& blobs, std::vector<std::string> types);

  // Whether the guess has held so far; else nothing more is to be taken.
  bool goes_on() const { return writer_ != nullptr; }

  // The class of a cell that holds a value, as classify() tells it; the cell is written.
  ValueClass take(std::size_t column, const Cell& cell);
  // Ends the row of a record of so many cells.
  void end_row(std::size_t cells);

  // All rows as a segment of these columns, if that is how they were written. At most once.
  std::optional<StagedSegment> finish(const std::vector<Column>& columns);

 private:
  enum class Kind { text, integer, number, boolean, date, timestamp, other };
  struct Target {
    ColumnType type;
    Kind kind;
    std::uint16_t types;  // bits of the type; of no account for text
  };

  bool take_plain(std::size_t column, std::string_view text, ValueClass& value_class);
  void give_up();

  Blobs& blobs_;
  std::vector<Column> columns_;
  std::vector<Target> targets_;
  std::unique_ptr<SegmentWriter> writer_;
  std::unique_ptr<RowBuffer> buffer_;
  bool broken_ = false;  // by the row that is being taken
};

}  // namespace stele
