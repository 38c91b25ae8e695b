#include "engine/alias_growth.hpp"

#include <string>
#include <unordered_map>

#include "base/error.hpp"
#include "duckdb/common/string_util.hpp"
#include "duckdb/parser/expression/columnref_expression.hpp"
#include "duckdb/parser/parsed_expression_iterator.hpp"

namespace stele {
namespace {

using duckdb::ParsedExpression;
using duckdb::ParsedExpressionIterator;

// Sizes of aliases as DuckDB will put them in, and the nodes that this adds so far.
class Growth {
 public:
  std::size_t add(const ParsedExpression& expression) {
    std::size_t nodes = 1;
    if (expression.GetExpressionClass() == duckdb::ExpressionClass::COLUMN_REF) {
      const auto& column = expression.Cast<duckdb::ColumnRefExpression>();
      const auto alias = sizes_.find(duckdb::StringUtil::Lower(column.GetColumnName()));
      if (alias == sizes_.end()) return nodes;
      grow(alias->second);
      return alias->second;
    }
    ParsedExpressionIterator::EnumerateChildren(expression,
                                                [&](const ParsedExpression& child) { nodes += add(child); });
    return nodes;
  }

  void add_item(const ParsedExpression& item) {
    const std::size_t nodes = add(item);
    if (item.HasAlias()) sizes_[duckdb::StringUtil::Lower(item.GetAlias())] = nodes;
  }

 private:
  void grow(std::size_t nodes) {
    added_ += nodes - 1;
    if (added_ > alias_growth_max) {
      throw Error("sql_refused",
                  "The SELECT list uses its own aliases in one another until they grow too large to plan.",
                  "Compute them in steps: WITH first AS (SELECT …) SELECT … FROM first.");
    }
  }

  std::unordered_map<std::string, std::size_t> sizes_;
  std::size_t added_ = 0;
};

}  // namespace

void check_alias_growth(const duckdb::SelectNode& node) {
  Growth growth;
  for (const auto& item : node.select_list) growth.add_item(*item);
  for (const auto& group : node.groups.group_expressions) growth.add(*group);
  for (const auto* clause : {&node.where_clause, &node.having, &node.qualify}) {
    if (*clause) growth.add(**clause);
  }
}

}  // namespace stele
