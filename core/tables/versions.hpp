// Versions: what a table held at each number, on live intervals of segments and deletions. Reads only; writer.hpp makes
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "store/blobs.hpp"
#include "store/sql_store.hpp"
#include "tables/types.hpp"

namespace stele {

class Versions {
 public:
  Versions(SqlStore& store, Blobs& blobs) : store_(store), blobs_(blobs) {}

  // Throws Error unknown_version naming the range there is.
  VersionRecord get(const TableRecord& table, std::int64_t version);
  // Newest first.
  std::vector<VersionRecord> history(const TableRecord& table, std::size_t limit);
  std::vector<Column> columns(const TableRecord& table, std::int64_t version);
  SnapshotPtr snapshot(const TableRecord& table, std::int64_t version);
  // Column ids by which the last upsert matched rows; none if there was none.
  std::vector<int> latest_key(const TableRecord& table);

 private:
  SqlStore& store_;
  Blobs& blobs_;
};

}  // namespace stele
