// The scan of a snapshot: DuckDB's Parquet scan over the live segments, with columns found by id, casts of ours and
// deleted rows left out. It shows SQL neither files nor positions, and reads nothing before a statement runs.
#pragma once

#include <memory>
#include <vector>

#include "duckdb.hpp"
#include "engine/segment_file_system.hpp"
#include "engine/segment_metadata.hpp"
#include "engine/snapshot.hpp"

namespace stele {

// Makes the table functions known: scan_function_name for guarded statements and scan() for the core's own.
// `files` and `metadata` live as long as the instance.
void register_snapshot_scan(duckdb::DatabaseInstance& instance, SegmentFileSystem& files, SegmentMetadata& metadata);

// What the statement of this connection may read: stele_scan(i) is snapshots[i]. Nothing of it is global.
void set_snapshots(duckdb::ClientContext& context, std::vector<SnapshotPtr> snapshots);

}  // namespace stele
