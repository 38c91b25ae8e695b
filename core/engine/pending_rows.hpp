// PendingRows: the rows of a row group before it is written, in chunks of bounded size. DuckDB's own collection makes
// room for 2,048 rows of every column at once, which wide tables cannot afford. It writes nothing.
#pragma once

#include <cstdint>
#include <deque>

#include "duckdb/common/types/data_chunk.hpp"
#include "duckdb/main/client_context.hpp"

namespace stele {

class PendingRows {
 public:
  PendingRows(duckdb::ClientContext& context, duckdb::vector<duckdb::LogicalType> types);

  // Copies the rows.
  void append(duckdb::DataChunk& rows);
  void clear();

  std::uint64_t count() const { return count_; }
  // Of the values, text and nested ones included.
  std::uint64_t bytes() const { return bytes_; }
  // Flat vectors, in order.
  std::deque<duckdb::DataChunk>& chunks() { return chunks_; }

 private:
  duckdb::ClientContext& context_;
  duckdb::vector<duckdb::LogicalType> types_;
  std::size_t rows_max_;  // of a chunk
  std::deque<duckdb::DataChunk> chunks_;
  std::uint64_t count_ = 0, bytes_ = 0;
};

}  // namespace stele
