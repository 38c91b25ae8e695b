#include "engine/select_walker.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "duckdb/common/string_util.hpp"
#include "duckdb/parser/expression/constant_expression.hpp"
#include "duckdb/parser/result_modifier.hpp"
#include "engine/alias_growth.hpp"
#include "engine/function_list.hpp"
#include "engine/select_guard.hpp"

namespace stele {
namespace {

using duckdb::make_uniq;
using duckdb::QueryNodeType;
using duckdb::ResultModifierType;
using duckdb::TableReferenceType;

// CTEs get a name that no catalogue has, so that where DuckDB sees another scope than the walk does, it finds nothing.
constexpr const char* cte_prefix = "with:";

// A sample without a seed gets this one: the same query answers the same rows.
constexpr duckdb::idx_t sample_seed = 42;

constexpr std::size_t grouping_sets_max = 4096;  // CUBE of 12 columns; each set is a plan of its own

Error refused(std::string message, std::string hint) {
  return Error("sql_refused", std::move(message), std::move(hint));
}

Error unknown_kind(const char* what) {
  return refused(std::string("The statement has a ") + what + " of a kind that is not run here.",
                 "Use SELECT with FROM, JOIN, WHERE, GROUP BY, WITH, UNION, PIVOT, window functions and subqueries.");
}

// The body of a CTE in the map of its siblings, where DuckDB reads names only.
duckdb::unique_ptr<duckdb::SelectStatement> empty_body() {
  auto node = make_uniq<duckdb::SelectNode>();
  node->select_list.push_back(make_uniq<duckdb::ConstantExpression>(duckdb::Value()));
  node->from_table = make_uniq<duckdb::EmptyTableRef>();
  auto statement = make_uniq<duckdb::SelectStatement>();
  statement->node = std::move(node);
  return statement;
}

}  // namespace

void SelectWalker::walk(duckdb::QueryNode& node) {
  rename_ctes(node);
  switch (node.type) {
    case QueryNodeType::SELECT_NODE:
      walk_select(node.Cast<duckdb::SelectNode>());
      return walk_modifiers(node);
    case QueryNodeType::SET_OPERATION_NODE:
      walk(*node.Cast<duckdb::SetOperationNode>().left);
      walk(*node.Cast<duckdb::SetOperationNode>().right);
      return walk_modifiers(node);
    case QueryNodeType::CTE_NODE:
      return walk_cte(node.Cast<duckdb::CTENode>());
    case QueryNodeType::RECURSIVE_CTE_NODE:
      return walk_recursive(node.Cast<duckdb::RecursiveCTENode>());
    default:
      throw unknown_kind("query");
  }
}

void SelectWalker::walk_select(duckdb::SelectNode& node) {
  if (node.from_table) walk(node.from_table);
  for (auto& item : node.select_list) {
    const std::string shown = item->GetName();
    walk(item);
    // A column is named by what its author wrote, not by what stands there now.
    if (!item->HasAlias() && item->GetName() != shown) item->SetAlias(shown);
  }
  walk_list(node.groups.group_expressions);
  if (node.groups.grouping_sets.size() > grouping_sets_max) {
    throw refused("GROUP BY has more than " + std::to_string(grouping_sets_max) + " grouping sets.",
                  "Name the sets that you need with GROUPING SETS.");
  }
  if (node.where_clause) walk(node.where_clause);
  if (node.having) walk(node.having);
  if (node.qualify) walk(node.qualify);
  fix_sample(node.sample.get());
  check_alias_growth(node);
}

void SelectWalker::walk_cte(duckdb::CTENode& node) {
  const std::size_t before = reads_;
  walk(*node.query);
  ctes_.push_back({duckdb::StringUtil::Lower(node.ctename), reads_ - before, false});
  node.ctename = cte_prefix + node.ctename;
  walk(*node.child);
  walk_modifiers(node);  // DuckDB gives them to the child
  ctes_.pop_back();
}

void SelectWalker::walk_recursive(duckdb::RecursiveCTENode& node) {
  walk(*node.left);
  ctes_.push_back({duckdb::StringUtil::Lower(node.ctename), 1, true});
  node.ctename = cte_prefix + node.ctename;
  walk(*node.right);
  walk_list(node.key_targets);
  walk_modifiers(node);
  ctes_.pop_back();
}

void SelectWalker::walk_modifiers(duckdb::QueryNode& node) {
  for (auto& modifier : node.modifiers) {
    switch (modifier->type) {
      case ResultModifierType::LIMIT_MODIFIER: {
        auto& limit = modifier->Cast<duckdb::LimitModifier>();
        if (limit.limit) walk(limit.limit);
        if (limit.offset) walk(limit.offset);
        break;
      }
      case ResultModifierType::LIMIT_PERCENT_MODIFIER: {
        auto& limit = modifier->Cast<duckdb::LimitPercentModifier>();
        if (limit.limit) walk(limit.limit);
        if (limit.offset) walk(limit.offset);
        break;
      }
      case ResultModifierType::ORDER_MODIFIER:
        for (auto& order : modifier->Cast<duckdb::OrderModifier>().orders) walk(order.expression);
        break;
      case ResultModifierType::DISTINCT_MODIFIER:
        walk_list(modifier->Cast<duckdb::DistinctModifier>().distinct_on_targets);
        break;
      default:
        throw unknown_kind("clause");
    }
  }
}

void SelectWalker::rename_ctes(duckdb::QueryNode& node) {
  duckdb::CommonTableExpressionMap renamed;
  for (auto& [name, info] : node.cte_map.map) {
    info->query = empty_body();
    renamed.map.insert(cte_prefix + name, std::move(info));
  }
  node.cte_map = std::move(renamed);
}

void SelectWalker::fix_sample(duckdb::SampleOptions* sample) {
  if (!sample) return;
  if (!sample->seed.IsValid()) sample->SetSeed(sample_seed);
  sample->repeatable = true;
}

void SelectWalker::walk(duckdb::unique_ptr<duckdb::TableRef>& table) {
  fix_sample(table->sample.get());
  switch (table->type) {
    case TableReferenceType::BASE_TABLE:
      return walk_name(table);
    case TableReferenceType::SUBQUERY:
      return walk(*table->Cast<duckdb::SubqueryRef>().subquery->node);
    case TableReferenceType::JOIN: {
      auto& join = table->Cast<duckdb::JoinRef>();
      walk(join.left);
      walk(join.right);
      if (join.condition) walk(join.condition);
      return walk_list(join.duplicate_eliminated_columns);
    }
    case TableReferenceType::TABLE_FUNCTION:
      return walk_table_function(table->Cast<duckdb::TableFunctionRef>());
    case TableReferenceType::EXPRESSION_LIST:
      for (auto& row : table->Cast<duckdb::ExpressionListRef>().values) walk_list(row);
      return;
    case TableReferenceType::PIVOT:
      return walk_pivot(table->Cast<duckdb::PivotRef>());
    case TableReferenceType::SHOW_REF:
      return walk_show(table->Cast<duckdb::ShowRef>());
    case TableReferenceType::EMPTY_FROM:
      return;
    default:
      throw unknown_kind("table");
  }
}

// A name in FROM is a CTE in scope, or else a table.
void SelectWalker::walk_name(duckdb::unique_ptr<duckdb::TableRef>& table) {
  auto& named = table->Cast<duckdb::BaseTableRef>();
  const Cte* cte = find_cte(named.table_name);
  const bool recurring = cte && cte->recursive && named.catalog_name.empty() && named.schema_name == "recurring";
  if (!recurring && !(named.catalog_name.empty() && named.schema_name.empty())) {
    throw refused("A table is named by its path alone, without catalogue or schema.",
                  "Put the whole path in one pair of double quotes: SELECT * FROM \"research/competitors\".");
  }
  if (named.at_clause) {
    throw refused("AT (VERSION …) is not how a version is named here.",
                  "Write the version after the path: SELECT * FROM \"research/competitors@3\".");
  }
  if (named.alias.empty()) named.alias = named.table_name;
  if (cte) {
    count_reads(cte->reads);
    named.table_name = cte_prefix + named.table_name;
    return;
  }
  count_reads(1);
  duckdb::vector<duckdb::unique_ptr<duckdb::ParsedExpression>> arguments;
  const auto number = static_cast<std::int32_t>(number_of(named.table_name));
  arguments.push_back(make_uniq<duckdb::ConstantExpression>(duckdb::Value::INTEGER(number)));
  auto scan = make_uniq<duckdb::TableFunctionRef>();
  scan->function = make_uniq<duckdb::FunctionExpression>(scan_function_name, std::move(arguments));
  scan->alias = std::move(named.alias);
  scan->column_name_alias = std::move(named.column_name_alias);
  scan->sample = std::move(named.sample);
  scan->query_location = named.query_location;
  table = std::move(scan);
}

void SelectWalker::walk_table_function(duckdb::TableFunctionRef& table) {
  if (!table.function || table.function->GetExpressionClass() != duckdb::ExpressionClass::FUNCTION || table.subquery) {
    throw unknown_kind("table function");
  }
  auto& function = table.function->Cast<duckdb::FunctionExpression>();
  const std::string name = duckdb::StringUtil::Lower(function.function_name);
  if (!function.catalog.empty() || !function.schema.empty() || !is_allowed_table_function(name)) {
    throw refused("The function " + name + " cannot stand in FROM here.", instead_of_table_function(name));
  }
  count_reads(1);
  walk_children(function);
}

void SelectWalker::walk_pivot(duckdb::PivotRef& table) {
  walk(table.source);
  walk_list(table.aggregates);
  for (auto& column : table.pivots) {
    walk_list(column.pivot_expressions);
    for (auto& entry : column.entries) {
      if (entry.expr) walk(entry.expr);
    }
    if (column.subquery) throw unknown_kind("PIVOT");
    if (!column.pivot_enum.empty()) pivots_.push_back({column.pivot_enum, &column});
  }
}

void SelectWalker::walk_show(duckdb::ShowRef& table) {
  if (table.show_type == duckdb::ShowType::SUMMARY) {
    throw refused("SUMMARIZE is not run here.", "describe_table answers the profile of each column of a table.");
  }
  if (table.show_type != duckdb::ShowType::DESCRIBE || !table.query) {
    throw refused("SHOW is not run here.",
                  "list_tables answers the tables there are, DESCRIBE \"path\" a table's columns.");
  }
  walk(*table.query);
}

const SelectWalker::Cte* SelectWalker::find_cte(const std::string& name) const {
  const std::string lower = duckdb::StringUtil::Lower(name);
  const auto found = std::find_if(ctes_.rbegin(), ctes_.rend(), [&](const Cte& cte) { return cte.name == lower; });
  return found == ctes_.rend() ? nullptr : &*found;
}

void SelectWalker::count_reads(std::size_t reads) {
  reads_ += reads;
  if (reads_ > table_reads_max) {
    throw refused("The statement reads tables more than " + std::to_string(table_reads_max) +
                      " times, counting each use of a WITH clause.",
                  "Save an intermediate result as a table with save_as and read that.");
  }
}

std::size_t SelectWalker::number_of(const std::string& table) {
  const auto found = std::find(tables_.begin(), tables_.end(), table);
  if (found != tables_.end()) return static_cast<std::size_t>(found - tables_.begin());
  tables_.push_back(table);
  return tables_.size() - 1;
}

}  // namespace stele
