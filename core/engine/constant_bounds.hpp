// Bounds on arguments that make one value huge. DuckDB folds such calls while it plans, which cannot be interrupted,
// and its memory_limit does not count them: repeat('x', 2e9) grew the heap to 4 GB under a limit of 50 MB.
#pragma once

#include <cstdint>

#include "duckdb/parser/expression/function_expression.hpp"

namespace stele {

// Characters of one text that a call with constant arguments may build, and elements of one list: a million of either
// is more than an answer shows, and takes some milliseconds and megabytes.
inline constexpr std::int64_t built_length_max = 1'000'000;

// Digits of a width in the pattern of printf and format: four make at most 9,999 characters.
inline constexpr int pattern_width_digits_max = 4;

// Throws Error sql_refused if the arguments of a scalar function or aggregate are out of bounds. What is not
// known before rows are read gets a bound for each row, in place.
void bound_arguments(duckdb::FunctionExpression& function);

}  // namespace stele
