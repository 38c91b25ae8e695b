#include "tables/column_plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "tables/letter_case.hpp"
#include "tables/type_family.hpp"

namespace stele {

namespace {

constexpr std::size_t conflicts_told_max = 10;

Column* by_id(std::vector<Column>& columns, int id) {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [id](const Column& column) { return column.id == id; });
  return found == columns.end() ? nullptr : &*found;
}

// Per incoming column the index of the table's column of that name, or -1.
std::vector<int> matches_by_name(const std::vector<Column>& table, const std::vector<SourceColumn>& incoming) {
  std::map<std::string, int> exact, folded;
  for (std::size_t i = 0; i < table.size(); ++i) {
    exact.emplace(table[i].name, static_cast<int>(i));
    folded.emplace(lower_ascii(table[i].name), static_cast<int>(i));
  }
  std::vector<int> matches;
  for (const SourceColumn& column : incoming) {
    auto found = exact.find(column.name);
    if (found == exact.end()) {
      found = folded.find(lower_ascii(column.name));
      if (found == folded.end()) {
        matches.push_back(-1);
        continue;
      }
    }
    matches.push_back(found->second);
  }
  return matches;
}

Warning added_warning(const std::string& name, const std::vector<std::string>& unmatched) {
  Warning warning;
  warning.kind = "column_added";
  warning.column = name;
  warning.message = "The table had no column \"" + name + "\": it was added, and is NULL in earlier rows.";
  const std::vector<std::string> near = nearest_names(name, unmatched, 1);
  if (!near.empty()) {
    warning.message += " These rows have nothing for the column \"" + near[0] +
                       "\" of a similar name; if that was meant, "
                       "restore the version before and write again.";
  }
  return warning;
}

std::vector<std::string> unmatched_names(const std::vector<Column>& table, const std::vector<int>& matches) {
  const std::set<int> matched(matches.begin(), matches.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!matched.count(static_cast<int>(i))) names.push_back(table[i].name);
  }
  return names;
}

std::string retyped_text(const Column& column, const std::string& type) {
  return column.name + ": " + column.type + " to " + type;
}

Warning widened_warning(const Column& column, const std::string& type, const RowSource::Misfit& misfit) {
  Warning warning;
  warning.kind = "column_widened";
  warning.column = column.name;
  warning.message = "The column \"" + column.name + "\" was " + column.type + " and became " + type + ", since \"" +
                    misfit.value + "\" does not fit " + column.type + ".";
  warning.value = misfit.value;
  warning.row = misfit.row;
  return warning;
}

struct Conflict {
  Column column;
  RowSource::Misfit misfit;
};

[[noreturn]] void refuse(const std::vector<Conflict>& conflicts) {
  std::string message;
  for (std::size_t i = 0; i < conflicts.size() && i < conflicts_told_max; ++i) {
    const auto& [column, misfit] = conflicts[i];
    message += (message.empty() ? "" : "; ");
    message += "column \"" + column.name + "\" is " + column.type + " and cannot hold \"" + misfit.value + "\" (row " +
               std::to_string(misfit.row) + ")";
  }
  if (conflicts.size() > conflicts_told_max) {
    message += "; and " + std::to_string(conflicts.size() - conflicts_told_max) + " more columns";
  }
  message[0] = 'C';
  throw Error(
      "column_conflict", message + ". Nothing was stored.",
      "Correct these values, or write them to a column of another name, or write the whole table with mode replace.");
}

}  // namespace

const Column& ColumnPlan::column(int id) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [id](const Column& one) { return one.id == id; });
  require(found != columns.end(), "a planned column is among the version's columns");
  return *found;
}

ColumnPlan match_columns(const std::vector<Column>& table, int next_column, const std::vector<SourceColumn>& incoming,
                         bool replaces, const Engine& engine, std::uint64_t columns_max) {
  if (incoming.empty())
    throw Error("no_columns", "None of the rows has a column: all are empty objects. Nothing was stored.",
                "Give the rows members, such as {\"name\": \"value\"}.");
  const std::vector<int> matches = matches_by_name(table, incoming);
  const std::vector<std::string> unmatched = unmatched_names(table, matches);
  ColumnPlan plan;
  plan.next_column = next_column;
  if (replaces) {
    plan.removed = unmatched;
  } else {
    plan.columns = table;
  }
  for (std::size_t i = 0; i < incoming.size(); ++i) {
    const std::string type = incoming[i].all_null ? "VARCHAR" : engine.kept_type(incoming[i].type);
    const Column* known = matches[i] < 0 ? nullptr : &table[static_cast<std::size_t>(matches[i])];
    plan.ids.push_back(known ? known->id : plan.next_column++);
    plan.types.push_back(known && !replaces ? known->type : type);
    if (!known) {
      plan.columns.push_back({plan.ids[i], incoming[i].name, type});
      if (table.empty()) continue;
      plan.added.push_back(incoming[i].name);
      if (!replaces) plan.warnings.push_back(added_warning(incoming[i].name, unmatched));
    } else if (replaces) {
      plan.columns.push_back({known->id, incoming[i].name, type});
      if (type != known->type) plan.retyped.push_back(retyped_text(*known, type));
    }
  }
  if (plan.columns.size() > columns_max) {
    throw Error("too_many_columns",
                "The table would have " + std::to_string(plan.columns.size()) + " columns, and at most " +
                    std::to_string(columns_max) + " are possible.",
                "Turn columns into rows, such as (id, name, value).");
  }
  return plan;
}

namespace {

// The narrowest type that holds what the table has and what is incoming; empty if there is none.
Task<std::string> wider_type(Column column, std::size_t index, std::string incoming_type, MisfitOf misfit_of,
                             ExactAsDouble exact_as_double, const Engine& engine) {
  for (const std::string& type : wider_candidates(column.type, engine.kept_type(incoming_type))) {
    if (!engine.widens(column.type, type)) {
      if (type != "DOUBLE" || !is_integer_type(column.type)) continue;
      const bool exact = co_await exact_as_double(column);
      if (!exact) continue;
    }
    const std::optional<RowSource::Misfit> misfit = co_await misfit_of(index, type);
    if (!misfit) co_return type;
  }
  co_return std::string();
}

}  // namespace

Task<ColumnPlan> settle_types(ColumnPlan plan, std::vector<SourceColumn> incoming, std::vector<Column> table,
                              MisfitOf misfit_of, ExactAsDouble exact_as_double, const Engine& engine) {
  std::vector<Conflict> conflicts;
  for (std::size_t i = 0; i < incoming.size(); ++i) {
    const Column* known = by_id(table, plan.ids[i]);
    if (!known || incoming[i].all_null || incoming[i].type == known->type) continue;
    if (engine.widens(incoming[i].type, known->type)) continue;
    const std::optional<RowSource::Misfit> misfit = co_await misfit_of(i, known->type);
    if (!misfit) continue;
    const std::string wider = co_await wider_type(*known, i, incoming[i].type, misfit_of, exact_as_double, engine);
    if (wider.empty()) {
      conflicts.push_back({*known, *misfit});
      continue;
    }
    plan.types[i] = wider;
    by_id(plan.columns, known->id)->type = wider;
    plan.retyped.push_back(retyped_text(*known, wider));
    plan.warnings.push_back(widened_warning(*known, wider, *misfit));
  }
  if (!conflicts.empty()) refuse(conflicts);
  co_return std::move(plan);
}

}  // namespace stele
