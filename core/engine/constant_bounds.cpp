#include "engine/constant_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "duckdb/parser/expression/cast_expression.hpp"
#include "duckdb/parser/expression/constant_expression.hpp"
#include "engine/row_bounds.hpp"

namespace stele {
namespace {

using duckdb::ExpressionClass;
using duckdb::FunctionExpression;
using duckdb::ParsedExpression;

std::optional<double> number(const duckdb::Value& value) {
  if (value.IsNull() || !value.type().IsNumeric()) return std::nullopt;
  return value.GetValue<double>();
}

std::optional<double> constant_number(const ParsedExpression& expression);

std::optional<double> arithmetic(const FunctionExpression& function) {
  const std::string& name = function.function_name;
  if (function.children.empty() || function.children.size() > 2) return std::nullopt;
  const auto left = constant_number(*function.children.front());
  const auto right = constant_number(*function.children.back());
  if (!left || !right) return std::nullopt;
  if (function.children.size() == 1) return name == "-" ? std::optional(-*left) : std::nullopt;
  if (name == "+" || name == "add") return *left + *right;
  if (name == "-" || name == "subtract") return *left - *right;
  if (name == "*" || name == "multiply") return *left * *right;
  if (name == "/" || name == "//" || name == "divide") return *left / *right;
  if (name == "^" || name == "**" || name == "pow" || name == "power") return std::pow(*left, *right);
  if (name == "<<") return std::ldexp(*left, static_cast<int>(std::clamp(*right, 0.0, 1000.0)));
  return std::nullopt;
}

// The number that an expression of literals and arithmetic has, near enough for a bound.
std::optional<double> constant_number(const ParsedExpression& expression) {
  switch (expression.GetExpressionClass()) {
    case ExpressionClass::CONSTANT:
      return number(expression.Cast<duckdb::ConstantExpression>().value);
    case ExpressionClass::CAST:
      return constant_number(*expression.Cast<duckdb::CastExpression>().child);
    case ExpressionClass::FUNCTION:
      return arithmetic(expression.Cast<FunctionExpression>());
    default:
      return std::nullopt;
  }
}

const std::string* constant_text(const ParsedExpression& expression) {
  if (expression.GetExpressionClass() != ExpressionClass::CONSTANT) return nullptr;
  const auto& value = expression.Cast<duckdb::ConstantExpression>().value;
  if (value.IsNull() || value.type().id() != duckdb::LogicalTypeId::VARCHAR) return nullptr;
  return &duckdb::StringValue::Get(value);
}

Error too_long(const std::string& name) {
  return Error("sql_refused",
               name + " is not run with arguments that make more than " + std::to_string(built_length_max) +
                   " characters or elements at once.",
               name == "range" || name == "generate_series"
                   ? "In FROM, " + name + "(…) streams its rows and may be as long as you like."
                   : "Use a smaller number.");
}

// Argument `index` says how long the result is, in units of the constant text or list beside it.
void bound_count(FunctionExpression& function, std::size_t index) {
  if (index >= function.children.size()) return;
  auto& count = function.children[index];
  if (const auto known = constant_number(*count)) {
    const std::string* unit = function.function_name == "repeat" ? constant_text(*function.children[0]) : nullptr;
    const double unit_length = unit ? std::max<double>(1, static_cast<double>(unit->size())) : 1;
    if (!(*known * unit_length <= static_cast<double>(built_length_max))) throw too_long(function.function_name);
    return;
  }
  bound_row_count(count);
}

// Two texts whose comparison takes the product of their lengths.
void bound_texts(FunctionExpression& function) {
  for (auto& text : function.children) bound_compared_text(text);
}

// range(stop), range(start, stop), range(start, stop, step) as a list. Columns and dates are left to run: a list of
// them is as long as a caller's own rows say.
void bound_series(const FunctionExpression& function) {
  const auto& arguments = function.children;
  if (arguments.empty() || arguments.size() > 3) return;
  const auto first = constant_number(*arguments.front());
  const auto stop = arguments.size() == 1 ? first : constant_number(*arguments[1]);
  const auto step = arguments.size() == 3 ? constant_number(*arguments[2]) : std::optional(1.0);
  if (!first || !stop || !step || *step == 0) return;
  const double start = arguments.size() == 1 ? 0 : *first;
  if (!((*stop - start) / *step <= static_cast<double>(built_length_max))) throw too_long(function.function_name);
}

// printf('%2000000000d', 1) and format('{:2000000000}', 1), or a width that comes from an argument.
void bound_pattern(const FunctionExpression& function) {
  const std::string* pattern = function.children.empty() ? nullptr : constant_text(*function.children[0]);
  if (!pattern) return;
  int digits = 0;
  for (const char c : *pattern) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > pattern_width_digits_max) throw too_long(function.function_name);
  }
  const char* nested = function.function_name == "printf" ? "*" : ":{";
  if (pattern->find(nested) != std::string::npos) {
    throw Error("sql_refused", function.function_name + " is not run with a width that comes from an argument.",
                "Write the width into the pattern.");
  }
}

// max(x, n), arg_min(x, y, n), approx_top_k(x, n) keep n values for each group.
void bound_kept(const FunctionExpression& function, std::size_t index) {
  if (index >= function.children.size()) return;
  const auto known = constant_number(*function.children[index]);
  if (known && !(*known <= static_cast<double>(built_length_max))) throw too_long(function.function_name);
}

}  // namespace

void bound_arguments(FunctionExpression& function) {
  const std::string& name = function.function_name;
  if (name == "repeat" || name == "lpad" || name == "rpad" || name == "list_resize" || name == "array_resize" ||
      name == "bitstring") {
    bound_count(function, 1);
  } else if (name == "levenshtein" || name == "editdist3" || name == "damerau_levenshtein" ||
             name == "jaro_similarity" || name == "jaro_winkler_similarity") {
    bound_texts(function);
  } else if (name == "range" || name == "generate_series") {
    bound_series(function);
  } else if (name == "printf" || name == "format") {
    bound_pattern(function);
  } else if (name == "min" || name == "max" || name == "approx_top_k") {
    bound_kept(function, 1);
  } else if (name == "equi_width_bins" || name == "arg_min" || name == "arg_max" || name == "argmin" ||
             name == "argmax" || name == "min_by" || name == "max_by") {
    bound_kept(function, 2);
  }
}

}  // namespace stele
