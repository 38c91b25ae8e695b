#include "tables/column_type.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "base/assert.hpp"
#include "tables/cell_rules.hpp"

namespace stele {
namespace {

struct IntegerType {
  std::string_view name;
  std::int64_t min, max;
};
template <class Integer>
constexpr IntegerType integer_type(std::string_view name) {
  return {name, std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max()};
}
constexpr IntegerType integer_types[] = {
    integer_type<std::int64_t>("BIGINT"),    integer_type<std::int32_t>("INTEGER"),
    integer_type<std::int16_t>("SMALLINT"),  integer_type<std::int8_t>("TINYINT"),
    integer_type<std::uint32_t>("UINTEGER"), integer_type<std::uint16_t>("USMALLINT"),
    integer_type<std::uint8_t>("UTINYINT"),
};

// A number without exponent, leading zero or plus: its digits before and behind the point, the latter without end
// zeros.
struct PlainDecimal {
  std::string_view whole, fraction;
};
std::optional<PlainDecimal> plain_decimal(std::string_view text) {
  const auto digits = text.substr(text.starts_with('-') ? 1 : 0);
  const auto point = std::min(digits.find('.'), digits.size());
  PlainDecimal decimal{digits.substr(0, point), digits.substr(std::min(point + 1, digits.size()))};
  const auto all_digits = [](std::string_view part) {
    return part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (decimal.whole.empty() || !all_digits(decimal.whole) || !all_digits(decimal.fraction)) return {};
  if (decimal.whole.size() > 1 && decimal.whole[0] == '0') return {};
  if (text.starts_with('-') && text.find_first_of("123456789") == std::string_view::npos) return {};
  decimal.fraction = decimal.fraction.substr(0, decimal.fraction.find_last_not_of('0') + 1);
  return decimal;
}

bool at_most(std::string_view digits, std::string_view bound) {
  return digits.size() != bound.size() ? digits.size() < bound.size() : digits <= bound;
}

// The text of a cell as types read it, which is not always as it was written.
class TypedText {
 public:
  explicit TypedText(const Cell& cell)
      : text_(cell.kind == CellKind::bare ? without_blanks_around(cell.text) : cell.text) {
    if (cell.kind != CellKind::marked) return;
    number_.emplace(cell.text);
    if (!number_->text().empty()) text_ = number_->text();
  }
  TypedText(const TypedText&) = delete;
  TypedText& operator=(const TypedText&) = delete;
  std::string_view view() const { return text_; }

 private:
  std::optional<PlainNumber> number_;
  std::string_view text_;
};

ValueClass classify_marked(std::string_view text) {
  const PlainNumber number(text);
  return number.text().empty() ? ValueClass::marked_number : classify(number.text());
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool hex = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
    if (dash ? text[i] != '-' : !hex) return false;
  }
  return true;
}

}  // namespace

ValueClass classify(const Cell& cell) {
  switch (cell.kind) {
    case CellKind::bare:
      return classify_bare(cell.text);
    case CellKind::quoted:
      return cell.text.empty() ? ValueClass::quoted_empty : classify(cell.text);
    case CellKind::marked:
      return classify_marked(cell.text);
    case CellKind::number:
      return classify_json_number(cell.text);
    case CellKind::boolean:
      return ValueClass::true_false;
    case CellKind::nested:
      return ValueClass::nested;
    default:
      return classify(cell.text);
  }
}

ColumnType::ColumnType(std::string_view name, DateOrder date_order) : date_order_(date_order) {
  for (const auto& type : integer_types) {
    if (name == type.name) kind_ = Kind::integer, min_ = type.min, max_ = type.max;
  }
  if (name == "VARCHAR") kind_ = Kind::text;
  if (name == "UBIGINT") kind_ = Kind::wide_integer, widest_ = "18446744073709551615", narrowest_ = "0";
  // What a HUGEINT is stored as, DECIMAL(38,0), bounds it.
  if (name == "HUGEINT") kind_ = Kind::wide_integer, widest_ = narrowest_ = "99999999999999999999999999999999999999";
  if (name == "DOUBLE") kind_ = Kind::float64;
  if (name == "FLOAT") kind_ = Kind::float32;
  if (name == "BOOLEAN") kind_ = Kind::boolean;
  if (name == "DATE") kind_ = Kind::date;
  if (name == "TIME") kind_ = Kind::time;
  if (name == "TIMESTAMP") kind_ = Kind::timestamp;
  if (name == "TIMESTAMP WITH TIME ZONE") kind_ = Kind::zoned_timestamp;
  if (name == "JSON") kind_ = Kind::json;
  if (name == "UUID") kind_ = Kind::uuid;
  if (name.starts_with("DECIMAL(")) {
    int width = 0;
    const auto comma = name.find(',');
    std::from_chars(name.data() + 8, name.data() + name.size(), width);
    std::from_chars(name.data() + comma + 1, name.data() + name.size(), fraction_digits_);
    kind_ = Kind::decimal;
    whole_digits_ = width - fraction_digits_;
  }
}

bool ColumnType::holds(const Cell& cell) const {
  const auto value_class = classify(cell);
  if (value_class == ValueClass::quoted_empty) return true;
  const auto types = traits(value_class).types;
  const TypedText typed(cell);
  const auto text = typed.view();
  switch (kind_) {
    case Kind::text:
      return true;
    case Kind::boolean:
      return types & (bit_bool_lower | bit_bool_title | bit_bool_upper);
    case Kind::date:
      return date_order_ == DateOrder::iso ? types & bit_date : parse_local_date(text, date_order_).has_value();
    case Kind::time:
      return types & bit_time;
    case Kind::timestamp:
      return types & bit_timestamp;
    case Kind::zoned_timestamp:
      return types & bit_zoned_timestamp;
    case Kind::json:
      return types & bit_json;
    case Kind::float64:
      return types & bit_double;
    case Kind::float32: {
      if (!(types & bit_double)) return false;
      const double value = parse_double(text);
      return static_cast<double>(static_cast<float>(value)) == value;
    }
    case Kind::integer: {
      const auto value = parse_int64(text);
      return value && *value >= min_ && *value <= max_;
    }
    case Kind::wide_integer: {
      const auto number = plain_decimal(text);
      const bool whole = number && text.find('.') == std::string_view::npos;
      return whole && at_most(number->whole, text.starts_with('-') ? narrowest_ : widest_);
    }
    case Kind::decimal: {
      const auto number = plain_decimal(text);
      if (!number) return false;
      const int whole = number->whole == "0" ? 0 : static_cast<int>(number->whole.size());
      return whole <= whole_digits_ && static_cast<int>(number->fraction.size()) <= fraction_digits_;
    }
    case Kind::uuid:
      return is_uuid(text);
    case Kind::other:
      return false;
  }
  return false;
}

void ColumnType::deliver(const Cell& cell, RowBuffer& buffer, std::size_t column) const {
  if (kind_ == Kind::text || kind_ == Kind::json) return buffer.set_text(column, cell.text);
  // Quoted empty text is no value of any other type; the source has warned of it.
  if (cell.text.empty()) return;
  const TypedText typed(cell);
  const auto text = typed.view();
  switch (kind_) {
    case Kind::boolean:
      return buffer.set_bool(column, text[0] == 't' || text[0] == 'T');
    case Kind::integer: {
      const auto value = parse_int64(text);
      require(value.has_value(), "an integer column is filled with integers");
      return buffer.set_int64(column, *value);
    }
    case Kind::float64:
    case Kind::float32:
      return buffer.set_float64(column, parse_double(text));
    case Kind::date: {
      const auto days = date_order_ == DateOrder::iso ? parse_date(text) : parse_local_date(text, date_order_);
      require(days.has_value(), "a date column is filled with dates");
      return buffer.set_date(column, *days);
    }
    case Kind::time:
      return buffer.set_micros(column, parse_time(text).micros);
    case Kind::timestamp:
    case Kind::zoned_timestamp:
      return buffer.set_micros(column, parse_timestamp(text).micros);
    default:
      require(buffer.set_cast(column, text), "a column is filled with values that it holds");
  }
}

}  // namespace stele
