#include "tables/csv_reader.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "tables/encoding.hpp"

namespace stele {
namespace {

constexpr std::size_t lines_told_max = 5;
// Each costs a look at all that follows it, so a file of them is given up.
constexpr std::uint64_t open_quotes_max = 100;

// Sixteen characters, compared at once; what is equal is 0xFF.
using Sixteen = unsigned char __attribute__((vector_size(16)));
static_assert(sizeof(Sixteen) == ByteWindow::margin_bytes);

Sixteen sixteen_of(char c) { return Sixteen{} + static_cast<unsigned char>(c); }

// The next delimiter or line end, of which there is one.
char* next_stop(char* at, char delimiter) {
  const Sixteen delimiters = sixteen_of(delimiter), feeds = sixteen_of('\n'), returns = sixteen_of('\r');
  for (;; at += sizeof(Sixteen)) {
    Sixteen text;
    std::memcpy(&text, at, sizeof text);
    const auto stops = (text == delimiters) | (text == feeds) | (text == returns);
    std::uint64_t halves[2];
    std::memcpy(halves, &stops, sizeof halves);
    if (halves[0]) return at + __builtin_ctzll(halves[0]) / 8;
    if (halves[1]) return at + 8 + __builtin_ctzll(halves[1]) / 8;
  }
}

}  // namespace

void CsvReader::Lines::add(std::uint64_t line) {
  if (count++ < lines_told_max) first.push_back(line);
}

CsvReader::CsvReader(std::unique_ptr<ByteSource> utf8, CsvDialect dialect, std::size_t columns_max)
    : window_(std::move(utf8)), dialect_(dialect), columns_max_(columns_max) {
  for (const char stop : {dialect.delimiter, '\n', '\r'}) stops_[static_cast<unsigned char>(stop)] = true;
}

void CsvReader::rewind() {
  window_.rewind();
  line_ = 1;
  blank_rows_ = 0;
  held_ = false;
  begun_ = dialect_.header;
  other_widths_.clear();
  stray_quotes_ = {};
  malformed_ = {};
  open_quotes_ = 0;
  skip_lines();
  if (!dialect_.header) return;
  header_.clear();
  while (read_record()) {
    if (is_blank_record()) continue;
    for (const auto& cell : cells()) header_.emplace_back(cell.text);
    width_ = header_.size();
    break;
  }
  stray_quotes_ = {};
  if (malformed_.count == 0) return;
  throw Error("malformed_header",
              "Line " + std::to_string(malformed_.first[0].line) + ", where the header should be, " +
                  malformed_.first[0].problem + ".",
              "Correct the line, or set skip_rows to the number of lines above the header.");
}

bool CsvReader::next() {
  if (blank_rows_ > 0 && held_) {
    if (--blank_rows_ == 0) {
      held_ = false;
      cells_ = held_cells_;
      cell_count_ = cells_.size();
    }
    return true;
  }
  while (read_record()) {
    if (is_blank_record()) {
      // Above the first record they are no rows, with a header or without.
      if (dialect_.one_column && begun_) ++blank_rows_;
      continue;
    }
    begun_ = true;
    note_width();
    if (blank_rows_ > 0) {
      // The blank rows are given first; the last of them is followed by this record.
      held_ = true;
      held_cells_.assign(cells().begin(), cells().end());
      cell_count_ = 0;
      add_cell(CellKind::null, {});
    }
    return true;
  }
  return false;
}

bool CsvReader::is_blank_record() const {
  return cell_count_ == 1 && cells_[0].kind != CellKind::quoted &&
         cells_[0].text.find_first_not_of(" \t") == std::string_view::npos;
}

void CsvReader::note_width() {
  if (stray_) stray_quotes_.add(record_line_);
  if (cell_count_ == width_) return;
  auto width = cell_count_;
  while (width > width_ && !cells_[width - 1].holds_value()) --width;
  if (width != width_) other_widths_[width].add(record_line_);
}

bool CsvReader::read_record() {
  for (;;) {
    record_line_ = line_;
    switch (tokenize()) {
      case Read::record:
        return true;
      case Read::malformed:
        continue;
      case Read::end:
        return false;
      case Read::more:
        break;
    }
    if (window_.grow()) continue;
    if (open_quote_ && pass_over_open_quote() == Read::malformed) continue;
    throw Error("malformed_csv", "The record on line " + std::to_string(record_line_) + " is longer than 32 MiB.",
                "Check the file: perhaps it is no delimited text.");
  }
}

// One record from the front of the window, if all of it is there.
CsvReader::Read CsvReader::tokenize() {
  cell_count_ = 0;
  doubled_quotes_.clear();
  lines_within_ = 0;
  stray_ = open_quote_ = false;
  char* at = window_.begin();
  char* const end = window_.end();
  if (at == end) return window_.at_end() ? Read::end : Read::more;
  *end = '\n';
  for (;;) {
    at = *at == '"' ? quoted_cell(at) : bare_cell(at);
    if (!at && window_.at_end()) return pass_over_open_quote();
    if (!at || (at == end && !window_.at_end())) return Read::more;
    if (*at != dialect_.delimiter || at == end) break;
    ++at;
    if (cell_count_ >= columns_max_) {
      throw Error("too_many_columns",
                  "Line " + std::to_string(record_line_) + " has more than " + std::to_string(columns_max_) + " cells.",
                  "A table has at most " + std::to_string(columns_max_) + " columns.");
    }
  }
  if (at != end) {
    if (*at == '\r') {
      if (at + 1 == end && !window_.at_end()) return Read::more;
      if (at + 1 != end && at[1] == '\n') ++at;
    }
    ++at;
  }
  const bool readable =
      !dialect_.check_utf8 || is_utf8({window_.begin(), static_cast<std::size_t>(at - window_.begin())});
  window_.take_to(at);
  line_ += 1 + lines_within_;
  if (!readable) {
    malformed_.add(record_line_, "is not UTF-8, though other parts of the file are");
    return Read::malformed;
  }
  // Only now: a record that is not all there is read again.
  for (const auto index : doubled_quotes_) {
    auto& text = cells_[index].text;
    char* const begin = const_cast<char*>(text.data());
    char* out = begin;
    for (std::size_t i = 0; i < text.size(); ++i) {
      *out++ = text[i];
      if (text[i] == '"') ++i;
    }
    text = {begin, static_cast<std::size_t>(out - begin)};
  }
  return Read::record;
}

// Of a record whose quote nothing closes only the first line is taken for malformed: those behind it are likely rows.
CsvReader::Read CsvReader::pass_over_open_quote() {
  char* const begin = window_.begin();
  char* const end = window_.end();
  char* at = std::find_if(begin, end, [](char c) { return c == '\n' || c == '\r'; });
  if (at == end && !window_.at_end()) return Read::more;
  if (at != end) at += *at == '\r' && at + 1 != end && at[1] == '\n' ? 2 : 1;
  malformed_.add(record_line_, "opens a quote that is never closed");
  if (++open_quotes_ > open_quotes_max) {
    throw Error("malformed_csv",
                "More than " + std::to_string(open_quotes_max) + " rows open a quote and never close it.",
                "Check the delimiter and the quotes: perhaps the file is no delimited text.");
  }
  window_.take_to(at);
  ++line_;
  return Read::malformed;
}

char* CsvReader::bare_cell(char* at) {
  char* const begin = at;
  at = next_stop(at, dialect_.delimiter);
  const auto length = static_cast<std::size_t>(at - begin);
  add_cell(length ? CellKind::bare : CellKind::null, {begin, length});
  return at;
}

char* CsvReader::quoted_cell(char* at) {
  char* const open = at++;
  char* const end = window_.end();
  bool doubled = false;
  for (;;) {
    at = static_cast<char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
    if (!at) {
      open_quote_ = true;
      return nullptr;
    }
    if (at + 1 == end || at[1] != '"') break;
    doubled = true;
    at += 2;
  }
  char* after = at + 1;
  while (after != end && *after == ' ') ++after;
  if (after == end && !window_.at_end()) return nullptr;
  if (after != end && !stops_[static_cast<unsigned char>(*after)]) {
    // Something follows the closing quote: the quotes are part of the text.
    stray_ = true;
    return bare_cell(open);
  }
  const std::string_view text(open + 1, static_cast<std::size_t>(at - open - 1));
  if (doubled) doubled_quotes_.push_back(cell_count_);
  lines_within_ += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  add_cell(CellKind::quoted, text);
  return after;
}

// Lines as such: what stands above the table need not be CSV.
void CsvReader::skip_lines() {
  for (auto left = dialect_.skipped_lines; left > 0;) {
    char* const begin = window_.begin();
    char* const end = window_.end();
    char* at = std::find_if(begin, end, [](char c) { return c == '\n' || c == '\r'; });
    if (!window_.at_end() && (at == end || at + 1 == end)) {
      if (window_.grow()) continue;
      throw Error("malformed_csv", "Line " + std::to_string(line_) + " is longer than 32 MiB.",
                  "Check the file: perhaps it is no delimited text.");
    }
    if (at == end) return;
    if (*at == '\r' && at + 1 != end && at[1] == '\n') ++at;
    window_.take_to(at + 1);
    ++line_;
    --left;
  }
}

}  // namespace stele
