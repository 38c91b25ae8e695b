// Snapshot: what one version of a table looks like to the engine: its columns and the segments that are live in it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "store/blobs.hpp"

namespace stele {

// A column as its readers see it. `id` is stable for the table's life: a rename or a retype keeps it, a dropped
// column's id is never used again. `type` is DuckDB's own spelling of the logical type, such as BIGINT, DECIMAL(10,2)
// or VARCHAR[].
struct Column {
  int id = 0;
  std::string name;
  std::string type;
  friend bool operator==(const Column&, const Column&) = default;
};

// A column as a segment holds it. `name` is the name inside the Parquet file: "c<id>" where we wrote the file, whatever
// the author chose where an incoming file was adopted. `type` is the stored type; stored_type.hpp says which is used
// for what.
struct StoredColumn {
  int id = 0;
  std::string name;
  std::string type;
  friend bool operator==(const StoredColumn&, const StoredColumn&) = default;
};

// Immutable Parquet bytes in the store.
struct Segment {
  BlobInfo blob;
  std::uint64_t rows = 0;  // rows in the file, deleted ones included
  std::vector<StoredColumn> columns;
};

// A segment as one version sees it.
struct LiveSegment {
  std::shared_ptr<const Segment> segment;
  std::vector<std::uint32_t> deleted;  // positions in the file, ascending, each once
};

struct Snapshot {
  std::vector<Column> columns;
  std::vector<LiveSegment> segments;  // in the order in which rows are read
  std::uint64_t rows() const {
    std::uint64_t live = 0;
    for (const auto& segment : segments) live += segment.segment->rows - segment.deleted.size();
    return live;
  }
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

}  // namespace stele
