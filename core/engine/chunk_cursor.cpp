#include "engine/chunk_cursor.hpp"

#include <cstdlib>

#include "engine/value_json.hpp"

namespace stele {

namespace {

template <class T>
T flat(const duckdb::Vector& vector, std::size_t row) {
  return duckdb::FlatVector::GetData<T>(vector)[row];
}

}  // namespace

bool ChunkCursor::is_null(std::size_t row, std::size_t column) const {
  return duckdb::FlatVector::IsNull(chunk().data[column], row);
}

std::int64_t ChunkCursor::int64(std::size_t row, std::size_t column) const {
  const auto& vector = chunk().data[column];
  switch (vector.GetType().id()) {
    case duckdb::LogicalTypeId::INTEGER:
      return flat<std::int32_t>(vector, row);
    case duckdb::LogicalTypeId::BIGINT:
      return flat<std::int64_t>(vector, row);
    default:
      return chunk().GetValue(column, row).GetValue<std::int64_t>();
  }
}

double ChunkCursor::float64(std::size_t row, std::size_t column) const {
  const auto& vector = chunk().data[column];
  switch (vector.GetType().id()) {
    case duckdb::LogicalTypeId::INTEGER:
      return flat<std::int32_t>(vector, row);
    case duckdb::LogicalTypeId::BIGINT:
      return static_cast<double>(flat<std::int64_t>(vector, row));
    case duckdb::LogicalTypeId::FLOAT:
      return flat<float>(vector, row);
    case duckdb::LogicalTypeId::DOUBLE:
      return flat<double>(vector, row);
    default:
      // By way of the text, since DuckDB's cast of a DECIMAL divides and may miss the nearest double.
      return std::strtod(chunk().GetValue(column, row).ToString().c_str(), nullptr);
  }
}

std::string ChunkCursor::text(std::size_t row, std::size_t column) const {
  const auto& vector = chunk().data[column];
  switch (vector.GetType().id()) {
    case duckdb::LogicalTypeId::VARCHAR:
    case duckdb::LogicalTypeId::BLOB:
      return flat<duckdb::string_t>(vector, row).GetString();
    default:
      return chunk().GetValue(column, row).ToString();
  }
}

Json ChunkCursor::json(std::size_t row, std::size_t column) const { return value_json(chunk().data[column], row); }

}  // namespace stele
