// The engine's allocator with a bound on a single piece. It never hands out less than was asked for: DuckDB reckons
// sizes in 64 bits and gives them to malloc, which takes 32 in WebAssembly, so that a list of 2^29 integers got no
// memory at all and was written over everything else.
#pragma once

#include "duckdb/common/allocator.hpp"

namespace stele {

// No home gives the engine as much, so that a larger piece is refused alike everywhere.
inline constexpr duckdb::idx_t allocation_bytes_max = duckdb::idx_t{1} << 30;

// Makes it the allocator of all engines of this process, if it is not yet.
void bound_default_allocator();

duckdb::unique_ptr<duckdb::Allocator> make_bounded_allocator();

}  // namespace stele
