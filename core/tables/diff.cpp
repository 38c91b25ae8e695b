#include "tables/diff.hpp"

#include <algorithm>
#include <utility>

#include "tables/column_list.hpp"
#include "tables/diff_sql.hpp"
#include "tables/row_difference.hpp"
#include "tables/row_page.hpp"
#include "tables/type_family.hpp"

namespace stele {
namespace {

const Column* by_id(const std::vector<Column>& columns, int id) {
  const auto found = std::find_if(columns.begin(), columns.end(), [id](const Column& one) { return one.id == id; });
  return found == columns.end() ? nullptr : &*found;
}

Json from_to(const std::string& from, const std::string& to) {
  Json pair = Json::object();
  pair["from"] = from;
  pair["to"] = to;
  return pair;
}

Json column_changes(const std::vector<Column>& before, const std::vector<Column>& after) {
  std::vector<Column> added, removed;
  Json retyped = Json::array(), renamed = Json::array();
  for (const Column& column : after) {
    const Column* old = by_id(before, column.id);
    if (!old) added.push_back(column);
    if (old && old->name != column.name) renamed.push_back(from_to(old->name, column.name));
    if (!old || old->type == column.type) continue;
    Json change = Json::object();
    change["name"] = column.name;
    change.update(from_to(old->type, column.type));
    retyped.push_back(std::move(change));
  }
  for (const Column& column : before)
    if (!by_id(after, column.id)) removed.push_back(column);
  Json changes = Json::object();
  changes["added"] = columns_json(added);
  changes["removed"] = columns_json(removed);
  changes["retyped"] = std::move(retyped);
  changes["renamed"] = std::move(renamed);
  return changes;
}

// A change to show: a row of `from`, a row of `to`, or both.
struct Change {
  std::optional<Position> before, after;
};

struct ChangePage {
  std::uint64_t added = 0, removed = 0, changed = 0;
  std::vector<Change> changes;
};

class Diff {
 public:
  Diff(Engine& engine, RowDifference difference) : engine_(engine), difference_(std::move(difference)) {}

  void set_key(std::vector<int> key) { key_ = std::move(key); }

  Task<Json> answer(std::uint64_t offset, std::uint64_t limit) {
    ChangePage page;
    if (difference_.before.count > 0 && difference_.after.count > 0) {
      Task<ChangePage> comparing = compare(offset, limit);
      page = co_await std::move(comparing);
    } else {
      page = own_page(offset, limit);
    }
    Json answer = Json::object();
    answer["columns"] = column_changes(difference_.before.columns, difference_.after.columns);
    answer["key_columns"] = Json::array();
    for (const int id : key_) answer["key_columns"].push_back(by_id(difference_.after.columns, id)->name);
    answer["counts"]["added"] = page.added;
    answer["counts"]["removed"] = page.removed;
    answer["counts"]["changed"] = page.changed;
    const std::vector<Column> shown = shown_columns();
    answer["columns_shown"] = columns_json(shown);
    Task<Json> reading = rows_of(&page.changes, shown);
    Json rows = co_await std::move(reading);
    answer["truncated"] = rows.size() < page.changes.size();
    answer["rows"] = std::move(rows);
    co_return answer;
  }

 private:
  // Of `to` in its order, then those that it has no more.
  std::vector<Column> shown_columns() const {
    std::vector<Column> shown = difference_.after.columns;
    for (const Column& column : difference_.before.columns)
      if (!by_id(difference_.after.columns, column.id)) shown.push_back(column);
    return shown;
  }

  // One version has all that the other has: nothing need be compared.
  ChangePage own_page(std::uint64_t offset, std::uint64_t limit) const {
    ChangePage page;
    page.added = difference_.after.count;
    page.removed = difference_.before.count;
    for (const Position& position : difference_.after.positions(offset, limit)) page.changes.push_back({{}, position});
    for (const Position& position : difference_.before.positions(offset, limit)) page.changes.push_back({position, {}});
    return page;
  }

  // A type that tells apart what either version's tells apart.
  std::string common_type(const std::string& before, const std::string& after) const {
    const bool is_nested = after.back() == ']' || after.back() == ')' || after == "JSON";
    const bool is_decimal = after.substr(0, 7) == "DECIMAL";
    if (is_nested && !is_decimal) return "VARCHAR";
    if (after == "INTERVAL") return "VARCHAR";  // a month equals thirty days otherwise
    if (before == after || engine_.widens(before, after)) return after;
    if (engine_.widens(after, before)) return before;
    // An integer became a double, which was allowed only where that is exact.
    return is_number_type(before) && is_number_type(after) ? "DOUBLE" : "VARCHAR";
  }

  // A column that `to` has no more is told once, and makes no row a changed one.
  std::vector<ComparedColumn> compared_columns() const {
    std::vector<ComparedColumn> compared;
    for (const Column& column : difference_.after.columns) {
      const Column* old = by_id(difference_.before.columns, column.id);
      const bool is_key = std::find(key_.begin(), key_.end(), column.id) != key_.end();
      compared.push_back({column.id, common_type(old ? old->type : column.type, column.type), old != nullptr, is_key});
    }
    return compared;
  }

