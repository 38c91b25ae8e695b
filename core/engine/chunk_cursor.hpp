// ChunkCursor: what every cursor of the engine is inside: its current rows as a chunk of DuckDB's, and how their values
// are read. It never steps; that is for those who derive from it.
#pragma once

#include "duckdb/common/types/data_chunk.hpp"
#include "engine/engine.hpp"

namespace stele {

class ChunkCursor : public Cursor {
 public:
  bool is_null(std::size_t row, std::size_t column) const override;
  std::int64_t int64(std::size_t row, std::size_t column) const override;
  double float64(std::size_t row, std::size_t column) const override;
  std::string text(std::size_t row, std::size_t column) const override;
  Json json(std::size_t row, std::size_t column) const override;

  // The rows that the last step answered, flat; of the cursor's own types, which may differ from any table's.
  virtual duckdb::DataChunk& chunk() const = 0;
};

}  // namespace stele
