// Origins: which rows the rows of a merged segment were before the merge, so that a merge is no change to whoever
// compares versions. Reckoned from what the catalogue knows; no row is read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/sql_store.hpp"
#include "tables/row_runs.hpp"

namespace stele {

class Origins {
 public:
  Origins(SqlStore& store, std::string table_id);

  // The run as runs of the segments that first held its rows; `run` itself where its segment was not merged.
  void trace(const RowRun& run, std::vector<RowRun>& into);

 private:
  // The rows that a merged segment holds, in its order, as runs of what was merged.
  const std::vector<RowRun>& sources_of(std::int64_t number);

  SqlStore& store_;
  std::string table_id_;
  std::map<std::int64_t, std::int64_t> merged_at_;  // the version that a merged segment came with, by its number
  std::map<std::int64_t, std::vector<RowRun>> sources_;
};

}  // namespace stele
