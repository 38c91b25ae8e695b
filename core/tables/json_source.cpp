// source_of_json and source_of_cells: JSON and NDJSON files, and the sheets that homes made into lines of cells.
#include <string>
#include <utility>

#include "tables/cell_rules.hpp"
#include "tables/column_names.hpp"
#include "tables/encoding.hpp"
#include "tables/importer.hpp"
#include "tables/json_reader.hpp"
#include "tables/read_options.hpp"
#include "tables/record_source.hpp"
#include "tables/staged_bytes.hpp"

namespace stele {
namespace {

void warn_of_encoding(const Encoding& encoding, std::vector<Warning>& warnings) {
  const auto assumption = encoding.assumption();
  if (!assumption.empty()) warnings.push_back({"encoding_assumed", assumption, "", {}, {}, {}});
}

// A sheet's right edge may have neither names nor values.
void cut_empty_edge(std::vector<std::string>& written, const Observed& observed) {
  while (!written.empty() && written.back().empty() &&
         (written.size() > observed.columns.size() || observed.columns[written.size() - 1].values() == 0)) {
    written.pop_back();
  }
}

void warn_of_blank_rows(std::uint64_t count, std::vector<Warning>& warnings) {
  if (count == 0) return;
  warnings.push_back(
      {"blank_rows", std::to_string(count) + " rows without any value were left out.", "", {}, {}, count});
}

Task<std::unique_ptr<RowSource>> source_of_layout(std::unique_ptr<ByteSource> text, std::uint64_t size,
                                                  JsonLayout layout, bool check_utf8, ReadOptions options, Json facts,
                                                  std::size_t columns_max) {
  const bool sheet = layout.kind == JsonLayout::Kind::cell_lines;
  auto warnings = std::move(layout.warnings);
  auto reader = std::make_unique<JsonReader>(std::move(text), std::move(layout), columns_max, check_utf8);
  const JsonReader& json = *reader;
  auto ruled = with_cell_rules(std::move(reader), options);
  auto observed = co_await observe_all(*ruled.records, size);
  auto written = json.names();
  if (written.size() < observed.columns.size()) written.resize(observed.columns.size());
  if (sheet) cut_empty_edge(written, observed);
  if (written.empty()) {
    check_malformed(observed.malformed, observed.rows, {});
    if (sheet) throw Error("empty_file", "The sheet is empty.", "Name another sheet, or check the file.");
    throw Error("no_rows", "The file has no rows, and no columns are known.", "A table begins with at least one row.");
  }
  warn_of_blank_rows(json.blank_rows(), warnings);
  const auto names = column_names(written, warnings);
  const auto columns = placed(names, ruled, warnings);
  tell_of_malformed(observed, facts, warnings);
  co_return std::make_unique<RecordSource>(std::move(ruled.records), std::move(observed), columns, TypingRules{},
                                           std::move(warnings), std::move(facts), size);
}

}  // namespace

Task<std::unique_ptr<RowSource>> source_of_json(StagedFile file, Format format, ReadOptions options, Blobs& blobs,
                                                const Limits& limits) {
  auto staged = co_await open_staged(file, blobs, limits);
  const auto encoding = co_await find_encoding(*staged.bytes, staged.size, options.encoding);
  auto text = as_utf8(std::move(staged.bytes), encoding);
  JsonLayout layout;
  layout.kind = JsonLayout::Kind::lines;
  if (format == Format::json) layout = co_await find_json_layout(*text, staged.size, options.records_path);
  warn_of_encoding(encoding, layout.warnings);
  Json facts;
  facts["format"] = format == Format::json ? "json" : "ndjson";
  facts["encoding"] = encoding.name();
  if (!layout.rows_path.empty()) facts["records_path"] = layout.rows_path;
  auto reading = source_of_layout(std::move(text), staged.size, std::move(layout), encoding.mixed, std::move(options),
                                  std::move(facts), limits.columns_max);
  auto source = co_await std::move(reading);
  co_return source;
}

Task<std::unique_ptr<RowSource>> source_of_cells(StagedFile file, ReadOptions options, Blobs& blobs,
                                                 const Limits& limits) {
  auto staged = co_await open_staged(file, blobs, limits);
  if (staged.size == 0) throw Error("empty_file", "The sheet is empty.", "Name another sheet, or check the file.");
  JsonLayout layout;
  layout.kind = JsonLayout::Kind::cell_lines;
  Json facts;
  facts["format"] = "xlsx";
  auto reading = source_of_layout(std::move(staged.bytes), staged.size, std::move(layout), false, std::move(options),
                                  std::move(facts), limits.columns_max);
  auto source = co_await std::move(reading);
  co_return source;
}

}  // namespace stele
