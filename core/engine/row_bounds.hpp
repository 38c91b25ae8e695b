// Row bounds: two functions of ours that the guard puts around arguments whose size only the rows know. They answer
// their argument as it is, or refuse the row; they never cut a value.
#pragma once

#include <cstdint>

#include "duckdb/main/database.hpp"
#include "duckdb/parser/parsed_expression.hpp"

namespace stele {

// Characters or elements that one row may ask of repeat, lpad and their like. A vector has 2,048 rows: 64 MB at most.
inline constexpr std::int64_t row_count_max = 32'767;
// Bytes of a text whose distance to another is computed, which takes the product of both lengths: a vector of such
// pairs takes some seconds, and cannot be interrupted.
inline constexpr std::int64_t compared_bytes_max = 1'000;

void register_row_bounds(duckdb::DatabaseInstance& instance);

// Each puts the function around `argument`, whose alias stays outside.
void bound_row_count(duckdb::unique_ptr<duckdb::ParsedExpression>& argument);
void bound_compared_text(duckdb::unique_ptr<duckdb::ParsedExpression>& argument);

}  // namespace stele
