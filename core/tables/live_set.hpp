// Live set: the segments and deletion documents that are live at one version, as the store tells them. It is what a
// version is; versions.hpp reads it and writer.hpp makes the next one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/snapshot.hpp"
#include "store/sql_store.hpp"
#include "tables/deletion_vector.hpp"

namespace stele {

struct LiveSpan {
  BlobInfo blob;
  std::int64_t number = 0;
  std::int64_t place = 0;
  std::uint64_t rows = 0;
  std::int64_t columns_id = 0;
  std::int64_t begin_version = 0;
};

struct LiveDeletion {
  std::int64_t first = 0;  // deletions.first
  std::string sha256;
  std::uint64_t size = 0;  // bytes of all its parts
};

struct LiveSet {
  std::vector<LiveSpan> segments;       // in reading order
  std::vector<LiveDeletion> deletions;  // oldest first

  std::uint64_t bytes() const;
};

LiveSet read_live_set(SqlStore& store, const std::string& table_id, std::int64_t version);

// The deleted positions of every live segment, those without any too.
DeletionVectors read_deletions(SqlStore& store, const LiveSet& live);

std::string read_column_list(SqlStore& store, std::int64_t columns_id);

// Reads the segments' column lists, each once, and the deletions.
SnapshotPtr make_snapshot(SqlStore& store, const LiveSet& live, std::vector<Column> columns);

// What a version holds as 64 hex digits: over its columns and the digests of its segments and deletions, and so
// independent of how many rows they have.
std::string live_digest(const std::vector<Column>& columns, const LiveSet& live);

}  // namespace stele
