// RecordSource: rows of any text format, by the one rule of typing. It reads the records again for every pass and keeps
// none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "tables/cell_rules.hpp"
#include "tables/column_type.hpp"
#include "tables/eager_rows.hpp"
#include "tables/record_reader.hpp"
#include "tables/row_source.hpp"
#include "tables/typing.hpp"

namespace stele {

// What one pass over all records found, by position in the record.
struct Observed {
  std::vector<ColumnTyping> columns;
  std::uint64_t rows = 0;
  MalformedRows malformed;
  void observe(std::span<const Cell> cells, std::uint64_t row);
  // The same, while the row is written.
  void observe(std::span<const Cell> cells, std::uint64_t row, EagerRows& eager);
};

// `work_total` is for progress alone. `eager` takes the rows as long as it goes on; null if nothing does. The reader
// and it outlive the task.
Task<Observed> observe_all(RecordReader& reader, std::uint64_t work_total, EagerRows* eager = nullptr);

// For the answer: of the records of a file, how many are rows and how many were passed over, and on which lines.
void tell_of_malformed(const Observed& observed, Json& facts, std::vector<Warning>& warnings);

// Where a column of the table to be stands in the records, and what it is called.
struct PlacedColumn {
  std::string name;
  std::size_t position = 0;
};

// A column for each name, in order. Adds a warning for each whose markers became NULL.
std::vector<PlacedColumn> placed(const std::vector<std::string>& names, const RuledReader& reader,
                                 std::vector<Warning>& warnings);

class RecordSource : public RowSource {
 public:
  // `warnings` are those of the format; what typing finds is added.
  RecordSource(std::unique_ptr<RecordReader> reader, Observed observed, std::vector<PlacedColumn> columns,
               TypingRules rules, std::vector<Warning> warnings, Json facts, std::uint64_t work_total,
               std::unique_ptr<EagerRows> eager = nullptr);

  const std::vector<SourceColumn>& columns() const override { return columns_; }
  std::uint64_t rows() const override { return observed_.rows; }
  const std::vector<Warning>& warnings() const override { return warnings_; }
  Json facts() const override { return facts_; }
  const MalformedRows& malformed_rows() const override { return observed_.malformed; }
  Task<std::optional<Misfit>> misfit(std::size_t column, std::string type) override;
  std::optional<StagedSegment> take_written(const std::vector<Column>& columns) override;
  void rewind(std::vector<std::string> types) override;
  bool fill(RowBuffer& buffer) override;
  bool any_left_out() const override { return !left_out_.empty(); }
  bool left_out(std::size_t row, std::size_t column) const override;

 private:
  Cell cell_of(std::span<const Cell> cells, std::size_t column) const;

  std::unique_ptr<RecordReader> reader_;
  Observed observed_;
  std::vector<PlacedColumn> places_;
  std::vector<SourceColumn> columns_;
  std::vector<DateOrder> date_orders_;
  std::vector<ColumnType> types_;  // of the pass that fill() is in
  std::vector<Warning> warnings_;
  Json facts_;
  std::uint64_t work_total_;
  std::unique_ptr<EagerRows> eager_;  // null if nothing was written
  std::vector<bool> left_out_;        // by row and column, of the last fill(); empty if nothing was
};

}  // namespace stele
