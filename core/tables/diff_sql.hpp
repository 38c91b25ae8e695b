// Diff SQL: the statement that matches the rows of two versions by key and tells which differ. Text only; no name of a
// user's gets into it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "tables/row_difference.hpp"

namespace stele {

// A column by which two rows are compared, at a type that holds what either version has.
struct ComparedColumn {
  int id = 0;
  std::string type;
  bool before = false;  // `from` has it; else it is NULL there
  bool is_key = false;
};

// Over scan(0) and picked(0), the own rows of `from`, and scan(1) and picked(1), those of `to`. The first row counts:
// (added, removed, changed, 0). Each further one is a change of the page: (segment and row in `from`, then in `to`, -1
// where there is none). Rows with the same key are matched in their order; without a key column, by all columns.
std::string diff_sql(const std::vector<ComparedColumn>& columns, std::uint64_t offset, std::uint64_t limit);

}  // namespace stele
