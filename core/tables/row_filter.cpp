#include "tables/row_filter.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "tables/staged_segment.hpp"
#include "tables/type_family.hpp"

namespace stele {
namespace {

constexpr std::size_t value_bytes_max = 10'000;
constexpr std::size_t number_chars_max = 100;

std::string quoted_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

[[noreturn]] void refuse(const RowFilter& filter, const std::string& hint) {
  std::string shown = filter.value.dump(-1, ' ', true);
  if (shown.size() > 100) shown = shown.substr(0, 100) + "…";
  throw Error("invalid_filter",
              "The column \"" + filter.column.name + "\" is " + filter.column.type + ", and " + shown +
                  " is no value to compare it with.",
              hint);
}

// The text that a value stands for: a number as it is written in JSON.
std::string text_of(const RowFilter& filter) {
  const Json& value = filter.value;
  if (value.is_null() || value.is_structured()) refuse(filter, "Give a text, a number, true or false as its value.");
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (text.size() > value_bytes_max) refuse(filter, "Give at most 10,000 bytes.");
  // The statement would end there.
  if (text.find('\0') != std::string::npos) refuse(filter, "Give a text without NUL characters.");
  return text;
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "-12", "0.5", ".5"; "1e-7" has an exponent.
bool is_plain_number(std::string_view text) {
  if (text.size() > number_chars_max) return false;
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return is_digits(text);
  return is_digits(text.substr(point + 1)) && (point == 0 || is_digits(text.substr(0, point)));
}

bool is_nested(std::string_view type) {
  return type == "JSON" || type.back() == ']' || type.substr(0, 6) == "STRUCT" || type.substr(0, 3) == "MAP" ||
         type.substr(0, 5) == "UNION";
}

bool is_hex(std::string_view text) {
  return text.size() % 2 == 0 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
         });
}

// A value as SQL, and what it must pass before it is used: a text and the type as which DuckDB must read it.
struct Literal {
  std::string sql;
  std::string cast_text, cast_type;  // empty: nothing to check
};

Literal literal_of(const RowFilter& filter) {
  const std::string text = text_of(filter);
  const std::string& type = filter.column.type;
  if (type == "VARCHAR" || is_nested(type)) return {quoted_text(text), {}, {}};
  if (type == "BLOB") {
    if (!is_hex(text)) refuse(filter, "Write bytes as pairs of hexadecimal digits.");
    return {"from_hex(" + quoted_text(text) + ")", {}, {}};
  }
  // A number stays what it is: a cast to an integer would round 1.5.
  if (is_number_type(type) && is_plain_number(text)) return {text, {}, {}};
  const std::string as = is_number_type(type) ? "DOUBLE" : type;
  return {"CAST(" + quoted_text(text) + " AS " + as + ")", text, as};
}

std::string as_text(const Column& column) { return "CAST(" + id_name(column.id) + " AS VARCHAR)"; }

std::string contains_sql(const Column& column, const std::string& text) {
  return "contains(lower(" + as_text(column) + "), lower(" + quoted_text(text) + "))";
}

std::string condition_of(const RowFilter& filter, const Literal& literal) {
  const Column& column = filter.column;
  if (filter.op == "is_null") return id_name(column.id) + " IS NULL";
  if (filter.op == "is_not_null") return id_name(column.id) + " IS NOT NULL";
  if (filter.op == "contains") return contains_sql(column, text_of(filter));
  if (filter.op == "starts_with")
    return "starts_with(lower(" + as_text(column) + "), lower(" + quoted_text(text_of(filter)) + "))";
  const auto& operators = filter_operators();
  require(std::find(operators.begin(), operators.end(), filter.op) != operators.end(), "an operator is a known one");
  return (is_nested(column.type) ? as_text(column) : id_name(column.id)) + " " + filter.op + " " + literal.sql;
}

bool is_comparison(const RowFilter& filter) { return filter.op.find_first_not_of("=!<>") == std::string::npos; }

// Refuses the first value that its type cannot have.
Task<bool> check_casts(Engine& engine, const std::vector<RowFilter>* filters, const std::vector<Literal>* literals) {
  std::string asked;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < literals->size(); ++i) {
    const Literal& literal = (*literals)[i];
    if (literal.cast_type.empty()) continue;
    asked += (asked.empty() ? "TRY_CAST(" : ", TRY_CAST(") + quoted_text(literal.cast_text) + " AS " +
             literal.cast_type + ") IS NULL";
    which.push_back(i);
  }
  if (asked.empty()) co_return true;
  const auto cursor = engine.start_own("SELECT " + asked, {});
  Task<bool> advancing = next_chunk(*cursor, "reading filters");
  const bool answered = co_await std::move(advancing);
  require(answered, "constants make one row");
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (cursor->json(0, i) != Json(true)) continue;
    const RowFilter& filter = (*filters)[which[i]];
    refuse(filter, "Write it as answers show values of this column, or use contains, which compares text.");
  }
  co_return true;
}

}  // namespace

const std::vector<std::string>& filter_operators() {
  static const std::vector<std::string> operators = {"=",  "!=",       "<",           "<=",      ">",
                                                     ">=", "contains", "starts_with", "is_null", "is_not_null"};
  return operators;
}

Task<std::string> filter_sql(Engine& engine, std::vector<RowFilter> filters) {
  std::vector<Literal> literals;
  for (const RowFilter& filter : filters) literals.push_back(is_comparison(filter) ? literal_of(filter) : Literal());
  Task<bool> checking = check_casts(engine, &filters, &literals);
  co_await std::move(checking);
  std::string sql;
  for (std::size_t i = 0; i < filters.size(); ++i)
    sql += (i == 0 ? "(" : " AND (") + condition_of(filters[i], literals[i]) + ")";
  co_return sql;
}

std::string search_sql(const std::vector<Column>& columns, const std::string& text) {
  if (text.size() > value_bytes_max || text.find('\0') != std::string::npos)
    throw Error("invalid_filter", "The text to search for is too long, or holds a NUL character.",
                "Search for at most 10,000 bytes of text.");
  std::string sql;
  for (const Column& column : columns) sql += (sql.empty() ? "" : " OR ") + contains_sql(column, text);
  return sql.empty() ? "false" : sql;
}

}  // namespace stele
