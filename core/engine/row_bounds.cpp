#include "engine/row_bounds.hpp"

#include <string>

#include "duckdb/common/vector_operations/unary_executor.hpp"
#include "duckdb/function/scalar_function.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "duckdb/parser/expression/function_expression.hpp"

namespace stele {

namespace {

using duckdb::LogicalType;
using duckdb::string_t;
using duckdb::UnaryExecutor;

constexpr const char* count_name = "stele_row_count";
constexpr const char* text_name = "stele_compared_text";

std::int64_t checked_count(std::int64_t count) {
  if (count <= row_count_max) return count;
  throw duckdb::InvalidInputException(
      "A row asks for " + std::to_string(count) + " characters or elements at once, where at most " +
      std::to_string(row_count_max) + " are made; least(n, " + std::to_string(row_count_max) + ") keeps to it.");
}

string_t checked_text(string_t text) {
  if (static_cast<std::int64_t>(text.GetSize()) <= compared_bytes_max) return text;
  throw duckdb::InvalidInputException("A row compares a text of " + std::to_string(text.GetSize()) +
                                      " bytes, where distances are computed of at most " +
                                      std::to_string(compared_bytes_max) + "; left(text, 200) keeps to it.");
}

void check_counts(duckdb::DataChunk& arguments, duckdb::ExpressionState&, duckdb::Vector& result) {
  UnaryExecutor::Execute<std::int64_t, std::int64_t>(arguments.data[0], result, arguments.size(), checked_count);
}

void check_texts(duckdb::DataChunk& arguments, duckdb::ExpressionState&, duckdb::Vector& result) {
  UnaryExecutor::Execute<string_t, string_t>(arguments.data[0], result, arguments.size(), checked_text);
  duckdb::StringVector::AddHeapReference(result, arguments.data[0]);
}

duckdb::ScalarFunction bound_function(const char* name, const LogicalType& type, duckdb::scalar_function_t check) {
  duckdb::ScalarFunction function(name, {type}, type, std::move(check));
  function.errors = duckdb::FunctionErrors::CAN_THROW_RUNTIME_ERROR;
  return function;
}

void wrap(duckdb::unique_ptr<duckdb::ParsedExpression>& argument, const char* name) {
  std::string alias = argument->GetAlias();
  argument->ClearAlias();
  duckdb::vector<duckdb::unique_ptr<duckdb::ParsedExpression>> arguments;
  arguments.push_back(std::move(argument));
  argument = duckdb::make_uniq<duckdb::FunctionExpression>(name, std::move(arguments));
  argument->SetAlias(std::move(alias));
}

}  // namespace

void register_row_bounds(duckdb::DatabaseInstance& instance) {
  duckdb::ExtensionLoader loader(instance, "stele");
  loader.RegisterFunction(bound_function(count_name, LogicalType::BIGINT, check_counts));
  loader.RegisterFunction(bound_function(text_name, LogicalType::VARCHAR, check_texts));
}

void bound_row_count(duckdb::unique_ptr<duckdb::ParsedExpression>& argument) { wrap(argument, count_name); }
void bound_compared_text(duckdb::unique_ptr<duckdb::ParsedExpression>& argument) { wrap(argument, text_name); }

}  // namespace stele
