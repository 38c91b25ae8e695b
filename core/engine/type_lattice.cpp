#include "engine/type_lattice.hpp"

#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "engine/engine_impl.hpp"
#include "engine/logical_type.hpp"

namespace stele {

namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;

LogicalType with_field_names(const LogicalType& type) {
  duckdb::child_list_t<LogicalType> fields;
  for (const auto& [name, field] : duckdb::StructType::GetChildTypes(type)) {
    fields.emplace_back(name.empty() ? "f" + std::to_string(fields.size() + 1) : name, field);
  }
  return LogicalType::STRUCT(std::move(fields));
}

LogicalType kept_leaf(const LogicalType& type) {
  switch (type.id()) {
    case LogicalTypeId::SQLNULL:
    case LogicalTypeId::ENUM:
    case LogicalTypeId::CHAR:
    case LogicalTypeId::STRING_LITERAL:
      return LogicalType::VARCHAR;
    case LogicalTypeId::INTEGER_LITERAL:
      return LogicalType::BIGINT;
    case LogicalTypeId::UNION:
    case LogicalTypeId::VARIANT:
      return LogicalType::JSON();
    case LogicalTypeId::STRUCT:
      return with_field_names(type);
    case LogicalTypeId::VARCHAR:
      return type.IsJSONType() ? LogicalType::JSON() : LogicalType::VARCHAR;
    case LogicalTypeId::BOOLEAN:
    case LogicalTypeId::TINYINT:
    case LogicalTypeId::SMALLINT:
    case LogicalTypeId::INTEGER:
    case LogicalTypeId::BIGINT:
    case LogicalTypeId::HUGEINT:
    case LogicalTypeId::UTINYINT:
    case LogicalTypeId::USMALLINT:
    case LogicalTypeId::UINTEGER:
    case LogicalTypeId::UBIGINT:
    case LogicalTypeId::UHUGEINT:
    case LogicalTypeId::BIGNUM:
    case LogicalTypeId::FLOAT:
    case LogicalTypeId::DOUBLE:
    case LogicalTypeId::DATE:
    case LogicalTypeId::TIME:
    case LogicalTypeId::TIME_TZ:
    case LogicalTypeId::TIME_NS:
    case LogicalTypeId::TIMESTAMP:
    case LogicalTypeId::TIMESTAMP_TZ:
    case LogicalTypeId::TIMESTAMP_SEC:
    case LogicalTypeId::TIMESTAMP_MS:
    case LogicalTypeId::TIMESTAMP_NS:
    case LogicalTypeId::INTERVAL:
    case LogicalTypeId::BIT:
    case LogicalTypeId::BLOB:
    case LogicalTypeId::UUID:
      return LogicalType(type.id());
    case LogicalTypeId::DECIMAL:
    case LogicalTypeId::LIST:
    case LogicalTypeId::ARRAY:
    case LogicalTypeId::MAP:
      return type;
    default:
      throw Error("type_refused", "A column cannot have the type " + type.ToString() + ".",
                  "Cast it to VARCHAR or to a type of values.");
  }
}

// Whole numbers as powers of ten and two: a type holds those whose magnitude is below 2^bits, and for decimals
// 10^digits.
struct WholeNumbers {
  int bits;  // of the magnitude
  bool is_signed;
};

std::optional<WholeNumbers> whole_numbers(LogicalTypeId id) {
  switch (id) {
    case LogicalTypeId::TINYINT:
      return WholeNumbers{7, true};
    case LogicalTypeId::SMALLINT:
      return WholeNumbers{15, true};
    case LogicalTypeId::INTEGER:
      return WholeNumbers{31, true};
    case LogicalTypeId::BIGINT:
      return WholeNumbers{63, true};
    case LogicalTypeId::HUGEINT:
      return WholeNumbers{127, true};
    case LogicalTypeId::UTINYINT:
      return WholeNumbers{8, false};
    case LogicalTypeId::USMALLINT:
      return WholeNumbers{16, false};
    case LogicalTypeId::UINTEGER:
      return WholeNumbers{32, false};
    case LogicalTypeId::UBIGINT:
      return WholeNumbers{64, false};
    case LogicalTypeId::UHUGEINT:
      return WholeNumbers{128, false};
    default:
      return std::nullopt;
  }
}

// The decimal digits that hold every magnitude below 2^bits, and the bits that hold every magnitude below 10^digits.
int digits_for(int bits) { return static_cast<int>(bits * 0.30103) + 1; }
int bits_for(int digits) { return static_cast<int>(digits * 3.321928095) + 1; }

// Whole numbers of this many bits that a floating-point type holds exactly.
std::optional<int> exact_bits(LogicalTypeId id) {
  if (id == LogicalTypeId::FLOAT) return 24;
  if (id == LogicalTypeId::DOUBLE) return 53;
  return std::nullopt;
}

bool whole_widens(WholeNumbers from, const LogicalType& to) {
  if (const auto whole = whole_numbers(to.id())) {
    return whole->bits >= from.bits && (whole->is_signed || !from.is_signed);
  }
  if (const auto bits = exact_bits(to.id())) return *bits >= from.bits;
  if (to.id() == LogicalTypeId::BIGNUM) return true;
  if (to.id() != LogicalTypeId::DECIMAL) return false;
  return duckdb::DecimalType::GetWidth(to) - duckdb::DecimalType::GetScale(to) >= digits_for(from.bits);
}

bool decimal_widens(const LogicalType& from, const LogicalType& to) {
  const int scale = duckdb::DecimalType::GetScale(from);
  const int whole_digits = duckdb::DecimalType::GetWidth(from) - scale;
  if (to.id() == LogicalTypeId::DECIMAL) {
    const int to_scale = duckdb::DecimalType::GetScale(to);
    return to_scale >= scale && duckdb::DecimalType::GetWidth(to) - to_scale >= whole_digits;
  }
  // Fractions of ten have no exact double, however few their digits.
  return scale == 0 && whole_widens({bits_for(whole_digits), true}, to);
}

bool struct_widens(const LogicalType& from, const LogicalType& to) {
  const auto& source = duckdb::StructType::GetChildTypes(from);
  const auto& target = duckdb::StructType::GetChildTypes(to);
  if (source.size() != target.size()) return false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i].first != target[i].first || !widens(source[i].second, target[i].second)) return false;
  }
  return true;
}

