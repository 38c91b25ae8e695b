// DuckRowBuffer: a RowBuffer straight over the flat vectors of a DataChunk, so that a cell costs a call and a store. It
// converts nothing but by set_cast, and checks types with assertions only: its callers choose the column types.
#pragma once

#include <vector>

#include "duckdb/common/types/data_chunk.hpp"
#include "duckdb/main/client_context.hpp"
#include "engine/engine.hpp"

namespace stele {

class DuckRowBuffer final : public RowBuffer {
 public:
  DuckRowBuffer(duckdb::ClientContext& context, const duckdb::vector<duckdb::LogicalType>& types);

  void set_bool(std::size_t column, bool value) override;
  void set_int64(std::size_t column, std::int64_t value) override;
  void set_float64(std::size_t column, double value) override;
  void set_text(std::size_t column, std::string_view utf8) override;
  void set_date(std::size_t column, std::int32_t days) override;
  void set_micros(std::size_t column, std::int64_t micros) override;
  bool set_cast(std::size_t column, std::string_view utf8) override;

  void end_row() override;
  std::size_t rows() const override { return rows_; }
  bool full() const override { return rows_ == rows_max_; }
  void clear() override;

  // The rows so far, for the writer.
  duckdb::DataChunk& chunk() const;

 private:
  struct Cells {
    duckdb::LogicalType type;
    duckdb::PhysicalType physical{};
    duckdb::hugeint_t one = 1;  // what the integer 1 is stored as: more than 1 for DECIMAL
    void* data = nullptr;
    duckdb::validity_t* valid = nullptr;  // a bit a row; null for nested types, which go by Value
    bool set = false;                     // nested types only: whether this row has a value
  };

  template <class T>
  void store(Cells& cells, T value);
  void store_integer(Cells& cells, duckdb::hugeint_t value);
  void begin();

  duckdb::ClientContext& context_;
  mutable duckdb::DataChunk chunk_;
  std::vector<Cells> cells_;
  std::vector<std::size_t> nested_;
  std::size_t rows_ = 0;
  std::size_t rows_max_ = capacity;
};

}  // namespace stele
