// The functions that SQL may call: pure ones of DuckDB's catalogue, by name. What is not listed is refused, so that a
// new engine brings nothing in by itself; nothing here reads a setting, a file, a clock or a random number.
#pragma once

#include <string>
#include <string_view>

namespace stele {

// Scalar functions, operators, aggregates and window functions, by their lower-case name.
bool is_allowed_function(std::string_view name);
// Functions in FROM.
bool is_allowed_table_function(std::string_view name);

// What works instead of a function that is refused; never empty.
std::string instead_of_function(const std::string& name);
std::string instead_of_table_function(std::string_view name);

}  // namespace stele
