// Table state: all that a writer must know of a table before it makes the next version. Read afresh for each attempt.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/sql_store.hpp"
#include "tables/live_set.hpp"
#include "tables/types.hpp"

namespace stele {

struct TableState {
  TableRecord table;  // version 0: there is none yet
  int next_column = 1;
  std::int64_t next_segment = 1;
  std::uint64_t written_bytes = 0;  // segments and deletions as first written
  std::uint64_t merged_bytes = 0;   // written again by merges
  std::uint64_t rows = 0;
  std::vector<Column> columns;
  LiveSet live;

  bool is_new() const { return table.version == 0; }
};

// At its latest version.
TableState read_table_state(SqlStore& store, const TableRecord& table);

// Whether the table still is as it was read: at the same version, and in the trash or out of it as before.
bool is_unchanged(SqlStore& store, const TableState& state);

}  // namespace stele
