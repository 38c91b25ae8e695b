// FetchCursor: the rows of a snapshot at named positions, read from the row groups that hold them and no others. It
// answers deleted rows too, since a position names a row of a file, not of a version.
#pragma once

#include <memory>
#include <vector>

#include "engine/chunk_cursor.hpp"
#include "engine/parquet_scan.hpp"

namespace stele {

class FetchCursor final : public ChunkCursor {
 public:
  // Positions ascend by segment and row. Without `column_ids`, all columns of the snapshot; else those, in that order.
  FetchCursor(EngineImpl& engine, SnapshotPtr snapshot, std::vector<Position> positions,
              std::span<const int> column_ids);

  const std::vector<ResultColumn>& columns() const override { return result_columns_; }
  State step() override;
  double progress() const override;
  std::size_t row_count() const override { return rows_.size(); }
  duckdb::DataChunk& chunk() const override { return rows_; }

 private:
  // Where an output column comes from in the segment that is being read.
  struct Source {
    std::size_t output;
    std::size_t scanned;
    duckdb::BoundCastInfo cast;
  };

  bool next_segment();
  bool next_input();
  void take_input();

  EngineImpl& engine_;
  SnapshotPtr snapshot_;
  std::vector<Position> positions_;
  std::size_t taken_ = 0;  // positions whose segment has been opened
  std::vector<Column> columns_;
  std::vector<ResultColumn> result_columns_;
  std::unique_ptr<ParquetScan> scan_;
  std::vector<Source> sources_;
  duckdb::DataChunk input_;  // of the logical types, not yet in rows_
  bool has_input_ = false;
  mutable duckdb::DataChunk rows_;
};

}  // namespace stele
