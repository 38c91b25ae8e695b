#include "engine/row_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/assert.hpp"
#include "duckdb/common/types/decimal.hpp"
#include "duckdb/common/types/hugeint.hpp"
#include "engine/row_capacity.hpp"
#include "utf8proc_wrapper.hpp"

namespace stele {

namespace {

using duckdb::LogicalTypeId;
using duckdb::PhysicalType;

bool is_utf8(std::string_view text) {
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof(word) <= text.size(); at += sizeof(word)) {
    std::memcpy(&word, text.data() + at, sizeof(word));
    if (word & 0x8080808080808080u) break;
  }
  return duckdb::Utf8Proc::IsValid(text.data() + at, text.size() - at);
}

}  // namespace

DuckRowBuffer::DuckRowBuffer(duckdb::ClientContext& context, const duckdb::vector<duckdb::LogicalType>& types)
    : context_(context), cells_(types.size()), rows_max_(buffered_rows(types)) {
  chunk_.Initialize(context, types, rows_max_);
  for (std::size_t column = 0; column < types.size(); ++column) {
    auto& cells = cells_[column];
    cells.type = types[column];
    cells.physical = types[column].InternalType();
    if (cells.type.id() == LogicalTypeId::DECIMAL) {
      cells.one = duckdb::Hugeint::POWERS_OF_TEN[duckdb::DecimalType::GetScale(cells.type)];
    }
    if (cells.type.IsNested()) nested_.push_back(column);
  }
  begin();
}

void DuckRowBuffer::begin() {
  for (std::size_t column = 0; column < cells_.size(); ++column) {
    auto& cells = cells_[column];
    if (cells.type.IsNested()) continue;
    auto& vector = chunk_.data[column];
    auto& validity = duckdb::FlatVector::Validity(vector);
    validity.Initialize(rows_max_);
    validity.SetAllInvalid(rows_max_);
    cells.valid = validity.GetData();
    cells.data = duckdb::FlatVector::GetData(vector);
  }
}

template <class T>
void DuckRowBuffer::store(Cells& cells, T value) {
  static_cast<T*>(cells.data)[rows_] = value;
  cells.valid[rows_ / 64] |= duckdb::validity_t{1} << (rows_ % 64);
}

void DuckRowBuffer::set_bool(std::size_t column, bool value) {
  auto& cells = cells_[column];
  require(cells.type.id() == LogicalTypeId::BOOLEAN, "set_bool sets BOOLEAN");
  store(cells, value);
}

void DuckRowBuffer::set_int64(std::size_t column, std::int64_t value) {
  auto& cells = cells_[column];
  if (cells.type.id() == LogicalTypeId::BIGINT) {
    store(cells, value);
  } else {
    store_integer(cells, value);
  }
}

void DuckRowBuffer::store_integer(Cells& cells, duckdb::hugeint_t value) {
  require(cells.type.IsIntegral() || cells.type.id() == LogicalTypeId::DECIMAL, "set_int64 sets integers and DECIMAL");
  bool fits = duckdb::Hugeint::TryMultiply(value, cells.one, value);
  if (cells.type.id() == LogicalTypeId::DECIMAL) {
    const auto bound = duckdb::Hugeint::POWERS_OF_TEN[duckdb::DecimalType::GetWidth(cells.type)];
    fits = fits && value < bound && -bound < value;
  }
  const auto store_as = [&]<class T>(T cast) {
    fits = fits && duckdb::Hugeint::TryCast(value, cast);
    if (fits) store(cells, cast);
  };
  switch (cells.physical) {
    case PhysicalType::INT8:
      store_as(std::int8_t{});
      break;
    case PhysicalType::INT16:
      store_as(std::int16_t{});
      break;
    case PhysicalType::INT32:
      store_as(std::int32_t{});
      break;
    case PhysicalType::INT64:
      store_as(std::int64_t{});
      break;
    case PhysicalType::UINT8:
      store_as(std::uint8_t{});
      break;
    case PhysicalType::UINT16:
      store_as(std::uint16_t{});
      break;
    case PhysicalType::UINT32:
      store_as(std::uint32_t{});
      break;
    case PhysicalType::UINT64:
      store_as(std::uint64_t{});
      break;
    case PhysicalType::UINT128:
      store_as(duckdb::uhugeint_t{});
      break;
    default:
      if (fits) store(cells, value);
  }
  require(fits, "set_int64 sets what the column can hold");
}

void DuckRowBuffer::set_float64(std::size_t column, double value) {
  auto& cells = cells_[column];
  if (cells.physical == PhysicalType::DOUBLE) return store(cells, value);
  require(cells.physical == PhysicalType::FLOAT, "set_float64 sets DOUBLE and FLOAT");
  store(cells, static_cast<float>(value));
}

void DuckRowBuffer::set_text(std::size_t column, std::string_view utf8) {
  auto& cells = cells_[column];
  const auto id = cells.type.id();
  require(id == LogicalTypeId::VARCHAR || id == LogicalTypeId::BLOB, "set_text sets VARCHAR, JSON and BLOB");
  require(id == LogicalTypeId::BLOB || is_utf8(utf8), "text is UTF-8");
  store(cells, duckdb::StringVector::AddStringOrBlob(chunk_.data[column], utf8.data(), utf8.size()));
}

void DuckRowBuffer::set_date(std::size_t column, std::int32_t days) {
  auto& cells = cells_[column];
  require(cells.type.id() == LogicalTypeId::DATE, "set_date sets DATE");
  store(cells, days);
}

void DuckRowBuffer::set_micros(std::size_t column, std::int64_t micros) {
  auto& cells = cells_[column];
  const auto id = cells.type.id();
  require(id == LogicalTypeId::TIMESTAMP || id == LogicalTypeId::TIMESTAMP_TZ || id == LogicalTypeId::TIME,
          "set_micros sets TIMESTAMP, with or without time zone, and TIME");
  store(cells, micros);
}

bool DuckRowBuffer::set_cast(std::size_t column, std::string_view utf8) {
  auto& cells = cells_[column];
  duckdb::Value value;
  std::string refusal;
  if (!is_utf8(utf8)) return false;
  const bool strict = true;
  if (!duckdb::Value(std::string(utf8)).TryCastAs(context_, cells.type, value, &refusal, strict)) return false;
  chunk_.SetValue(column, rows_, value);
  cells.set = true;
  return true;
}

void DuckRowBuffer::end_row() {
  require(!full(), "a full row buffer is written before it takes more");
  for (const auto column : nested_) {
    if (!cells_[column].set) chunk_.SetValue(column, rows_, duckdb::Value(cells_[column].type));
    cells_[column].set = false;
  }
  ++rows_;
}

void DuckRowBuffer::clear() {
  chunk_.Reset();
  rows_ = 0;
  begin();
}

duckdb::DataChunk& DuckRowBuffer::chunk() const {
  chunk_.SetCardinality(rows_);
  return chunk_;
}

}  // namespace stele
