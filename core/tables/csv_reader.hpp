// CsvReader: delimited text taken apart into records as RFC 4180 says, and as files really are: any line end, stray
// quotes kept as written, rows of any length. It joins, trims and drops nothing but blank lines between rows, and
// passes over no more than a record whose quote is never closed or that is not UTF-8, which it counts.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tables/byte_window.hpp"
#include "tables/record_reader.hpp"

namespace stele {

struct CsvDialect {
  char delimiter = ',';  // '\0': none, every line is one cell
  bool header = true;
  bool one_column = false;          // a blank line is then a row without a value
  std::uint64_t skipped_lines = 0;  // above the header
  bool check_utf8 = false;          // a record that is not UTF-8 is malformed
};

class CsvReader : public RecordReader {
 public:
  // Lines where something happened: how often, and the first few.
  struct Lines {
    std::uint64_t count = 0;
    std::vector<std::uint64_t> first;
    void add(std::uint64_t line);
  };

  // Throws Error too_many_columns at a record of more cells than that.
  CsvReader(std::unique_ptr<ByteSource> utf8, CsvDialect dialect, std::size_t columns_max);

  // Back to the first record after the header, which is read on the way.
  void rewind() override;
  bool next() override;
  std::span<const Cell> cells() const override { return {cells_.data(), cell_count_}; }
  std::uint64_t work_done() const override { return window_.taken(); }
  const MalformedRows& malformed_rows() const override { return malformed_; }

  const CsvDialect& dialect() const { return dialect_; }
  // The line on which the record read last begins; from 1.
  std::uint64_t line() const { return record_line_; }
  // As read at rewind(); empty if the dialect has none, or the file nothing.
  const std::vector<std::string>& header() const { return header_; }
  // From the next rewind() on, the first record is data too.
  void treat_header_as_data() { dialect_.header = false; }

  // Of the records since rewind(), by their number of cells where it is not the header's; empty cells past the header's
  // width do not count.
  const std::map<std::size_t, Lines>& other_widths() const { return other_widths_; }
  const Lines& stray_quotes() const { return stray_quotes_; }

 private:
  enum class Read { record, malformed, end, more };

  bool read_record();
  Read tokenize();
  Read pass_over_open_quote();
  // Both answer where the cell ends, or nothing if it may go on behind the window.
  char* bare_cell(char* at);
  char* quoted_cell(char* at);
  void add_cell(CellKind kind, std::string_view text) {
    if (cell_count_ == cells_.size()) cells_.resize(2 * cell_count_ + 16);
    cells_[cell_count_++] = {kind, text};
  }
  bool is_blank_record() const;
  void skip_lines();
  void note_width();

  ByteWindow window_;
  CsvDialect dialect_;
  std::size_t columns_max_;
  std::array<bool, 256> stops_{};  // delimiter and line ends
  std::vector<std::string> header_;
  std::size_t width_ = 0;

  std::vector<Cell> cells_;  // the first `cell_count_` are the record's
  std::size_t cell_count_ = 0;
  std::vector<std::size_t> doubled_quotes_;  // cells that have some
  std::uint64_t line_ = 1, record_line_ = 1, lines_within_ = 0;
  bool stray_ = false, open_quote_ = false;
  std::uint64_t blank_rows_ = 0;  // read, and to be given if a row follows
  bool held_ = false;             // a record was read, and waits behind blank rows
  bool begun_ = false;            // the header or a first record was read
  std::vector<Cell> held_cells_;

  std::map<std::size_t, Lines> other_widths_;
  Lines stray_quotes_;
  MalformedRows malformed_;
  std::uint64_t open_quotes_ = 0;
};

}  // namespace stele
