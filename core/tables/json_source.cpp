// source_of_json and source_of_cells: JSON and NDJSON files, and the sheets that homes made into lines of cells.
#include <string>
#include <utility>

#include "tables/column_names.hpp"
#include "tables/encoding.hpp"
#include "tables/importer.hpp"
#include "tables/json_reader.hpp"
#include "tables/record_source.hpp"
#include "tables/staged_bytes.hpp"

namespace stele {
namespace {

void warn_of_encoding(const Encoding& encoding, std::vector<Warning>& warnings) {
  if (!encoding.foreign_line) return;
  warnings.push_back(
      {"encoding_assumed",
       "Line " + std::to_string(encoding.foreign_line) + " is not UTF-8; the file was read as Windows-1252.",
       "",
       {},
       {},
       {}});
}

Task<std::unique_ptr<RowSource>> source_of_layout(std::unique_ptr<ByteSource> text, std::uint64_t size,
                                                  JsonLayout layout, std::vector<Warning> warnings, Json facts,
                                                  std::size_t columns_max) {
  const bool sheet = layout.kind == JsonLayout::Kind::cell_lines;
  auto reader = std::make_unique<JsonReader>(std::move(text), std::move(layout), columns_max);
  auto observed = co_await observe_all(*reader, size);
  reader->check_lines();
  auto written = reader->names();
  if (written.size() < observed.columns.size()) written.resize(observed.columns.size());
  // A sheet's right edge may have neither names nor values.
  while (sheet && !written.empty() && written.back().empty() &&
         (written.size() > observed.columns.size() || observed.columns[written.size() - 1].values() == 0)) {
    written.pop_back();
  }
  if (reader->blank_rows()) {
    warnings.push_back({"blank_rows",
                        std::to_string(reader->blank_rows()) + " rows without any value were left out.",
                        "",
                        {},
                        {},
                        reader->blank_rows()});
  }
  const auto names = column_names(written, warnings);
  std::vector<PlacedColumn> columns;
  for (std::size_t i = 0; i < names.size(); ++i) columns.push_back({names[i], i});
  co_return std::make_unique<RecordSource>(std::move(reader), std::move(observed), std::move(columns), TypingRules{},
                                           std::move(warnings), std::move(facts), size);
}

}  // namespace

Task<std::unique_ptr<RowSource>> source_of_json(StagedFile file, Format format, Blobs& blobs, const Limits& limits) {
  auto staged = co_await open_staged(file, blobs, limits);
  const auto encoding = co_await find_encoding(*staged.bytes, staged.size);
  auto text = as_utf8(std::move(staged.bytes), encoding);
  JsonLayout layout;
  layout.kind = JsonLayout::Kind::lines;
  if (format == Format::json) layout = co_await find_json_layout(*text, staged.size);
  auto warnings = std::move(layout.warnings);
  warn_of_encoding(encoding, warnings);
  Json facts;
  facts["format"] = format == Format::json ? "json" : "ndjson";
  facts["encoding"] = encoding.name();
  auto source = co_await source_of_layout(std::move(text), staged.size, std::move(layout), std::move(warnings),
                                          std::move(facts), limits.columns_max);
  if (source->columns().empty()) {
    throw Error("no_rows", "The file has no rows, and no columns are known.", "A table begins with at least one row.");
  }
  co_return source;
}

Task<std::unique_ptr<RowSource>> source_of_cells(StagedFile file, Blobs& blobs, const Limits& limits) {
  auto staged = co_await open_staged(file, blobs, limits);
  JsonLayout layout;
  layout.kind = JsonLayout::Kind::cell_lines;
  Json facts;
  facts["format"] = "xlsx";
  auto source = co_await source_of_layout(std::move(staged.bytes), staged.size, std::move(layout), {}, std::move(facts),
                                          limits.columns_max);
  if (source->columns().empty())
    throw Error("empty_file", "The sheet is empty.", "Name another sheet, or check the file.");
  co_return source;
}

}  // namespace stele
