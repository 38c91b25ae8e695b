// Values of store rows as plain C++ values, for columns whose type the schema fixes. It never converts between types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/assert.hpp"
#include "store/sql_store.hpp"

namespace stele {

// What stands for "still live" in end_version.
inline constexpr std::int64_t open_end = SqlStore::integer_max;

inline std::int64_t integer_of(const SqlValue& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  require(integer != nullptr, "an INTEGER column of the store holds an integer");
  return *integer;
}

inline std::optional<std::int64_t> optional_integer_of(const SqlValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
  return integer_of(value);
}

inline const std::string& text_of(const SqlValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  require(text != nullptr, "a TEXT column of the store holds text");
  return *text;
}

inline std::string optional_text_of(const SqlValue& value) {
  return std::holds_alternative<std::monostate>(value) ? std::string() : text_of(value);
}

inline const Bytes& bytes_of(const SqlValue& value) {
  const auto* bytes = std::get_if<Bytes>(&value);
  require(bytes != nullptr, "a BLOB column of the store holds bytes");
  return *bytes;
}

inline SqlValue sql_integer(std::uint64_t value) { return static_cast<std::int64_t>(value); }

inline SqlValue sql_optional(const std::optional<std::int64_t>& value) {
  return value ? SqlValue(*value) : SqlValue(std::monostate());
}

}  // namespace stele
