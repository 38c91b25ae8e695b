// Row page: whole rows for a page of the home's own, by their positions. It cuts no cell: a page that would be too
// large has fewer rows.
#pragma once

#include <cstdint>
#include <vector>

#include "base/json.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"

namespace stele {

// Cells of one page as JSON text.
inline constexpr std::uint64_t page_bytes_max = std::uint64_t{8} << 20;

// The positions of live rows [offset, offset + limit) in reading order; reckoned, not read.
std::vector<Position> live_positions(const Snapshot& snapshot, std::uint64_t offset, std::uint64_t limit);

// The rows at these positions (each once, in any order), a list of cells each, in the order given: all of them, or as
// many of the first as fit into `bytes_max`, but at least one.
Task<std::vector<Json>> cells_at(Engine& engine, SnapshotPtr snapshot, std::vector<Position> positions,
                                 std::vector<int> column_ids, std::uint64_t bytes_max);

// The snapshot with columns named "c<id>", for SQL of the core's own.
SnapshotPtr with_id_names(const Snapshot& snapshot);

// [{"name", "type"}]
Json columns_json(const std::vector<Column>& columns);

}  // namespace stele
