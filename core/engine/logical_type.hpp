// LogicalType from text: DuckDB's own spelling of a type, as columns and catalogs keep it, back to DuckDB's type. It
// never asks a catalogue, so that no name of a caller's can stand for a type.
#pragma once

#include <string_view>

#include "duckdb/common/optional_idx.hpp"
#include "duckdb/common/types.hpp"

namespace stele {

// Throws Error unknown_type, naming the text, if DuckDB would not spell a type so.
duckdb::LogicalType parse_type(std::string_view text);

// The type with every leaf, and every nested type after its children, replaced by change(type).
template <class Change>
duckdb::LogicalType map_type(const duckdb::LogicalType& type, const Change& change) {
  using duckdb::LogicalType;
  using duckdb::LogicalTypeId;
  switch (type.id()) {
    case LogicalTypeId::LIST:
      return change(LogicalType::LIST(map_type(duckdb::ListType::GetChildType(type), change)));
    case LogicalTypeId::ARRAY:
      return change(LogicalType::ARRAY(map_type(duckdb::ArrayType::GetChildType(type), change),
                                       duckdb::optional_idx(duckdb::ArrayType::GetSize(type))));
    case LogicalTypeId::MAP:
      return change(LogicalType::MAP(map_type(duckdb::MapType::KeyType(type), change),
                                     map_type(duckdb::MapType::ValueType(type), change)));
    case LogicalTypeId::STRUCT: {
      duckdb::child_list_t<LogicalType> fields;
      for (const auto& [name, field] : duckdb::StructType::GetChildTypes(type))
        fields.emplace_back(name, map_type(field, change));
      return change(LogicalType::STRUCT(std::move(fields)));
    }
    default:
      return change(type);
  }
}

}  // namespace stele
