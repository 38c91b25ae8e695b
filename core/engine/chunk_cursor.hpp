// ChunkCursor: what every cursor of the engine is inside: its current rows as DuckDB's chunk. Only core/engine sees it.
#pragma once

#include "duckdb/common/types/data_chunk.hpp"
#include "engine/engine.hpp"

namespace stele {

class ChunkCursor : public Cursor {
 public:
  // The rows that the last step answered; of their own types, which may differ from any table's.
  virtual duckdb::DataChunk& chunk() const = 0;
};

}  // namespace stele
