// Functions of DuckDB's that a single row may keep busy for hours or make gigabytes with, each in a form that ends
// soon: LIKE, ILIKE and GLOB; range and generate_series of timestamps as lists; replace and regexp_replace. Those that
// take lists look at the statement's time first.
#pragma once

#include <cstdint>

#include "duckdb.hpp"

namespace stele {

// Elements of a list that range or generate_series makes of one row's timestamps, and of all rows of one vector.
inline constexpr double series_length_max = 1'000'000;
inline constexpr double series_lengths_max = 1 << 27;

// Bytes that a replacement could make of one row's text, if every character of it were replaced.
inline constexpr std::uint64_t replaced_bytes_max = std::uint64_t{1} << 30;

// Puts them in the place of DuckDB's, under the same names. Before the instance runs its first statement.
void bound_functions(duckdb::DatabaseInstance& instance);

}  // namespace stele
