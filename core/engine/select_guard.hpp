// The select guard: from text to one SELECT that may run. It knows syntax alone: it never binds, never runs and never
// asks whether a table or a file exists, so what it refuses tells nothing about either.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "duckdb/parser/statement/select_statement.hpp"
#include "duckdb/parser/tableref/pivotref.hpp"
#include "engine/engine.hpp"
#include "engine/limits.hpp"

namespace stele {

// The table function that stands for a table: stele_scan(i) reads snapshot i of the statement. SQL cannot call it.
inline constexpr const char* scan_function_name = "stele_scan";

// A PIVOT without an IN list takes its columns from the data: `statement` lists them in its first column, and
// put_values() puts that list where the PIVOT stands. Its tables are numbered as those of the statement it belongs to.
struct PivotValueQuery {
  duckdb::unique_ptr<duckdb::SelectStatement> statement;
  std::vector<duckdb::PivotColumn*>
      columns;  // where the list belongs: in the main statement and in later value queries
};

struct GuardedStatement {
  duckdb::unique_ptr<duckdb::SelectStatement> statement;
  std::vector<std::string> tables;             // names as written, each once; stele_scan(i) stands for tables[i]
  std::vector<PivotValueQuery> value_queries;  // to run first, in this order, each list put in before the next one runs
};

// Refuses everything but one SELECT over tables and allowed functions. `now_ms` is what now(), current_date and their
// like mean, in UTC. Throws Error: sql_refused for what is not run here, sql_error with DuckDB's message for what does
// not parse.
GuardedStatement guard_select(std::string_view sql, const Limits& limits, std::int64_t now_ms);

// Puts the values of one value query (first column of its rows, in order, NULLs left out) where they belong. At most
// pivot_values_max, else Error sql_refused; none at all is an Error too, as a PIVOT needs a column.
inline constexpr std::size_t pivot_values_max = 2'000;
void put_values(PivotValueQuery& query, const std::vector<std::string>& values);

// What Engine::guard answers.
class GuardedStatementSelect final : public GuardedSelect {
 public:
  explicit GuardedStatementSelect(GuardedStatement guarded) : guarded_(std::move(guarded)) {}
  const std::vector<std::string>& tables() const override { return guarded_.tables; }
  GuardedStatement& guarded() { return guarded_; }

 private:
  GuardedStatement guarded_;
};

}  // namespace stele
