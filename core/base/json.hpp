// Json: the one JSON type of the core. Objects keep the order in which keys were added, since readers see it.
#pragma once

#include <nlohmann/json.hpp>

namespace stele {

using Json = nlohmann::ordered_json;

}  // namespace stele
