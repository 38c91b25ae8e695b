// From DuckDB's errors to ours: what a caller is told when a statement fails. It never lets an internal name through.
#pragma once

#include <string>

#include "base/error.hpp"
#include "duckdb/common/error_data.hpp"
#include "engine/limits.hpp"

namespace stele {

// sql_error with DuckDB's message and its pointer into the statement, or out_of_memory, sql_refused, cancelled. Throws
// InvariantBroken if DuckDB says that its instance is lost.
[[noreturn]] void throw_failure(const duckdb::ErrorData& error, const Limits& limits);

}  // namespace stele
