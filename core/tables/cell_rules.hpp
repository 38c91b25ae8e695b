// CellRules: what the caller says of cells before they are typed: which texts mean "no value", and that numbers are
// written with a decimal comma. It counts what it turns into NULL, and leaves the text of all other cells as written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tables/read_options.hpp"
#include "tables/record_reader.hpp"
#include "tables/row_source.hpp"

namespace stele {

class CellRules : public RecordReader {
 public:
  CellRules(std::unique_ptr<RecordReader> reader, const ReadOptions& options);

  void rewind() override { reader_->rewind(); }
  bool next() override;
  std::span<const Cell> cells() const override { return cells_; }
  std::uint64_t work_done() const override { return reader_->work_done(); }
  const MalformedRows& malformed_rows() const override { return reader_->malformed_rows(); }

  // How often each marker became NULL in the column at a position; nothing if none did. To be asked once, when every
  // record was read once.
  std::optional<Warning> nulls_made(std::size_t position, const std::string& column) const;

 private:
  bool is_null(std::size_t position, std::string_view text);

  std::unique_ptr<RecordReader> reader_;
  std::vector<std::string> null_values_;
  bool decimal_comma_;
  std::vector<Cell> cells_;
  std::vector<std::vector<std::uint64_t>> counts_;  // by position, then by marker; empty where nothing was found
};

// A reader, and its rules if the options hold any; else null.
struct RuledReader {
  std::unique_ptr<RecordReader> records;
  const CellRules* rules = nullptr;
};
RuledReader with_cell_rules(std::unique_ptr<RecordReader> reader, const ReadOptions& options);

// Text that may be a number with a decimal comma and dots between thousands, as JSON writes it: "1.234,5" is "1234.5".
// Nothing if it is none, as "1.5" is none.
class PlainNumber {
 public:
  explicit PlainNumber(std::string_view marked);
  // Borrows from this; empty if it is no such number.
  std::string_view text() const { return {digits_, size_}; }

 private:
  char digits_[64];
  std::size_t size_ = 0;
};

}  // namespace stele
