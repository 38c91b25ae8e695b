// SegmentFile: one Parquet file on its way into a blob, row group by row group, in bounded memory. It knows stored
// types only; what they stand for, and whether a file becomes a segment, is decided by who writes it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "column_writer.hpp"
#include "duckdb/main/client_context.hpp"
#include "engine/limits.hpp"
#include "engine/pending_rows.hpp"
#include "parquet_writer.hpp"
#include "store/blobs.hpp"

namespace stele {

class SegmentFile {
 public:
  // A row group ends at limits.row_group_bytes of uncompressed values or at this many rows, DuckDB's own unit of
  // scanning.
  static constexpr std::uint64_t row_group_rows = 122'880;

  SegmentFile(duckdb::ClientContext& context, Blobs& blobs, const Limits& limits,
              duckdb::vector<duckdb::LogicalType> types, duckdb::vector<std::string> names);
  ~SegmentFile();

  // A chunk of the file's types.
  void append(duckdb::DataChunk& chunk);
  std::uint64_t rows() const { return rows_; }
  // The whole file, unpublished. Without it the blob is gone with this object.
  BlobInfo finish();

 private:
  class WriteOnly;

  void flush();
  duckdb::unique_ptr<duckdb::ColumnWriterState> prepare(duckdb::ColumnWriter& writer, std::size_t column,
                                                        duckdb_parquet::RowGroup& group);

  duckdb::ClientContext& context_;
  const std::uint64_t row_group_bytes_;
  std::unique_ptr<BlobWriter> blob_;
  std::unique_ptr<WriteOnly> files_;
  duckdb::unique_ptr<duckdb::ParquetWriter> writer_;
  // The same as the writer's own, which are its secret: they make the pages that it writes.
  duckdb::vector<duckdb_parquet::SchemaElement> schema_;
  std::vector<duckdb::ParquetColumnSchema> column_schemas_;
  std::vector<duckdb::unique_ptr<duckdb::ColumnWriter>> column_writers_;
  PendingRows pending_;
  std::uint64_t rows_ = 0;
};

}  // namespace stele
