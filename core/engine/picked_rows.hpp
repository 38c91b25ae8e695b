// Picked rows: rows at named positions as a table of the core's own SQL, picked(i), read from the row groups that hold
// them and no others. Guarded statements cannot name it.
#pragma once

#include <memory>
#include <vector>

#include "duckdb.hpp"
#include "engine/engine.hpp"

namespace stele {

class EngineImpl;

// Makes picked(i) known. `engine` owns the instance.
void register_picked_rows(duckdb::DatabaseInstance& instance, EngineImpl& engine);

// What the statement of this connection may read: picked(i) is picked[i]. Nothing of it is global.
void set_picked_rows(duckdb::ClientContext& context, std::vector<PickedRows> picked);

}  // namespace stele
