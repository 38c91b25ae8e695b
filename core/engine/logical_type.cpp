#include "engine/logical_type.hpp"

#include <string>

#include "base/error.hpp"
#include "duckdb/common/exception.hpp"
#include "duckdb/common/string_util.hpp"

namespace stele {

namespace {

// JSON is a type of the JSON extension's, which the parser leaves to a catalogue.
duckdb::LogicalType resolve(const duckdb::LogicalType& parsed) {
  if (parsed.id() != duckdb::LogicalTypeId::USER) return parsed;
  if (duckdb::StringUtil::CIEquals(duckdb::UserType::GetTypeName(parsed), "JSON")) return duckdb::LogicalType::JSON();
  throw duckdb::InvalidInputException("not a type");
}

}  // namespace

duckdb::LogicalType parse_type(std::string_view text) {
  try {
    return map_type(duckdb::TransformStringToLogicalType(std::string(text)), resolve);
  } catch (const duckdb::Exception&) {
    throw Error(
        "unknown_type", "\"" + std::string(text) + "\" is not a type.",
        "Types are those of DuckDB: BIGINT, DOUBLE, DECIMAL(18,3), VARCHAR, DATE, TIMESTAMP, JSON, VARCHAR[], …");
  }
}

}  // namespace stele
