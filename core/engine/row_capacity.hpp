// Row capacity: how many rows a writer's buffer holds, so that it takes a bounded amount of memory however wide the
// table is, and a table of few columns has buffers of the engine's own size.
#pragma once

#include <algorithm>
#include <cstddef>

#include "duckdb/common/types.hpp"
#include "engine/engine.hpp"

namespace stele {

// What the vectors of one buffer may take, without the text beside them; a row of many thousand columns takes more.
inline constexpr std::size_t buffer_bytes_max = std::size_t{4} << 20;
inline constexpr std::size_t buffered_rows_min = 16;

inline std::size_t buffered_rows(const duckdb::vector<duckdb::LogicalType>& types) {
  std::size_t row_bytes = 1;
  for (const auto& type : types) row_bytes += duckdb::GetTypeIdSize(type.InternalType());
  return std::clamp(buffer_bytes_max / row_bytes, buffered_rows_min, RowBuffer::capacity);
}

}  // namespace stele
