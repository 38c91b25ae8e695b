// source_of_text: CSV and TSV files.
#include <string>
#include <utility>

#include "tables/cell_rules.hpp"
#include "tables/column_names.hpp"
#include "tables/csv_dialect.hpp"
#include "tables/csv_reader.hpp"
#include "tables/encoding.hpp"
#include "tables/importer.hpp"
#include "tables/read_options.hpp"
#include "tables/record_source.hpp"
#include "tables/staged_bytes.hpp"

namespace stele {
namespace {

constexpr std::size_t head_bytes = std::size_t{256} << 10;
// The lines a caller wants skipped have to lie within so much of the file.
constexpr std::size_t skipped_bytes_max = std::size_t{4} << 20;

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

void warn_of_encoding(const Encoding& encoding, std::vector<Warning>& warnings) {
  const auto assumption = encoding.assumption();
  if (!assumption.empty()) warnings.push_back({"encoding_assumed", assumption, "", {}, {}, {}});
}

void warn_of_stray_quotes(const CsvReader::Lines& stray, std::vector<Warning>& warnings) {
  if (stray.count == 0) return;
  warnings.push_back({"stray_quotes",
                      count_of(stray.count, " row has", " rows have") + " text behind a closing quote (" +
                          listed(stray.first, stray.count) +
                          "); these cells are kept exactly as written, quotes included.",
                      "",
                      {},
                      {},
                      stray.count});
}

void warn_of_no_header(std::vector<Warning>& warnings) {
  warnings.push_back({"no_header",
                      "The first line holds values like the others, so it is a row, and the columns are numbered; "
                      "if it names them, set header to true.",
                      "",
                      {},
                      {},
                      {}});
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
void observe_first_record(CsvReader& csv, RecordReader& records, Observed& observed) {
  for (auto& column : observed.columns) column.shift_rows();
  csv.treat_header_as_data();
  records.rewind();
  if (!records.next()) return;
  ++observed.rows;
  observed.observe(records.cells(), 1);
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

FoundDialect dialect_of(std::string_view head, const Encoding& encoding, Format format, const ReadOptions& options) {
  auto found = find_dialect(head, {format == Format::tsv, options.delimiter, options.skip_rows});
  found.dialect.check_utf8 = encoding.mixed;
  for (const auto& line : found.skipped) {
    if (is_utf8(line)) continue;
    throw Error("invalid_encoding", "A line above the table is not UTF-8, though other parts of the file are.",
                "Save the whole file in one encoding, UTF-8 at best; or set encoding to the one it has.");
  }
  return found;
}

Json facts_of(const CsvDialect& dialect, const Encoding& encoding, bool header) {
  Json facts;
  facts["format"] = dialect.delimiter == '\t' ? "tsv" : "csv";
  facts["encoding"] = encoding.name();
  if (dialect.delimiter) facts["delimiter"] = std::string(1, dialect.delimiter);
  facts["header"] = header;
  if (dialect.skipped_lines) facts["lines_skipped"] = dialect.skipped_lines;
  return facts;
}

// The types that the first records show, one for each column; nothing if they do not tell.
std::vector<std::string> guessed_types(std::string_view head, const CsvDialect& dialect, const ReadOptions& options,
                                       const Limits& limits) {
  constexpr std::uint64_t records_max = 1'000;
  auto reader =
      std::make_unique<CsvReader>(std::make_unique<MemoryBytes>(std::string(head)), dialect, limits.columns_max);
  const CsvReader& csv = *reader;
  const auto ruled = with_cell_rules(std::move(reader), options);
  Observed observed;
  try {
    ruled.records->rewind();
    // The head may cut its last record.
    const auto work_max = head.size() < head_bytes ? head.size() : head.size() / 2;
    while (observed.rows < records_max && ruled.records->work_done() < work_max && ruled.records->next())
      observed.observe(ruled.records->cells(), ++observed.rows);
  } catch (const Error&) {
    return {};  // what is wrong with the file is found when all of it is read
  }
  if (!options.header.value_or(is_header(csv.header(), observed.columns))) return {};
  const auto names = written_names(csv.header(), observed);
  observed.columns.resize(names.size());
  std::vector<std::string> types;
  for (const auto& column : observed.columns) {
    auto found = column.finding("", TypingRules{true});
    const bool open = column.count(ValueClass::either_slash) + column.count(ValueClass::either_dot) > 0;
    if (open || found.date_order != DateOrder::iso) return {};
    types.push_back(std::move(found.type));
  }
  return types;
}

// What one pass over the text made of it.
struct Looked {
  FoundDialect found;
  RuledReader ruled;
  CsvReader* csv = nullptr;  // beneath the rules
  Observed observed;
  std::unique_ptr<EagerRows> eager;
};

struct Looking {
  Format format;
  const ReadOptions& options;
  Blobs& blobs;
  const Limits& limits;
  Engine* engine;
  std::uint64_t size;
};

Task<Looked> look_at(std::unique_ptr<ByteSource> text, Encoding encoding, Looking looking) {
  const auto& options = looking.options;
  const auto head = head_of(*text, options.skip_rows ? skipped_bytes_max : head_bytes);
  check_not_empty(head);
  Looked looked;
  looked.found = dialect_of(head, encoding, looking.format, options);
  auto reader = std::make_unique<CsvReader>(std::move(text), looked.found.dialect, looking.limits.columns_max);
  looked.csv = reader.get();
  looked.ruled = with_cell_rules(std::move(reader), options);
  if (looking.engine) {
    auto types = guessed_types(head, looked.found.dialect, options, looking.limits);
    if (!types.empty()) looked.eager = std::make_unique<EagerRows>(*looking.engine, looking.blobs, std::move(types));
  }
  auto observing = observe_all(*looked.ruled.records, looking.size, looked.eager.get());
  looked.observed = co_await std::move(observing);
  co_return std::move(looked);
}

// In one pass where the file turns out to be UTF-8, which is only sure at its end. Else nothing, not even an error: its
// text may have been taken for what it is not.
Task<std::optional<Looked>> look_at_utf8(std::shared_ptr<ByteSource> bytes, Encoding encoding, Looking looking) {
  const auto watch = std::make_shared<Utf8Watch>(std::move(bytes));
  std::optional<Looked> looked;
  try {
    auto task = look_at(as_utf8(std::make_unique<SharedBytes>(watch), encoding), encoding, looking);
    looked = co_await std::move(task);
  } catch (const Error& error) {
    if (watch->all_utf8() || error.kind() == "cancelled") throw;
  }
  co_return std::move(looked);
}

}  // namespace

Task<std::unique_ptr<RowSource>> source_of_text(StagedFile file, Format format, ReadOptions options, Blobs& blobs,
                                                const Limits& limits, Engine* engine) {
  auto staged = co_await open_staged(file, blobs, limits);
  const std::shared_ptr<ByteSource> bytes = std::move(staged.bytes);
  const Looking looking{format, options, blobs, limits, engine, staged.size};
  const auto front = encoding_by_front(*bytes, options.encoding);
  auto encoding = front.encoding;
  std::optional<Looked> first_look;
  if (!front.settled) {
    auto task = look_at_utf8(bytes, encoding, looking);
    first_look = co_await std::move(task);
  }
  if (!first_look) {
    auto finding = find_encoding(*bytes, staged.size, options.encoding);
    encoding = co_await std::move(finding);
    auto task = look_at(as_utf8(std::make_unique<SharedBytes>(bytes), encoding), encoding, looking);
    first_look = co_await std::move(task);
  }
  auto& [found, ruled, reader, observed, eager] = *first_look;
  CsvReader& csv = *reader;
  const auto widths = csv.other_widths();
  const auto stray = csv.stray_quotes();
  const bool header = options.header.value_or(is_header(csv.header(), observed.columns));
  if (!header) {
    eager.reset();
    observe_first_record(csv, *ruled.records, observed);
  }
  const auto written = written_names(header ? csv.header() : std::vector<std::string>{}, observed);
  if (written.empty()) {
    throw Error("empty_file", "No table is left behind the lines above it.", "Set skip_rows to a smaller number.");
  }

  std::vector<Warning> warnings;
  warn_of_encoding(encoding, warnings);
  if (!options.skip_rows) warn_of_skipped(found, warnings);
  warn_of_ragged(widths, csv.header().size(), std::min(written.size(), csv.header().size()), warnings);
  warn_of_stray_quotes(stray, warnings);
  if (!header && !options.header) warn_of_no_header(warnings);
  const auto names = header ? column_names(written, warnings) : numbered_names(written.size());
  const auto columns = placed(names, ruled, warnings);
  auto facts = facts_of(found.dialect, encoding, header);
  tell_of_malformed(observed, facts, warnings);
  co_return std::make_unique<RecordSource>(std::move(ruled.records), std::move(observed), columns, TypingRules{true},
                                           std::move(warnings), std::move(facts), staged.size, std::move(eager));
}

}  // namespace stele
