// Read rows: a page of a version's rows, filtered and sorted, for grids over millions of rows. It sorts positions
// rather than rows and reads the page alone, so that memory follows the sort's columns, which the engine spills.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"
#include "tables/row_filter.hpp"

namespace stele {

struct RowOrder {
  Column column;
  bool descending = false;  // NULL comes last either way
};

struct RowsRequest {
  std::vector<Column> columns;  // to answer
  std::vector<RowFilter> filters;
  std::string search;           // empty: none
  std::vector<RowOrder> order;  // ties, and rows without an order, in the table's
  std::uint64_t offset = 0;
  std::uint64_t limit = 0;
};

// {"columns", "rows", "total_rows" (that pass filters and search), "truncated" (by page_bytes_max)}. Throws Error
// invalid_filter.
Task<Json> read_rows(Engine& engine, SnapshotPtr snapshot, RowsRequest request);

}  // namespace stele
