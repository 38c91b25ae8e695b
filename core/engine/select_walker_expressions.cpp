#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "duckdb/common/string_util.hpp"
#include "duckdb/parser/expression/list.hpp"
#include "duckdb/parser/parsed_expression_iterator.hpp"
#include "engine/constant_bounds.hpp"
#include "engine/function_list.hpp"
#include "engine/select_walker.hpp"

namespace stele {
namespace {

using duckdb::ExpressionClass;
using duckdb::ExpressionType;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::ParsedExpression;

Error refused(std::string message, std::string hint) {
  return Error("sql_refused", std::move(message), std::move(hint));
}

Error unknown_expression() {
  return refused("The statement has an expression of a kind that is not run here.",
                 "Use columns, literals, operators, CASE, casts, lambdas, subqueries and function calls.");
}

Error refused_function(const std::string& name) {
  return refused("The function " + name + " is not run here.", instead_of_function(name));
}

// Types that SQL may name: those of DuckDB itself. A name that its parser does not know would be looked up in the
// catalogue.
void check_type(const LogicalType& type) {
  switch (type.id()) {
    case LogicalTypeId::USER: {
      const std::string name = duckdb::UserType::GetTypeName(type);
      if (duckdb::StringUtil::CIEquals(name, "json") && duckdb::UserType::GetSchema(type).empty()) return;
      throw refused("There is no type " + name + " here.",
                    "Use DuckDB's own types, such as BIGINT, DOUBLE, VARCHAR or DATE.");
    }
    case LogicalTypeId::LIST:
      return check_type(duckdb::ListType::GetChildType(type));
    case LogicalTypeId::ARRAY:
      return check_type(duckdb::ArrayType::GetChildType(type));
    case LogicalTypeId::MAP:
      check_type(duckdb::MapType::KeyType(type));
      return check_type(duckdb::MapType::ValueType(type));
    case LogicalTypeId::STRUCT:
    case LogicalTypeId::UNION:
      if (!type.AuxInfo()) return;
      for (const auto& child : duckdb::StructType::GetChildTypes(type)) check_type(child.second);
      return;
    default:
      return;
  }
}

// A collation is looked up by its parts: those built in, and ICU's by language or language and region.
void check_collation(const std::string& collation) {
  for (const auto& part : duckdb::StringUtil::Split(duckdb::StringUtil::Lower(collation), '.')) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    const bool built_in = part == "nocase" || part == "noaccent" || part == "nfc" || part == "binary" ||
                          part == "posix" || part == "c" || part == "icu_noaccent";
    const bool language = part.size() >= 2 && part.size() <= 6 && std::all_of(part.begin(), part.end(), is_letter);
    if (!built_in && !language) {
      throw refused("There is no collation " + part + " here.", "Use NOCASE, NOACCENT, NFC or a language such as de.");
    }
  }
}

void check_operator(ExpressionType type) {
  switch (type) {
    case ExpressionType::OPERATOR_NOT:
    case ExpressionType::OPERATOR_IS_NULL:
    case ExpressionType::OPERATOR_IS_NOT_NULL:
    case ExpressionType::OPERATOR_UNPACK:
    case ExpressionType::COMPARE_IN:
    case ExpressionType::COMPARE_NOT_IN:
    case ExpressionType::GROUPING_FUNCTION:
    case ExpressionType::OPERATOR_NULLIF:
    case ExpressionType::OPERATOR_COALESCE:
    case ExpressionType::ARRAY_EXTRACT:
    case ExpressionType::ARRAY_SLICE:
    case ExpressionType::STRUCT_EXTRACT:
    case ExpressionType::ARRAY_CONSTRUCTOR:
    case ExpressionType::OPERATOR_TRY:
      return;
    default:
      throw unknown_expression();
  }
}

bool is_schema(const std::string& name) {
  static constexpr std::string_view schemas[] = {"information_schema", "main",   "memory",
                                                 "pg_catalog",         "system", "temp"};
  const std::string lower = duckdb::StringUtil::Lower(name);
  return std::find(std::begin(schemas), std::end(schemas), lower) != std::end(schemas);
}

// Leaves the name alone to decide. A schema is the parser's own for what SQL writes as syntax ([1, 2] is
// main.list_value), or no schema at all: name.upper() and t.name.upper() arrive as functions in one, and are made
// upper(name) here.
void take_out_of_schema(duckdb::FunctionExpression& function) {
  const std::string catalog = std::exchange(function.catalog, {});
  const std::string schema = std::exchange(function.schema, {});
  if (schema.empty() || is_schema(catalog.empty() ? schema : catalog)) return;
  duckdb::vector<std::string> names;
  if (!catalog.empty()) names.push_back(catalog);
  names.push_back(schema);
  function.children.insert(function.children.begin(), duckdb::make_uniq<duckdb::ColumnRefExpression>(std::move(names)));
}

}  // namespace

