// The walk over a parsed SELECT: every node, table and expression is looked at, and a kind that is not known here is
// refused, so that a new engine cannot open a hole. It rewrites names and clocks in place; it never binds and never
// copies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "duckdb/parser/expression/columnref_expression.hpp"
#include "duckdb/parser/expression/function_expression.hpp"
#include "duckdb/parser/expression/window_expression.hpp"
#include "duckdb/parser/parsed_data/sample_options.hpp"
#include "duckdb/parser/query_node/list.hpp"
#include "duckdb/parser/tableref/list.hpp"
#include "engine/host_clock.hpp"

namespace stele {

// Tables that a statement may read once every CTE stands where it is named: b that joins a twice, c that joins b twice
// and so on double the plan at each step, which a hundred lines of SQL can make endless.
inline constexpr std::size_t table_reads_max = 1'000;

// A PIVOT that takes its columns from the data, by the name that the parser gave to their list.
struct PivotPlace {
  std::string list_name;
  duckdb::PivotColumn* column = nullptr;
};

class SelectWalker {
 public:
  // `sql` is the text that was parsed; it outlives the walker.
  SelectWalker(std::string_view sql, std::int64_t now_ms) : sql_(sql), clock_(now_ms) {}

  void walk(duckdb::QueryNode& node);

  std::vector<std::string>& tables() { return tables_; }
  const std::vector<PivotPlace>& pivots() const { return pivots_; }

 private:
  struct Cte {
    std::string name;  // lower case
    std::size_t reads = 0;
    bool recursive = false;
  };

  void walk_select(duckdb::SelectNode& node);
  void walk_cte(duckdb::CTENode& node);
  void walk_recursive(duckdb::RecursiveCTENode& node);
  void walk_modifiers(duckdb::QueryNode& node);
  void rename_ctes(duckdb::QueryNode& node);
  void fix_sample(duckdb::SampleOptions* sample);

  void walk(duckdb::unique_ptr<duckdb::TableRef>& table);
  void walk_name(duckdb::unique_ptr<duckdb::TableRef>& table);
  void walk_table_function(duckdb::TableFunctionRef& table);
  void walk_pivot(duckdb::PivotRef& table);
  void walk_show(duckdb::ShowRef& table);
  const Cte* find_cte(const std::string& name) const;
  void count_reads(std::size_t reads);
  std::size_t number_of(const std::string& table);

  void walk(duckdb::unique_ptr<duckdb::ParsedExpression>& expression);
  void walk_list(duckdb::vector<duckdb::unique_ptr<duckdb::ParsedExpression>>& expressions);
  void walk_children(duckdb::ParsedExpression& expression);
  void walk_function(duckdb::unique_ptr<duckdb::ParsedExpression>& expression);
  void walk_window(duckdb::WindowExpression& window);
  void walk_column(duckdb::unique_ptr<duckdb::ParsedExpression>& expression);

  std::string_view sql_;
  HostClock clock_;
  std::vector<std::string> tables_;
  std::vector<Cte> ctes_;  // in scope, innermost last
  std::vector<PivotPlace> pivots_;
  std::size_t reads_ = 0;
};

}  // namespace stele
