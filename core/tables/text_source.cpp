// source_of_text: CSV and TSV files.
#include <string>
#include <utility>

#include "tables/column_names.hpp"
#include "tables/csv_dialect.hpp"
#include "tables/csv_reader.hpp"
#include "tables/encoding.hpp"
#include "tables/importer.hpp"
#include "tables/record_source.hpp"
#include "tables/staged_bytes.hpp"

namespace stele {
namespace {

constexpr std::size_t head_bytes = std::size_t{256} << 10;

std::string listed(const std::vector<std::uint64_t>& lines, std::uint64_t count) {
  std::string text = count == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i ? ", " : "") + std::to_string(lines[i]);
  return count > lines.size() ? text + ", …" : text;
}

std::string count_of(std::uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + (count == 1 ? one : many);
}

void warn_of_skipped(const FoundDialect& found, std::vector<Warning>& warnings) {
  if (found.dialect.skipped_lines == 0) return;
  std::string quotes;
  for (std::size_t i = 0; i < found.skipped.size() && i < 3; ++i)
    quotes += (i ? ", " : "") + in_quotes(found.skipped[i]);
  warnings.push_back({"lines_skipped",
                      count_of(found.dialect.skipped_lines, " line", " lines") + " above the header " +
                          (found.dialect.skipped_lines == 1 ? "was" : "were") + " skipped" +
                          (quotes.empty() ? "." : ": " + quotes + "."),
                      "",
                      found.skipped.empty() ? std::optional<std::string>{} : found.skipped[0],
                      {},
                      found.dialect.skipped_lines});
}

// Rows that are shorter or longer than the header.
void warn_of_ragged(const std::map<std::size_t, CsvReader::Lines>& widths, std::size_t header_width,
                    std::size_t named_width, std::vector<Warning>& warnings) {
  CsvReader::Lines shorter, longer;
  for (const auto& [width, lines] : widths) {
    if (width >= named_width && width <= header_width) continue;
    auto& sum = width < header_width ? shorter : longer;
    sum.count += lines.count;
    sum.first.insert(sum.first.end(), lines.first.begin(), lines.first.end());
  }
  for (auto* sum : {&shorter, &longer}) {
    if (sum->count == 0) continue;
    std::sort(sum->first.begin(), sum->first.end());
    sum->first.resize(std::min<std::size_t>(sum->first.size(), 5));
    const auto rows = count_of(sum->count, " row has ", " rows have ");
    const auto where = " (" + listed(sum->first, sum->count) + ")";
    if (sum == &shorter) {
      warnings.push_back({"short_rows",
                          rows + "fewer cells than the header" + where + "; the missing cells are NULL.",
                          "",
                          {},
                          {},
                          sum->count});
    } else {
      warnings.push_back(
          {"long_rows",
           rows + "more cells than the header" + where + "; the cells beyond it are kept in columns of their own.",
           "",
           {},
           {},
           sum->count});
    }
  }
}

// The header's names, and the columns that only rows have; nothing for those at the right edge that have neither a name
// nor a value.
std::vector<std::string> written_names(const std::vector<std::string>& header, const Observed& observed) {
  auto names = header;
  names.resize(std::max(header.size(), observed.columns.size()));
  while (!names.empty() && names.back().empty() &&
         (names.size() > observed.columns.size() || observed.columns[names.size() - 1].values() == 0)) {
    names.pop_back();
  }
  return names;
}

// The first record, taken for a header until all others were seen, is a row after all.
void observe_first_record(CsvReader& reader, Observed& observed) {
  for (auto& column : observed.columns) column.shift_rows();
  ++observed.rows;
  reader.treat_header_as_data();
  reader.rewind();
  require(reader.next(), "the record that was read first is there again");
  observed.observe(reader.cells(), 1);
}

std::vector<std::string> numbered_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("column" + std::to_string(i + 1));
  return names;
}

void check_not_empty(std::string_view head) {
  if (head.find_first_not_of(" \t\r\n") != std::string_view::npos) return;
  throw Error("empty_file", "The file is empty.", "Check the address or the export: a table needs at least a header.");
}

}  // namespace

Task<std::unique_ptr<RowSource>> source_of_text(StagedFile file, Format format, Blobs& blobs, const Limits& limits) {
  auto staged = co_await open_staged(file, blobs, limits);
  const auto encoding = co_await find_encoding(*staged.bytes, staged.size);
  auto text = as_utf8(std::move(staged.bytes), encoding);
  const auto head = head_of(*text, head_bytes);
  check_not_empty(head);
  const auto found = find_dialect(head, format == Format::tsv);

  auto reader = std::make_unique<CsvReader>(std::move(text), found.dialect, limits.columns_max);
  auto observed = co_await observe_all(*reader, staged.size);
  std::vector<Warning> warnings;
  if (encoding.foreign_line) {
    warnings.push_back(
        {"encoding_assumed",
         "Line " + std::to_string(encoding.foreign_line) + " is not UTF-8; the file was read as Windows-1252.",
         "",
         {},
         {},
         {}});
  }
  warn_of_skipped(found, warnings);
  const auto widths = reader->other_widths();
  const auto stray = reader->stray_quotes();
  const bool header = is_header(reader->header(), observed.columns);
  if (!header) observe_first_record(*reader, observed);
  const auto written = written_names(header ? reader->header() : std::vector<std::string>{}, observed);
  warn_of_ragged(widths, reader->header().size(), std::min(written.size(), reader->header().size()), warnings);
  if (stray.count) {
    warnings.push_back({"stray_quotes",
                        count_of(stray.count, " row has", " rows have") + " text behind a closing quote (" +
                            listed(stray.first, stray.count) +
                            "); these cells are kept exactly as written, quotes included.",
                        "",
                        {},
                        {},
                        stray.count});
  }
  if (!header) {
    warnings.push_back({"no_header",
                        "The first line holds values like the others, so it is a row, and the columns are numbered.",
                        "",
                        {},
                        {},
                        {}});
  }
  const auto names = header ? column_names(written, warnings) : numbered_names(written.size());
  std::vector<PlacedColumn> columns;
  for (std::size_t i = 0; i < names.size(); ++i) columns.push_back({names[i], i});

  Json facts;
  facts["format"] = found.dialect.delimiter == '\t' ? "tsv" : "csv";
  facts["encoding"] = encoding.name();
  if (found.dialect.delimiter) facts["delimiter"] = std::string(1, found.dialect.delimiter);
  facts["header"] = header;
  if (found.dialect.skipped_lines) facts["lines_skipped"] = found.dialect.skipped_lines;
  co_return std::make_unique<RecordSource>(std::move(reader), std::move(observed), std::move(columns),
                                           TypingRules{true}, std::move(warnings), std::move(facts), staged.size);
}

}  // namespace stele
