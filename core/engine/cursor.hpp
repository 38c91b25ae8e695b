// QueryCursor: one statement of DuckDB's, run in slices on a connection of its own, so that a paused one blocks no
// other. It holds one chunk at a time and never outlives its engine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/main/stream_query_result.hpp"
#include "engine/chunk_cursor.hpp"
#include "engine/engine.hpp"
#include "engine/segment_file_system.hpp"
#include "engine/step_watch.hpp"

namespace stele {

// What a cursor needs of its engine, which outlives it.
struct CursorSetting {
  duckdb::DuckDB& db;
  SegmentFileSystem& files;
  Host& host;
  const Limits& limits;
};

class QueryCursor final : public ChunkCursor {
 public:
  // Binds and plans, so that a wrong statement fails here. Throws Error as step() does.
  QueryCursor(CursorSetting setting, duckdb::unique_ptr<duckdb::SQLStatement> statement,
              std::vector<SnapshotPtr> snapshots, std::vector<PickedRows> picked = {});
  ~QueryCursor() override;

  const std::vector<ResultColumn>& columns() const override { return columns_; }
  const duckdb::vector<duckdb::LogicalType>& types() const { return types_; }
  State step() override;
  double progress() const override;
  std::size_t row_count() const override { return chunk_ ? chunk_->size() : 0; }

  // The current chunk, flat, for the segment writer. Only after a step that answered `chunk`.
  duckdb::DataChunk& chunk() const override;

 private:
  void plan(duckdb::unique_ptr<duckdb::SQLStatement> statement);
  State run_tasks();
  State next_result();
  // Throws if the statement's time is over. A single step may take as long again, since DuckDB's clock is not the
  // host's.
  StepWatch watch() const;
  // Says what went wrong in the step that `watch` saw.
  [[noreturn]] void fail(const duckdb::ErrorData& error, const StepWatch& watch) const;

  CursorSetting setting_;
  std::int64_t started_ms_;
  std::unique_ptr<duckdb::Connection> connection_;
  duckdb::unique_ptr<duckdb::PendingQueryResult> pending_;
  duckdb::unique_ptr<duckdb::QueryResult> result_;
  duckdb::unique_ptr<duckdb::DataChunk> chunk_;
  std::vector<ResultColumn> columns_;
  duckdb::vector<duckdb::LogicalType> types_;
  bool done_ = false;
};

}  // namespace stele
