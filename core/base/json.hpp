// Json: the one JSON type of the core. Objects keep the order in which keys were added, since readers see it.
#pragma once

#include <nlohmann/json.hpp>

#include "base/indexed_map.hpp"

namespace stele {

using Json = nlohmann::basic_json<IndexedMap>;

}  // namespace stele
