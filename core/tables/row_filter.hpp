// Row filter: conditions on columns as a home's pages and links give them, as SQL. Safe by construction: operators come
// from a list, columns by their id, values as checked literals, so that no text of a caller's is ever read as SQL.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"

namespace stele {

struct RowFilter {
  Column column;
  std::string op;  // one of filter_operators()
  Json value;      // text, number or boolean; null where the operator takes none
};

// "=", "!=", "<", "<=", ">", ">=", "contains", "starts_with", "is_null", "is_not_null". A NULL cell passes is_null
// alone. contains and starts_with look at the value as text, whatever the case.
const std::vector<std::string>& filter_operators();

// The condition that rows pass all filters, over columns named "c<id>"; empty if there are none. Throws Error
// invalid_filter naming a value that the column's type cannot have.
Task<std::string> filter_sql(Engine& engine, std::vector<RowFilter> filters);

// The condition that some column holds this text, whatever the case.
std::string search_sql(const std::vector<Column>& columns, const std::string& text);

}  // namespace stele
