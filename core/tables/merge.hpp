// Merge: writes small and half-dead segments again as one, and old deletion documents as one, within the version that
// some write is making anyway. It changes no row and no order of rows.
#pragma once

#include <optional>
#include <vector>

#include "base/task.hpp"
#include "engine/engine.hpp"
#include "tables/next_version.hpp"
#include "tables/staged_segment.hpp"

namespace stele {

// Looks at the segments of `before` that are live in `next` still. `deleted`: the deleted rows of the next version, if
// the caller has read them; otherwise only the number of segments can call for a merge, and they are read if it does.
// Answers the staged segments that the commit publishes.
Task<std::vector<StagedSegment>> merge_segments(SqlStore& store, Blobs& blobs, Engine& engine, const TableState& before,
                                                NextVersion& next, std::vector<Column> columns,
                                                std::optional<DeletionVectors> deleted);

}  // namespace stele
