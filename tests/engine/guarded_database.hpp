// GuardedDatabase: a plain DuckDB with a few small tables behind stele_scan, to run what the guard let pass. It knows
// nothing of segments; it stands in for the engine's reader alone.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "duckdb/catalog/catalog.hpp"
#include "duckdb/common/exception.hpp"
#include "duckdb/main/client_context.hpp"
#include "duckdb/parser/parsed_data/create_table_function_info.hpp"
#include "duckdb/parser/parser.hpp"
#include "duckdb/parser/tableref/subqueryref.hpp"
#include "engine/row_bounds.hpp"
#include "engine/select_guard.hpp"

namespace stele::test {

// 2025-04-03 04:05:06.789 UTC
inline constexpr std::int64_t now_ms = 1'743'653'106'789;

class GuardedDatabase {
 public:
  GuardedDatabase() : database_(nullptr), connection_(database_) {
    duckdb::TableFunction scan(scan_function_name, {duckdb::LogicalType::INTEGER}, nullptr);
    scan.bind_replace = &GuardedDatabase::read_table;
    duckdb::CreateTableFunctionInfo info(scan);
    connection_.context->RegisterFunction(info);
    register_row_bounds(*database_.instance);
    connection_.Query("SET TimeZone = 'UTC'");
  }

  // Rows as text: cells parted by '|', rows by '\n'. Throws Error from the guard and runtime_error from DuckDB.
  std::string run(const std::string& sql) {
    GuardedStatement guarded = guard_select(sql, Limits{}, now_ms);
    tables_ = guarded.tables;
    for (auto& query : guarded.value_queries) put_values(query, first_column(std::move(query.statement)));
    return text_of(*execute(std::move(guarded.statement)));
  }

 private:
  // Table i of the statement that runs, by the name that it was asked for.
  static duckdb::unique_ptr<duckdb::TableRef> read_table(duckdb::ClientContext&,
                                                         duckdb::TableFunctionBindInput& input) {
    static const std::map<std::string, std::string> tables = {
        {"t", "SELECT * FROM (VALUES (1, 'one'), (2, 'two')) AS v(id, note)"},
        {"sales/2025",
         "SELECT * FROM (VALUES (1, 'north', 10.5, DATE '2025-01-03'), (2, 'south', 20.0, DATE '2025-01-04'), "
         "(3, 'north', 30.25, DATE '2025-02-01'), (4, NULL, NULL, DATE '2025-02-02')) "
         "AS v(id, region, amount, day)"},
        {"sales/2025@1", "SELECT * FROM (VALUES (1, 'north', 10.5, DATE '2025-01-03')) AS v(id, region, amount, day)"},
        {"prices",
         "SELECT * FROM (VALUES ('north', DATE '2025-01-01', 1.0), ('north', DATE '2025-01-15', 2.0), "
         "('south', DATE '2025-01-01', 3.0)) AS v(region, since, price)"},
        {"docs",
         "SELECT * FROM (VALUES (1, '{\"a\": {\"b\": [1, 2]}}', [3, 1, 2], {'x': 1, 'y': 'z'}, MAP {'k': 7})) "
         "AS v(id, body, list, pair, lookup)"},
        {"duckdb_tables", "SELECT 'mine' AS whose"},
    };
    const auto index = static_cast<std::size_t>(input.inputs[0].GetValue<std::int32_t>());
    const auto found = tables.find(tables_.at(index));
    if (found == tables.end()) throw duckdb::BinderException("unknown table " + tables_.at(index));
    duckdb::Parser parser;
    parser.ParseQuery(found->second);
    return duckdb::make_uniq<duckdb::SubqueryRef>(
        duckdb::unique_ptr_cast<duckdb::SQLStatement, duckdb::SelectStatement>(std::move(parser.statements[0])));
  }

  duckdb::unique_ptr<duckdb::QueryResult> execute(duckdb::unique_ptr<duckdb::SelectStatement> statement) {
    auto result = connection_.Query(std::move(statement));
    if (result->HasError()) throw std::runtime_error(result->GetError());
    return result;
  }

  std::vector<std::string> first_column(duckdb::unique_ptr<duckdb::SelectStatement> statement) {
    std::vector<std::string> values;
    auto result = execute(std::move(statement));
    for (auto& row : *result) {
      const auto value = row.GetValue<duckdb::Value>(0);
      if (!value.IsNull()) values.push_back(value.ToString());
    }
    return values;
  }

  static std::string text_of(duckdb::QueryResult& result) {
    std::string text;
    for (auto& row : result) {
      if (!text.empty()) text += '\n';
      for (duckdb::idx_t column = 0; column < result.ColumnCount(); ++column) {
        if (column > 0) text += '|';
        text += row.GetValue<duckdb::Value>(column).ToString();
      }
    }
    return text;
  }

  inline static std::vector<std::string> tables_;
  duckdb::DuckDB database_;
  duckdb::Connection connection_;
};

}  // namespace stele::test
