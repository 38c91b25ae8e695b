#include "tables/cell_rules.hpp"

#include <algorithm>
#include <utility>

#include "tables/classifier.hpp"
#include "tables/typing.hpp"
#include "tables/value_text.hpp"

namespace stele {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Nothing but what numbers are written with, and a comma or a point among it; no date.
bool may_be_marked(std::string_view text) {
  const auto is_part = [](char c) {
    return is_digit(c) || c == ',' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
  };
  return text.find_first_of(",.") != std::string_view::npos && std::all_of(text.begin(), text.end(), is_part) &&
         !parse_local_date(text, DateOrder::day_first) && !parse_local_date(text, DateOrder::month_first);
}

bool is_written_text(CellKind kind) {
  return kind == CellKind::bare || kind == CellKind::quoted || kind == CellKind::text;
}

}  // namespace

CellRules::CellRules(std::unique_ptr<RecordReader> reader, const ReadOptions& options)
    : reader_(std::move(reader)), null_values_(options.null_values), decimal_comma_(options.decimal_comma) {}

bool CellRules::next() {
  if (!reader_->next()) return false;
  const auto read = reader_->cells();
  cells_.assign(read.begin(), read.end());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    auto& cell = cells_[i];
    if (!cell.holds_value() || cell.kind == CellKind::nested) continue;
    const auto text = cell.kind == CellKind::bare ? without_blanks_around(cell.text) : cell.text;
    if (is_null(i, text)) {
      cell = {CellKind::null, {}};
    } else if (decimal_comma_ && is_written_text(cell.kind) && may_be_marked(text)) {
      cell.kind = CellKind::marked;
    }
  }
  return true;
}

bool CellRules::is_null(std::size_t position, std::string_view text) {
  const auto marker = std::find(null_values_.begin(), null_values_.end(), text);
  if (marker == null_values_.end()) return false;
  if (counts_.size() <= position) counts_.resize(position + 1);
  counts_[position].resize(null_values_.size());
  ++counts_[position][static_cast<std::size_t>(marker - null_values_.begin())];
  return true;
}

std::optional<Warning> CellRules::nulls_made(std::size_t position, const std::string& column) const {
  if (position >= counts_.size() || counts_[position].empty()) return {};
  std::uint64_t count = 0;
  std::string markers;
  std::optional<std::string> first;
  for (std::size_t i = 0; i < null_values_.size(); ++i) {
    const auto of_marker = counts_[position][i];
    if (of_marker == 0) continue;
    count += of_marker;
    markers += (markers.empty() ? "" : ", ") + in_quotes(null_values_[i]) + " × " + std::to_string(of_marker);
    if (!first) first = null_values_[i];
  }
  return Warning{"null_values",
                 "In column " + in_quotes(column) + " these values became NULL: " + markers + ".",
                 column,
                 std::move(first),
                 {},
                 count};
}

RuledReader with_cell_rules(std::unique_ptr<RecordReader> reader, const ReadOptions& options) {
  if (options.null_values.empty() && !options.decimal_comma) return {std::move(reader), nullptr};
  auto rules = std::make_unique<CellRules>(std::move(reader), options);
  const CellRules* told = rules.get();
  return {std::move(rules), told};
}

PlainNumber::PlainNumber(std::string_view marked) {
  marked = without_blanks_around(marked);
  if (marked.empty() || marked.size() >= sizeof digits_) return;
  std::size_t size = 0, at = 0;
  const auto take = [&] { digits_[size++] = marked[at++]; };
  const auto take_digits = [&] {
    const auto begin = at;
    while (at < marked.size() && is_digit(marked[at])) take();
    return at - begin;
  };
  if (marked[at] == '-') take();
  auto run = take_digits();
  if (run == 0) return;
  // Thousands: groups of three behind one to three digits.
  for (bool grouped = run <= 3; grouped && at < marked.size() && marked[at] == '.';) {
    ++at;
    if (take_digits() != 3) return;
  }
  if (at < marked.size() && marked[at] == ',') {
    digits_[size++] = '.';
    ++at;
    if (take_digits() == 0) return;
  }
  if (at < marked.size() && (marked[at] == 'e' || marked[at] == 'E')) {
    take();
    if (at < marked.size() && (marked[at] == '-' || marked[at] == '+')) take();
    if (take_digits() == 0) return;
  }
  if (at == marked.size()) size_ = size;
}

}  // namespace stele
