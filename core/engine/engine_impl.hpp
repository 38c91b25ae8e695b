// EngineImpl: the one DuckDB instance behind Engine, opened when something first needs it, and what its parts share:
// connection, file system, store, limits. It keeps no state of a table; whatever a statement needs lives in its cursor.
#pragma once

#include <memory>

#include "duckdb.hpp"
#include "engine/cursor.hpp"
#include "engine/engine.hpp"
#include "engine/segment_file_system.hpp"
#include "engine/segment_metadata.hpp"

namespace stele {

class EngineImpl final : public Engine {
 public:
  EngineImpl(Blobs& blobs, Host& host, const Limits& limits);
  ~EngineImpl() override;

  std::unique_ptr<GuardedSelect> guard(std::string_view sql) override;
  std::unique_ptr<Cursor> start(std::unique_ptr<GuardedSelect> select, std::vector<SnapshotPtr> snapshots) override;
  std::unique_ptr<Cursor> start_own(std::string_view sql, std::vector<SnapshotPtr> snapshots,
                                    std::vector<PickedRows> picked) override;

  // In segment_fetch.cpp, segment_writer.cpp, parquet_inspection.cpp and stored_type.cpp.
  std::unique_ptr<Cursor> fetch(SnapshotPtr snapshot, std::vector<Position> positions,
                                std::span<const int> column_ids) override;
  std::unique_ptr<SegmentWriter> write(std::vector<Column> columns) override;
  ParquetFile inspect_parquet(const BlobInfo& blob) override;
  std::unique_ptr<Cursor> read_parquet(const BlobInfo& blob) override;
  std::string kept_type(std::string_view type) const override;
  bool widens(std::string_view from, std::string_view to) const override;

  void prepare() override { opened(); }

  duckdb::DatabaseInstance& instance() { return *opened().db->instance; }
  // For casts, types and writers; never for a statement that runs in slices, which has a connection of its own.
  duckdb::Connection& connection() { return *opened().connection; }
  duckdb::ClientContext& context() { return *connection().context; }
  SegmentFileSystem& files() { return *opened().files; }
  SegmentMetadata& metadata() { return metadata_; }
  Blobs& blobs() { return blobs_; }
  Host& host() { return host_; }
  const Limits& limits() const { return limits_; }
  // For a QueryCursor.
  CursorSetting setting();

 private:
  struct Opened {
    std::unique_ptr<duckdb::DuckDB> db;
    SegmentFileSystem* files = nullptr;  // owned by the instance
    std::unique_ptr<duckdb::Connection> connection;
  };

  // Opens DuckDB if nothing has needed it yet.
  Opened& opened();

  std::vector<std::string> values_of(duckdb::unique_ptr<duckdb::SelectStatement> statement,
                                     const std::vector<SnapshotPtr>& snapshots);

  Blobs& blobs_;
  Host& host_;
  Limits limits_;
  SegmentMetadata metadata_;
  std::unique_ptr<Opened> opened_;
};

}  // namespace stele
