// Tool: one of the things an agent can do. A tool's file holds its JSON Schema, its words and the translation of its
// arguments; the work is done in tables/.
#pragma once

#include <string>

#include "base/json.hpp"
#include "base/task.hpp"
#include "core.hpp"

namespace stele {

struct Services;  // services.hpp: engine, store and tables of one core

struct Tool {
  Json definition;  // name, title, description, inputSchema, outputSchema, annotations
  Task<Json> (*run)(Services& services, Json arguments, Caller caller);
};

// The eleven tools in the order in which they are listed.
const std::vector<Tool>& all_tools();

// Checks arguments against an input schema (types, enums, bounds, required, unknown names) and fills in defaults.
// Throws Error invalid_arguments naming the argument, what it was and what it may be.
Json checked_arguments(const Json& input_schema, Json arguments);

}  // namespace stele
