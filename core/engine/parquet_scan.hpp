// ParquetScan: the rows of one Parquet blob straight from DuckDB's reader, for work that needs no SQL: fetching by
// position, rewriting a segment, reading an incoming file. It gives values as stored and never casts.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "duckdb/common/types/data_chunk.hpp"
#include "engine/engine_impl.hpp"
#include "parquet_reader.hpp"

namespace stele {

class ParquetScan {
 public:
  // Reads the footer alone, unless it is known. Throws what DuckDB throws if the bytes are not Parquet.
  ParquetScan(EngineImpl& engine, const BlobInfo& blob);

  duckdb::ParquetReader& reader() { return *reader_; }
  std::uint64_t rows() const { return reader_->NumRows(); }

  // Chooses what next() reads: columns by their index in the file, row groups by theirs, and rows if a filter is given.
  void begin(const std::vector<std::size_t>& columns, duckdb::vector<duckdb::idx_t> row_groups,
             duckdb::unique_ptr<duckdb::DeleteFilter> rows = nullptr);
  // All columns of all rows.
  void begin();

  // The next rows, at most 2,048; false at the end. The chunk lives until the next call.
  bool next();
  duckdb::DataChunk& chunk() { return chunk_; }
  // Rows read so far, those that the filter left out included.
  std::uint64_t rows_read() const { return reader_->rows_read; }

 private:
  duckdb::ClientContext& context_;
  duckdb::shared_ptr<duckdb::ParquetReader> reader_;
  duckdb::ParquetReaderScanState state_;
  duckdb::DataChunk chunk_;
};

}  // namespace stele
