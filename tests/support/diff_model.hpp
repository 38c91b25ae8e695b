// Diff model: two versions as plain rows, and what a diff of them must tell, reckoned by looking at every row of both.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"

namespace stele::testing {

struct ModelColumn {
  std::string name;
  int id = 0;  // a column that was removed and added again is another one
};

struct ModelVersion {
  std::vector<ModelColumn> columns;
  std::vector<Json> rows;  // each with all columns, by name
};

using Bag = std::map<std::string, int>;

// The row's cells by the columns of `to`; null where its version had no such column.
inline Json cells_by(const Json& row, const ModelVersion& version, const ModelVersion& to) {
  Json cells = Json::array();
  for (const ModelColumn& wanted : to.columns) {
    Json cell;
    for (const ModelColumn& column : version.columns)
      if (column.id == wanted.id) cell = row[column.name];
    cells.push_back(std::move(cell));
  }
  return cells;
}

inline Bag bag_of(const ModelVersion& version, const ModelVersion& to) {
  Bag bag;
  for (const Json& row : version.rows) ++bag[cells_by(row, version, to).dump()];
  return bag;
}

inline Bag without(Bag bag, const Bag& other) {
  for (const auto& [row, count] : other)
    if (const auto found = bag.find(row); found != bag.end()) found->second -= count;
  for (auto row = bag.begin(); row != bag.end();) row = row->second <= 0 ? bag.erase(row) : std::next(row);
  return bag;
}

// One side of a change that a diff shows, by the columns of `to`, which come first.
inline std::string cells_told(const Json& change, const char* side, const ModelVersion& to) {
  if (!change.contains(side)) return "";
  Json cells = Json::array();
  for (std::size_t i = 0; i < to.columns.size(); ++i) cells.push_back(change[side][i]);
  return cells.dump();
}

inline void check_counts(const Json& diff) {
  std::map<std::string, std::size_t> told = {{"added", 0}, {"removed", 0}, {"changed", 0}};
  for (const Json& change : diff["rows"]) ++told[change["change"].get<std::string>()];
  for (const auto& [change, count] : told) CHECK(diff["counts"][change] == count);
}

// Without a key: the rows that one version has more often than the other.
inline void check_diff_by_values(const Json& diff, const ModelVersion& from, const ModelVersion& to) {
  Bag added, removed;
  for (const Json& change : diff["rows"]) {
    const bool is_added = change["change"] == "added";
    ++(is_added ? added : removed)[cells_told(change, is_added ? "after" : "before", to)];
  }
  const Bag before = bag_of(from, to), after = bag_of(to, to);
  CHECK(added == without(after, before));
  CHECK(removed == without(before, after));
  CHECK(diff["counts"]["changed"] == 0);
  check_counts(diff);
}

// With a key: what it tells, done to the rows of `from`, makes those of `to`; and a row is told once, as changed, where
// the key is in one row of each version.
inline void check_diff_by_key(const Json& diff, const ModelVersion& from, const ModelVersion& to,
                              const std::string& key) {
  const Bag before = bag_of(from, to);
  Bag made = before;
  std::map<std::string, int> in_before, in_after, told;
  for (const Json& row : from.rows) ++in_before[row[key].dump()];
  for (const Json& row : to.rows) ++in_after[row[key].dump()];
  std::size_t key_index = 0;
  while (to.columns[key_index].name != key) ++key_index;
  for (const Json& change : diff["rows"]) {
    const std::string gone = cells_told(change, "before", to), come = cells_told(change, "after", to);
    if (!gone.empty()) --made[gone];
    if (!come.empty()) ++made[come];
    ++told[(come.empty() ? change["before"] : change["after"])[key_index].dump()];
    CHECK(gone != come);
  }
  for (auto row = made.begin(); row != made.end();) row = row->second == 0 ? made.erase(row) : std::next(row);
  CHECK(made == bag_of(to, to));
  for (const auto& [value, count] : told)
    if (in_before[value] <= 1 && in_after[value] <= 1) CHECK(count == 1);
  check_counts(diff);
}

}  // namespace stele::testing
