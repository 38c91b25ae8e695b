// Parquet from outside: what a file holds, what reading it loses, whether it can serve as a segment as it is, and its
// rows. It never trusts a footer: damage found on the way is the caller's to hear of, not an internal failure.
#pragma once

#include <cstdint>

#include "engine/chunk_cursor.hpp"
#include "engine/parquet_scan.hpp"

namespace stele {

// Bounds of the row groups of an adopted file. Larger than those of our own segments: DuckDB reads page by page, so
// that they bound what a fetch of one row skips over and how finely statistics prune, not what a scan holds. Common
// writers' defaults lie within: 1 M rows (Arrow), 122,880 (DuckDB), 128 MiB over all columns (Spark), 64 MiB a column
// being ample.
constexpr std::int64_t adopted_group_rows_max = 1 << 20;
constexpr std::int64_t adopted_group_bytes_max = std::int64_t{128} << 20;

class ParquetCursor final : public ChunkCursor {
 public:
  ParquetCursor(EngineImpl& engine, const BlobInfo& blob);

  const std::vector<ResultColumn>& columns() const override { return columns_; }
  // Throws Error invalid_parquet if the rows are damaged.
  State step() override;
  double progress() const override;
  std::size_t row_count() const override { return rows_.size(); }
  duckdb::DataChunk& chunk() const override { return rows_; }

 private:
  EngineImpl& engine_;
  BlobInfo blob_;
  std::unique_ptr<ParquetScan> scan_;
  std::vector<ResultColumn> columns_;
  mutable duckdb::DataChunk rows_;
};

}  // namespace stele