void SelectWalker::walk(duckdb::unique_ptr<ParsedExpression>& expression) {
  switch (expression->GetExpressionClass()) {
    case ExpressionClass::COLUMN_REF:
      return walk_column(expression);
    case ExpressionClass::FUNCTION:
      return walk_function(expression);
    case ExpressionClass::WINDOW:
      return walk_window(expression->Cast<duckdb::WindowExpression>());
    case ExpressionClass::SUBQUERY: {
      auto& subquery = expression->Cast<duckdb::SubqueryExpression>();
      walk(*subquery.subquery->node);
      return walk_children(subquery);
    }
    case ExpressionClass::CAST:
      check_type(expression->Cast<duckdb::CastExpression>().cast_type);
      return walk_children(*expression);
    case ExpressionClass::COLLATE:
      check_collation(expression->Cast<duckdb::CollateExpression>().collation);
      return walk_children(*expression);
    case ExpressionClass::LAMBDA:
      if (auto& copy = expression->Cast<duckdb::LambdaExpression>().copied_expr) walk(copy);
      return walk_children(*expression);
    case ExpressionClass::OPERATOR:
      check_operator(expression->GetExpressionType());
      return walk_children(*expression);
    case ExpressionClass::BETWEEN:
    case ExpressionClass::CASE:
    case ExpressionClass::COMPARISON:
    case ExpressionClass::CONJUNCTION:
    case ExpressionClass::CONSTANT:
    case ExpressionClass::POSITIONAL_REFERENCE:
    case ExpressionClass::STAR:
      return walk_children(*expression);
    case ExpressionClass::PARAMETER:
      throw refused("Parameters such as ? and $1 have no value here.", "Write the values into the statement.");
    default:
      throw unknown_expression();
  }
}

void SelectWalker::walk_list(duckdb::vector<duckdb::unique_ptr<ParsedExpression>>& expressions) {
  for (auto& expression : expressions) walk(expression);
}

void SelectWalker::walk_children(ParsedExpression& expression) {
  duckdb::ParsedExpressionIterator::EnumerateChildren(
      expression, [this](duckdb::unique_ptr<ParsedExpression>& child) { walk(child); });
}

void SelectWalker::walk_function(duckdb::unique_ptr<ParsedExpression>& expression) {
  auto& function = expression->Cast<duckdb::FunctionExpression>();
  const std::string name = duckdb::StringUtil::Lower(function.function_name);
  take_out_of_schema(function);
  if (function.children.empty()) {
    if (auto constant = clock_.constant_for(name)) {
      constant->SetAlias(function.GetAlias());
      expression = std::move(constant);
      return;
    }
  }
  if (!is_allowed_function(name)) throw refused_function(name);
  if (function.export_state) throw refused("EXPORT_STATE is not run here.", "Aggregate in one statement.");
  if (name == "age" && function.children.size() == 1) {
    function.children.insert(function.children.begin(), clock_.midnight());
  }
  walk_children(function);
  bound_arguments(function);
}

void SelectWalker::walk_window(duckdb::WindowExpression& window) {
  const std::string name = duckdb::StringUtil::Lower(window.function_name);
  if (!window.catalog.empty() || !window.schema.empty() || !is_allowed_function(name)) throw refused_function(name);
  walk_children(window);
}

// CURRENT_DATE arrives as a column, which DuckDB takes for a function if there is no such column. Unquoted, SQL says
// that it is one; in double quotes it is a column.
void SelectWalker::walk_column(duckdb::unique_ptr<ParsedExpression>& expression) {
  const auto& column = expression->Cast<duckdb::ColumnRefExpression>();
  const auto location = column.GetQueryLocation();
  if (column.IsQualified()) return;
  const std::string word = duckdb::StringUtil::Lower(column.GetColumnName());
  const bool quoted = location.IsValid() && location.GetIndex() < sql_.size() && sql_[location.GetIndex()] == '"';
  if (quoted) return;
  if (const auto function = HostClock::function_of_keyword(word); !function.empty()) {
    auto constant = clock_.constant_for(function);
    constant->SetAlias(column.GetAlias());
    expression = std::move(constant);
    return;
  }
  static constexpr std::string_view names_of_home[] = {"current_catalog", "current_role", "current_schema",
                                                       "current_user", "session_user"};
  if (std::find(std::begin(names_of_home), std::end(names_of_home), word) != std::end(names_of_home)) {
    throw refused(word + " is not answered here.", "If it is a column, write it in double quotes.");
  }
}

}  // namespace stele