  Task<ChangePage> compare(std::uint64_t offset, std::uint64_t limit) {
    std::vector<SnapshotPtr> whole;
    std::vector<PickedRows> picked;
    for (const OwnRows* rows : {&difference_.before, &difference_.after}) {
      whole.push_back(rows->whole_rows());
      picked.push_back({rows->rows, rows->picked});
    }
    const auto cursor =
        engine_.start_own(diff_sql(compared_columns(), offset, limit), std::move(whole), std::move(picked));
    ChangePage page;
    bool counted = false;
    for (;;) {
      Task<bool> advancing = next_chunk(*cursor, "comparing rows");
      const bool more = co_await std::move(advancing);
      if (!more) break;
      for (std::size_t row = 0; row < cursor->row_count(); ++row) {
        if (counted) page.changes.push_back({position_at(*cursor, row, 0), position_at(*cursor, row, 2)});
        if (!counted) take_counts(*cursor, page);
        counted = true;
      }
    }
    require(counted, "a diff counts");
    co_return page;
  }

  static void take_counts(const Cursor& cursor, ChangePage& page) {
    page.added = static_cast<std::uint64_t>(cursor.int64(0, 0));
    page.removed = static_cast<std::uint64_t>(cursor.int64(0, 1));
    page.changed = static_cast<std::uint64_t>(cursor.int64(0, 2));
  }

  static std::optional<Position> position_at(const Cursor& cursor, std::size_t row, std::size_t column) {
    const std::int64_t segment = cursor.int64(row, column);
    if (segment < 0) return {};
    return Position{static_cast<std::uint32_t>(segment), static_cast<std::uint32_t>(cursor.int64(row, column + 1))};
  }

  // The cells of one version's part of a page, by the columns shown; as many of the first as fit.
  Task<std::vector<Json>> cells_of(const OwnRows* own, std::vector<Position> positions,
                                   const std::vector<Column>* shown) {
    std::vector<int> ids;
    for (const Column& column : *shown)
      if (by_id(own->columns, column.id)) ids.push_back(column.id);
    Task<std::vector<Json>> reading =
        cells_at(engine_, own->rows, std::move(positions), std::move(ids), page_bytes_max / 2);
    std::vector<Json> rows = co_await std::move(reading);
    for (Json& row : rows) {
      Json cells = Json::array();
      std::size_t next = 0;
      for (const Column& column : *shown)
        cells.push_back(by_id(own->columns, column.id) ? std::move(row[next++]) : Json());
      row = std::move(cells);
    }
    co_return rows;
  }

  Task<Json> rows_of(const std::vector<Change>* changes, std::vector<Column> shown) {
    std::vector<Position> before_positions, after_positions;
    for (const Change& change : *changes) {
      if (change.before) before_positions.push_back(*change.before);
      if (change.after) after_positions.push_back(*change.after);
    }
    Task<std::vector<Json>> reading_before = cells_of(&difference_.before, std::move(before_positions), &shown);
    std::vector<Json> before = co_await std::move(reading_before);
    Task<std::vector<Json>> reading_after = cells_of(&difference_.after, std::move(after_positions), &shown);
    std::vector<Json> after = co_await std::move(reading_after);

    Json rows = Json::array();
    std::size_t next_before = 0, next_after = 0;
    for (const Change& change : *changes) {
      const bool fits = (!change.before || next_before < before.size()) && (!change.after || next_after < after.size());
      if (!fits) break;
      Json shown_row = Json::object();
      shown_row["change"] = !change.before ? "added" : !change.after ? "removed" : "changed";
      if (change.before) shown_row["before"] = std::move(before[next_before++]);
      if (change.after) shown_row["after"] = std::move(after[next_after++]);
      rows.push_back(std::move(shown_row));
    }
    co_return rows;
  }

  Engine& engine_;
  RowDifference difference_;
  std::vector<int> key_;
};

// The key's column ids, which both versions have.
std::vector<int> key_of(const DiffRequest& request, const RowDifference& difference, const std::vector<int>& latest) {
  const auto& before = difference.before.columns;
  const auto& after = difference.after.columns;
  std::vector<int> key;
  if (!request.key_columns) {
    const auto in_both = [&](int id) { return by_id(before, id) && by_id(after, id); };
    return std::all_of(latest.begin(), latest.end(), in_both) ? latest : key;
  }
  for (const std::string& name : *request.key_columns) {
    const int id = get_column(after, name).id;
    if (!by_id(before, id)) refuse_unknown_column(before, name);
    key.push_back(id);
  }
  return key;
}

}  // namespace

Task<Json> diff_versions(SqlStore& store, Versions& versions, Engine& engine, TableRecord table, DiffRequest request) {
  RowDifference difference = row_difference(store, versions, table, request.from, request.to);
  std::vector<int> key = key_of(request, difference, versions.latest_key(table));
  Diff diff(engine, std::move(difference));
  diff.set_key(std::move(key));
  Task<Json> answering = diff.answer(request.offset, request.limit);
  Json answer = co_await std::move(answering);
  co_return answer;
}

}  // namespace stele
