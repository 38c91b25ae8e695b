// Importer: from staged bytes, or from the rows of a call, to a RowSource. It writes nothing: the writer does.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/json.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"
#include "store/blobs.hpp"
#include "tables/row_source.hpp"

namespace stele {

struct ReadOptions;

enum class Format { csv, tsv, json, ndjson, parquet, xlsx };

// What was staged and what is known of it. `url_or_name` and `content_type` are hints; the bytes decide where they can
// (Parquet, gzip and ZIP magic, a first byte of { or [, an HTML page instead of data, which is refused).
struct StagedFile {
  BlobInfo blob;
  std::string url_or_name;
  std::string content_type;
};

// Throws Error empty_file, not_data (HTML or an error body), unknown_format; names what was seen.
Format detect_format(const StagedFile& file, Blobs& blobs);

// rows: an array of objects, as write_table takes them. Throws Error invalid_rows naming row and column.
std::unique_ptr<RowSource> source_of_rows(const Json& rows);

// Malformed rows are passed over and counted: whether they may be is the caller's to check (malformed_rows.hpp).

// CSV and TSV: pass 1 over all bytes finds dialect, header, types and losses. Ends slices as it goes. With an engine
// the rows are written on the way, which RowSource::take_written hands over where the types were guessed right.
Task<std::unique_ptr<RowSource>> source_of_text(StagedFile file, Format format, ReadOptions options, Blobs& blobs,
                                                const Limits& limits, Engine* engine = nullptr);

// JSON (an array of objects, or an object that holds one) and NDJSON. Keeps digits, duplicate and odd keys as written
// or refuses with the line.
Task<std::unique_ptr<RowSource>> source_of_json(StagedFile file, Format format, ReadOptions options, Blobs& blobs,
                                                const Limits& limits);

// What a home made of an XLSX sheet: NDJSON, one array of cells a line, the first line the header. A cell is null, a
// string, a number, a boolean, or {"date"|"time"|"timestamp": ISO text}.
Task<std::unique_ptr<RowSource>> source_of_cells(StagedFile file, ReadOptions options, Blobs& blobs,
                                                 const Limits& limits);

}  // namespace stele