bool list_widens(const LogicalType& from_child, const LogicalType& to) {
  return to.id() == LogicalTypeId::LIST && widens(from_child, duckdb::ListType::GetChildType(to));
}

}  // namespace

LogicalType kept_type(const LogicalType& type) { return map_type(type, kept_leaf); }

bool widens(const LogicalType& from, const LogicalType& to) {
  if (from == to || from.id() == LogicalTypeId::SQLNULL) return true;
  if (to.id() == LogicalTypeId::VARCHAR) return !to.IsJSONType();
  if (const auto whole = whole_numbers(from.id())) return whole_widens(*whole, to);
  switch (from.id()) {
    case LogicalTypeId::DECIMAL:
      return decimal_widens(from, to);
    case LogicalTypeId::FLOAT:
      return to.id() == LogicalTypeId::DOUBLE;
    case LogicalTypeId::DATE:
    case LogicalTypeId::TIMESTAMP_MS:
      return to.id() == LogicalTypeId::TIMESTAMP;
    case LogicalTypeId::TIMESTAMP_SEC:
      return to.id() == LogicalTypeId::TIMESTAMP_MS || to.id() == LogicalTypeId::TIMESTAMP;
    case LogicalTypeId::TIME:
      return to.id() == LogicalTypeId::TIME_NS;
    case LogicalTypeId::LIST:
      return list_widens(duckdb::ListType::GetChildType(from), to);
    case LogicalTypeId::ARRAY:
      return list_widens(duckdb::ArrayType::GetChildType(from), to);
    case LogicalTypeId::MAP:
      return to.id() == LogicalTypeId::MAP && duckdb::MapType::KeyType(from) == duckdb::MapType::KeyType(to) &&
             widens(duckdb::MapType::ValueType(from), duckdb::MapType::ValueType(to));
    case LogicalTypeId::STRUCT:
      return to.id() == LogicalTypeId::STRUCT && struct_widens(from, to);
    default:
      return false;
  }
}

std::string EngineImpl::kept_type(std::string_view type) const { return stele::kept_type(parse_type(type)).ToString(); }

bool EngineImpl::widens(std::string_view from, std::string_view to) const {
  return stele::widens(parse_type(from), parse_type(to));
}

}  // namespace stele
