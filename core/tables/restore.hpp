// Restore: makes what an earlier version held the latest again, as a version of its own. Segments begin again to live;
// none is copied, and what both versions share goes on without interruption.
#pragma once

#include <string>

#include "tables/catalog.hpp"
#include "tables/next_version.hpp"
#include "tables/versions.hpp"

namespace stele {

// The table at the path, or the one trashed from it last. Throws Error unknown_table, unknown_version, and path_taken
// where only the trashed one has this version but another table has the path.
TableRecord table_to_restore(Catalog& catalog, Versions& versions, const std::string& path, std::int64_t version);

// `state` outlives what is answered.
NextVersion restored_version(SqlStore& store, Versions& versions, const TableState& state, std::int64_t version);

}  // namespace stele
