// Diff: what changed between two versions of a table: columns, and rows added, removed or changed. It reads rows that
// only one of the versions has, and of those no more than it must.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"
#include "store/sql_store.hpp"
#include "tables/types.hpp"
#include "tables/versions.hpp"

namespace stele {

struct DiffRequest {
  std::int64_t from = 0;
  std::int64_t to = 0;
  // By what two rows are the same one; empty: rows are never changed, only removed and added. Unset: the key of the
  // table's last upsert, if both versions have its columns.
  std::optional<std::vector<std::string>> key_columns;
  std::uint64_t offset = 0;
  std::uint64_t limit = 0;
};

// {"columns": {"added", "removed", "retyped", "renamed"}, "key_columns", "counts": {"added", "removed", "changed"},
// "columns_shown", "rows": [{"change", "before"?, "after"?}], "truncated"}: rows of `to` in its order, then removed
// ones. A row that both versions hold, though in another place, is no change. Throws Error unknown_version,
// unknown_column.
Task<Json> diff_versions(SqlStore& store, Versions& versions, Engine& engine, TableRecord table, DiffRequest request);

}  // namespace stele
