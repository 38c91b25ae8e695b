// RowSource: rows from outside, looked at whole before any is written. The writer asks what the columns are, decides
// the types of the table, and then takes the rows in buffers. It never changes a value in silence: what it cannot keep
// it says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"
#include "tables/malformed_rows.hpp"
#include "tables/staged_segment.hpp"

namespace stele {

// Something the reader of the answer must know. In answers: {"column"?, "kind", "message", "value"?, "row"?, "count"?}.
struct Warning {
  std::string kind;                  // snake_case, e.g. "kept_as_text", "column_renamed", "lines_skipped"
  std::string message;               // one sentence, naming column and value
  std::string column;                // empty if of no one column
  std::optional<std::string> value;  // the first offending value, as written
  std::optional<std::uint64_t> row;  // 1-based record number, the header not counted
  std::optional<std::uint64_t> count;

  Json to_json() const;
};

// What a column that stays text would lose as another type.
struct TypeLoss {
  std::string type;
  std::uint64_t values = 0;  // that the type does not hold
  std::string first;         // of them, as written, with its row
  std::uint64_t row = 0;
};

// What the values of one column allow, found from all of them.
struct SourceColumn {
  std::string name;
  // BOOLEAN, BIGINT, HUGEINT, DOUBLE, DATE, TIME, TIMESTAMP, TIMESTAMP WITH TIME ZONE, JSON or VARCHAR
  std::string type;
  std::uint64_t nulls = 0;
  bool all_null = false;               // type is then VARCHAR and means nothing: the table's own type wins
  std::vector<TypeLoss> would_lose{};  // of a text column: the types that at least a tenth of its values have
};

class RowSource {
 public:
  virtual ~RowSource() = default;

  virtual const std::vector<SourceColumn>& columns() const = 0;
  virtual std::uint64_t rows() const = 0;
  virtual const std::vector<Warning>& warnings() const = 0;
  // For the answer: format, dialect, lines skipped and the like; {} if there is nothing to say.
  virtual Json facts() const { return Json::object(); }

  // Records that were passed over since they break the format; whether they may be is for check_malformed() to say.
  virtual const MalformedRows& malformed_rows() const {
    static const MalformedRows none;
    return none;
  }

  // The first value of a column that a table column of this type could not hold exactly, with its record number;
  // nothing if all fit. Looks at the values as written, so "1.1" does not fit BIGINT and "05/04/2025" does not fit
  // DATE.
  struct Misfit {
    std::string value;
    std::uint64_t row = 0;
  };
  virtual Task<std::optional<Misfit>> misfit(std::size_t column, std::string type) = 0;

  // All rows as a segment of exactly these columns, none of them leaving one out, if the source wrote them so when it
  // looked at them. At most once.
  virtual std::optional<StagedSegment> take_written(const std::vector<Column>& columns) {
    (void)columns;
    return {};
  }

  // Begins (again) at the first row, to be delivered as these types, one per column: the column's own type, a type for
  // which misfit() found nothing, or VARCHAR, which holds everything as written.
  virtual void rewind(std::vector<std::string> types) = 0;
  // Fills the empty buffer, whose first columns are the source's; returns false when no row is left. One call is one
  // slice.
  virtual bool fill(RowBuffer& buffer) = 0;
  // For the rows of the last fill(): whether any of them left a column out, which is not the same as null.
  virtual bool any_left_out() const { return false; }
  // The same of one row and column.
  virtual bool left_out(std::size_t row, std::size_t column) const {
    (void)row;
    (void)column;
    return false;
  }
};

}  // namespace stele
