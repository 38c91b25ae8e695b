// Type lattice: which types a table's column may have, and which of them hold all values of which others. It never
// looks at a value.
#pragma once

#include "duckdb/common/types.hpp"

namespace stele {

// What a column of this type becomes in a table:
//   NULL, ENUM                  VARCHAR
//   UNION, VARIANT              JSON
//   STRUCT without field names  STRUCT with the names f1, f2, …
//   all others                  themselves, nested ones by their children
// Throws Error type_refused for types that no value of a table can have, such as lambdas and aggregate states.
duckdb::LogicalType kept_type(const duckdb::LogicalType& type);

// Whether every value of `from` reads as `to` and can be told from it again. VARCHAR takes everything; JSON takes only
// JSON, and no type but VARCHAR takes time zones, booleans or UUIDs of another.
bool widens(const duckdb::LogicalType& from, const duckdb::LogicalType& to);

}  // namespace stele
