// Column plan: how the columns of incoming rows meet those of the table: by name, then by type. It never turns a typed
// column into text, and what it adds or widens it says.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "engine/engine.hpp"
#include "engine/snapshot.hpp"
#include "tables/row_source.hpp"
#include "tables/types.hpp"

namespace stele {

struct ColumnPlan {
  std::vector<Column> columns;  // of the version to be made
  int next_column = 1;
  std::vector<int> ids;            // per incoming column: its column id
  std::vector<std::string> types;  // per incoming column: the type that it gets in the table
  std::vector<std::string> added, removed, retyped;
  std::vector<Warning> warnings;

  const Column& column(int id) const;
};

// Matches by name: exactly, else without regard to case. With `replaces`, the table's columns that are not incoming
// end, and types are the incoming ones; otherwise they stay and new ones are added behind them, with a warning if the
// table is not new. Incoming names must differ without regard to case. Throws Error no_columns,
// too_many_columns.
ColumnPlan match_columns(const std::vector<Column>& table, int next_column, const std::vector<SourceColumn>& incoming,
                         bool replaces, const Engine& engine, std::uint64_t columns_max);

// What the planner asks of the incoming values, as RowSource::misfit answers it.
using MisfitOf = std::function<Task<std::optional<RowSource::Misfit>>(std::size_t column, std::string type)>;
// Whether all integers that the table has in a column are exact as DOUBLE.
using ExactAsDouble = std::function<Task<bool>(Column column)>;

// Decides the types of the columns that the table has already: its own where all incoming values fit, else the
// narrowest wider number (or DATE → TIMESTAMP) that holds both, said in a warning. Throws Error column_conflict naming
// every column that cannot be had, with its first value.
Task<ColumnPlan> settle_types(ColumnPlan plan, std::vector<SourceColumn> incoming, std::vector<Column> table,
                              MisfitOf misfit_of, ExactAsDouble exact_as_double, const Engine& engine);

}  // namespace stele
