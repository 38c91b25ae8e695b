#include "tables/csv_dialect.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "base/error.hpp"

namespace stele {
namespace {

constexpr std::size_t records_looked_at = 2'000;

// The raw line at the front of `text`, which loses it.
std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find_first_of("\r\n"), text.size());
  const auto line = text.substr(0, end);
  const bool pair = text.substr(end).starts_with("\r\n");
  text.remove_prefix(std::min(text.size(), end + (pair ? 2 : 1)));
  return line;
}

struct HeadRecord {
  std::uint64_t line;  // on which it begins
  std::size_t cells;
  bool blank;
};

// What the head's records are with a delimiter. The last one may be cut, so it does not count if others do.
std::vector<HeadRecord> records_with(std::string_view head, char delimiter, std::uint64_t skipped_lines) {
  CsvReader reader(std::make_unique<MemoryBytes>(std::string(head)), {delimiter, false, true, skipped_lines},
                   std::numeric_limits<std::size_t>::max());
  std::vector<HeadRecord> records;
  reader.rewind();
  try {
    while (records.size() < records_looked_at && reader.next() && reader.malformed_rows().count == 0) {
      const bool blank = reader.cells().size() == 1 && !reader.cells()[0].holds_value();
      records.push_back({reader.line(), reader.cells().size(), blank});
    }
  } catch (const Error&) {
    // What is wrong with the file is found when all of it is read.
  }
  return records;
}

struct Fit {
  char delimiter = '\0';
  std::size_t width = 1;  // cells that most records have
  double share = 0;       // of the records that have them
};

Fit fit_of(const std::vector<HeadRecord>& records, char delimiter) {
  std::map<std::size_t, std::size_t> by_width;
  std::size_t count = 0;
  for (const auto& record : records) {
    if (record.blank) continue;
    ++by_width[record.cells];
    ++count;
  }
  Fit fit{delimiter};
  std::size_t most = 0;
  for (const auto& [width, records_of_it] : by_width) {
    if (records_of_it >= most) most = records_of_it, fit.width = width;
  }
  // Where most rows have one cell, the first may still be a header of several, above short rows.
  if (fit.width < 2 && !records.empty() && records.front().cells > 1) fit.width = records.front().cells, most = 0;
  if (count) fit.share = static_cast<double>(most) / static_cast<double>(count);
  return fit;
}

// Delimiters that part most records alike; of those equally good, the one expected, then the one with more columns.
Fit best_fit(std::string_view head, std::uint64_t skipped_lines, bool tabs_expected) {
  Fit best;
  const std::string_view delimiters = tabs_expected ? "\t,;|" : ",;\t|";
  for (const char delimiter : delimiters) {
    const auto fit = fit_of(records_with(head, delimiter, skipped_lines), delimiter);
    if (fit.width < 2) continue;
    const bool expected = tabs_expected && best.delimiter == '\t' && best.width > 1;
    if (best.width < 2 || fit.share > best.share || (fit.share == best.share && !expected && fit.width > best.width))
      best = fit;
  }
  return best;
}

// The lines above the first record of several cells: titles of a table that has several columns.
std::uint64_t above_table(std::string_view head, char delimiter, std::uint64_t comments) {
  auto lines = comments;
  for (const auto& record : records_with(head, delimiter, comments)) {
    lines = record.line - 1;
    if (record.cells > 1) break;
  }
  return lines;
}

bool is_missing_word(std::string_view text) {
  std::string lower(text);
  for (auto& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  for (const char* word : {"", "na", "n/a", "nan", "null", "none", "nil", "-", "--", "?", "."}) {
    if (lower == word) return true;
  }
  return false;
}

// "2019", "2020": names that years make, each once.
bool are_years(std::vector<std::string> cells) {
  std::sort(cells.begin(), cells.end());
  const bool distinct = std::adjacent_find(cells.begin(), cells.end()) == cells.end();
  return distinct && cells.size() > 1 && std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
           return cell.size() == 4 && (cell[0] == '1' || cell[0] == '2') && classify(cell) == ValueClass::integer;
         });
}

}  // namespace

FoundDialect find_dialect(std::string_view head, const DialectHints& hints) {
  std::uint64_t comments = 0;
  std::string_view rest = head;
  auto delimiter = hints.delimiter;
  bool declared = false;
  // Spreadsheets write "sep=;" above the table.
  if (rest.starts_with("sep=") && rest.size() > 5 && (rest[5] == '\r' || rest[5] == '\n')) {
    if (!delimiter) delimiter = rest[4];
    declared = true;
    take_line(rest);
    ++comments;
  }
  while (rest.starts_with('#')) {
    take_line(rest);
    ++comments;
  }
  if (rest.find_first_not_of(" \t\r\n") == std::string_view::npos) comments = declared ? 1 : 0;
  if (hints.skipped_lines) comments = *hints.skipped_lines;
  auto fit = delimiter ? fit_of(records_with(head, *delimiter, comments), *delimiter)
                       : best_fit(head, comments, hints.tabs_expected);

  auto skipped_lines = comments;
  if (!hints.skipped_lines) {
    // The last line with a # may be the header: it has as many cells as the table.
    if (comments > (declared ? 1u : 0u) && fit.width > 1) {
      const auto with_it = records_with(head, fit.delimiter, comments - 1);
      if (!with_it.empty() && with_it[0].cells == fit.width) --comments;
    }
    skipped_lines = fit.width > 1 ? above_table(head, fit.delimiter, comments) : comments;
  }
  FoundDialect found;
  found.dialect = {fit.delimiter, true, fit.width < 2, skipped_lines};
  for (auto left = skipped_lines; left > 0; --left) {
    const auto line = take_line(head);
    if (!line.empty()) found.skipped.emplace_back(line);
  }
  return found;
}

bool is_header(std::span<const std::string> first_record, std::span<const ColumnTyping> columns) {
  std::vector<std::string> typed;
  for (std::size_t i = 0; i < first_record.size(); ++i) {
    const auto& cell = first_record[i];
    const auto value_class = classify_bare(cell);
    if (traits(value_class).family != Family::none) {
      typed.push_back(cell);
    } else if (i < columns.size() && 2 * columns[i].typed_values() > columns[i].values() && !is_missing_word(cell)) {
      return true;
    }
  }
  return typed.empty() || are_years(typed);
}

}  // namespace stele
