#include "engine/value_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "duckdb/common/types/timestamp.hpp"
#include "utf8proc_wrapper.hpp"

namespace stele {

namespace {

using duckdb::LogicalTypeId;
using duckdb::Value;
using duckdb::Vector;

constexpr std::int64_t exact_max = (std::int64_t{1} << 53) - 1;

Json integer_json(std::int64_t value) {
  if (value > exact_max || value < -exact_max) return std::to_string(value);
  return value;
}

Json unsigned_json(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(exact_max)) return std::to_string(value);
  return value;
}

Json double_json(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

// 0.1 as FLOAT is 0.1, not the 0.10000000149011612 that it becomes when it is widened.
Json float_json(const Value& value) {
  const float number = duckdb::FloatValue::Get(value);
  if (!std::isfinite(number)) return double_json(number);
  return std::strtod(value.ToString().c_str(), nullptr);
}

Json instant_json(const Value& value) {
  const auto instant = duckdb::TimestampTZValue::Get(value);
  std::string text = duckdb::Timestamp::ToString(instant);
  if (!duckdb::Timestamp::IsFinite(instant)) return text;
  const auto gap = text.find(' ');
  if (gap != std::string::npos) text[gap] = 'T';
  return text + "Z";
}

Json blob_json(const Value& value) {
  constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : duckdb::StringValue::Get(value)) {
    hex += digits[static_cast<unsigned char>(c) >> 4];
    hex += digits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

Json array_json(const duckdb::vector<Value>& values) {
  Json array = Json::array();
  for (const Value& value : values) array.push_back(value_json(value));
  return array;
}

Json struct_json(const Value& value) {
  const auto& values = duckdb::StructValue::GetChildren(value);
  if (duckdb::StructType::IsUnnamed(value.type())) return array_json(values);
  Json object = Json::object();
  for (std::size_t i = 0; i < values.size(); i++) {
    object[valid_utf8(duckdb::StructType::GetChildName(value.type(), i))] = value_json(values[i]);
  }
  return object;
}

Json map_json(const Value& value) {
  const auto& entries = duckdb::ListValue::GetChildren(value);
  const bool by_name = duckdb::MapType::KeyType(value.type()).id() == LogicalTypeId::VARCHAR;
  Json map = by_name ? Json::object() : Json::array();
  for (const Value& entry : entries) {
    const auto& pair = duckdb::StructValue::GetChildren(entry);
    if (by_name) {
      map[valid_utf8(duckdb::StringValue::Get(pair[0]))] = value_json(pair[1]);
    } else {
      map.push_back(Json::array({value_json(pair[0]), value_json(pair[1])}));
    }
  }
  return map;
}

Json union_json(const Value& value) {
  const auto tag = duckdb::UnionValue::GetTag(value);
  Json object = Json::object();
  object[valid_utf8(duckdb::UnionType::GetMemberName(value.type(), tag))] =
      value_json(duckdb::UnionValue::GetValue(value));
  return object;
}

Json array_json(const Vector& elements, std::size_t first, std::size_t count) {
  Json array = Json::array();
  for (std::size_t i = 0; i < count; i++) array.push_back(value_json(elements, first + i));
  return array;
}

Json struct_json(const Vector& vector, std::size_t row) {
  const auto& type = vector.GetType();
  const auto& members = duckdb::StructVector::GetEntries(vector);
  const bool is_unnamed = duckdb::StructType::IsUnnamed(type);
  Json result = is_unnamed ? Json::array() : Json::object();
  for (std::size_t i = 0; i < members.size(); i++) {
    Json member = value_json(*members[i], row);
    if (is_unnamed) {
      result.push_back(std::move(member));
    } else {
      result[valid_utf8(duckdb::StructType::GetChildName(type, i))] = std::move(member);
    }
  }
  return result;
}

Json map_json(const Vector& vector, std::size_t row) {
  const auto& entry = duckdb::FlatVector::GetData<duckdb::list_entry_t>(vector)[row];
  const auto& keys = duckdb::MapVector::GetKeys(vector);
  const auto& values = duckdb::MapVector::GetValues(vector);
  const bool by_name = duckdb::MapType::KeyType(vector.GetType()).id() == LogicalTypeId::VARCHAR;
  Json map = by_name ? Json::object() : Json::array();
  for (auto i = entry.offset; i < entry.offset + entry.length; i++) {
    if (by_name) {
      map[valid_utf8(duckdb::StringValue::Get(keys.GetValue(i)))] = value_json(values, i);
    } else {
      map.push_back(Json::array({value_json(keys, i), value_json(values, i)}));
    }
  }
  return map;
}

// Builds what it reads, and gives up on what a reader of the result would see differently.
class ExactReader final : public nlohmann::json_sax<Json> {
 public:
  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(integer_json(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(unsigned_json(value)); }
  bool number_float(number_float_t value, const string_t& written) override {
    const bool is_whole = written.find_first_of(".eE") == std::string::npos;
    const auto mantissa = written.substr(0, written.find_first_of("eE"));
    const auto digits = std::count_if(mantissa.begin(), mantissa.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_whole || digits > digits_exact) return add(written);
    return add(value);
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (open_.back()->contains(name)) return false;
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  static constexpr std::ptrdiff_t digits_exact = 17;
  static constexpr std::size_t depth_max = 100;

  Json* put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }
  bool add(Json value) {
    put(std::move(value));
    return true;
  }
  bool open(Json container) {
    if (open_.size() == depth_max) return false;
    open_.push_back(put(std::move(container)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;  // stays valid: only the innermost container grows
  std::string key_;
};

void flatten_nested(Vector& vector, std::size_t count) {
  vector.Flatten(count);
  switch (vector.GetType().InternalType()) {
    case duckdb::PhysicalType::LIST:
      return flatten_nested(duckdb::ListVector::GetEntry(vector), duckdb::ListVector::GetListSize(vector));
    case duckdb::PhysicalType::ARRAY:
      return flatten_nested(duckdb::ArrayVector::GetEntry(vector),
                            count * duckdb::ArrayType::GetSize(vector.GetType()));
    case duckdb::PhysicalType::STRUCT:
      for (auto& child : duckdb::StructVector::GetEntries(vector)) flatten_nested(*child, count);
      return;
    default:
      return;
  }
}

}  // namespace

std::string valid_utf8(std::string text) {
  if (!duckdb::Utf8Proc::IsValid(text.data(), text.size())) duckdb::Utf8Proc::MakeValid(text.data(), text.size());
  return text;
}

Json json_of_text(std::string_view text) {
  ExactReader reader;
  if (Json::sax_parse(text.begin(), text.end(), &reader)) return reader.take();
  return valid_utf8(std::string(text));
}

Json value_json(const Value& value) {
  if (value.IsNull()) return nullptr;
  if (value.type().IsJSONType()) return json_of_text(duckdb::StringValue::Get(value));
  switch (value.type().id()) {
    case LogicalTypeId::BOOLEAN:
      return duckdb::BooleanValue::Get(value);
    case LogicalTypeId::TINYINT:
    case LogicalTypeId::SMALLINT:
    case LogicalTypeId::INTEGER:
    case LogicalTypeId::BIGINT:
      return integer_json(value.GetValue<std::int64_t>());
    case LogicalTypeId::UTINYINT:
    case LogicalTypeId::USMALLINT:
    case LogicalTypeId::UINTEGER:
    case LogicalTypeId::UBIGINT:
      return unsigned_json(value.GetValue<std::uint64_t>());
    case LogicalTypeId::FLOAT:
      return float_json(value);
    case LogicalTypeId::DOUBLE:
      return double_json(duckdb::DoubleValue::Get(value));
    case LogicalTypeId::TIMESTAMP_TZ:
      return instant_json(value);
    case LogicalTypeId::VARCHAR:
      return valid_utf8(duckdb::StringValue::Get(value));
    case LogicalTypeId::BLOB:
      return blob_json(value);
    case LogicalTypeId::LIST:
      return array_json(duckdb::ListValue::GetChildren(value));
    case LogicalTypeId::ARRAY:
      return array_json(duckdb::ArrayValue::GetChildren(value));
    case LogicalTypeId::STRUCT:
      return struct_json(value);
    case LogicalTypeId::MAP:
      return map_json(value);
    case LogicalTypeId::UNION:
      return union_json(value);
    default:
      return valid_utf8(value.ToString());
  }
}

void flatten_nested(duckdb::DataChunk& chunk) {
  for (auto& column : chunk.data) flatten_nested(column, chunk.size());
}

Json value_json(const Vector& vector, std::size_t row) {
  if (vector.GetVectorType() != duckdb::VectorType::FLAT_VECTOR) return value_json(vector.GetValue(row));
  if (duckdb::FlatVector::IsNull(vector, row)) return nullptr;
  const auto& type = vector.GetType();
  switch (type.id()) {
    case LogicalTypeId::LIST: {
      const auto& entry = duckdb::FlatVector::GetData<duckdb::list_entry_t>(vector)[row];
      return array_json(duckdb::ListVector::GetEntry(vector), entry.offset, entry.length);
    }
    case LogicalTypeId::ARRAY: {
      const auto size = duckdb::ArrayType::GetSize(type);
      return array_json(duckdb::ArrayVector::GetEntry(vector), row * size, size);
    }
    case LogicalTypeId::STRUCT:
      return struct_json(vector, row);
    case LogicalTypeId::MAP:
      return map_json(vector, row);
    default:
      return value_json(vector.GetValue(row));
  }
}

}  // namespace stele
