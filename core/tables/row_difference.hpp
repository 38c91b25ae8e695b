// Row difference: which rows one version has and another has not, by where each was first written. What is live in both
// is not read, and neither is what is not; whoever needs values reads the rows named here.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/engine.hpp"
#include "store/sql_store.hpp"
#include "tables/types.hpp"
#include "tables/versions.hpp"

namespace stele {

// Rows of one version that the other has not.
struct OwnRows {
  SnapshotPtr rows;              // the segments that hold them, columns named "c<id>"
  std::vector<Column> columns;   // of the version, by the names it has
  std::size_t whole = 0;         // of so many segments, the first, all live rows belong here
  std::vector<Position> picked;  // of the others these, ascending
  std::uint64_t count = 0;

  // The whole segments alone, with the same indexes.
  SnapshotPtr whole_rows() const;
  // Rows [offset, offset + limit), the whole segments' first.
  std::vector<Position> positions(std::uint64_t offset, std::uint64_t limit) const;
};

struct RowDifference {
  OwnRows before;  // of `from`
  OwnRows after;   // of `to`
};

// Throws Error unknown_version.
RowDifference row_difference(SqlStore& store, Versions& versions, const TableRecord& table, std::int64_t from,
                             std::int64_t to);

}  // namespace stele
