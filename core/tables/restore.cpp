#include "tables/restore.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "tables/row_difference.hpp"

namespace stele {

namespace {

const Column* by_id(const std::vector<Column>& columns, int id) {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [id](const Column& column) { return column.id == id; });
  return found == columns.end() ? nullptr : &*found;
}

void tell_columns(VersionRecord& record, const std::vector<Column>& before, const std::vector<Column>& after) {
  for (const Column& column : after) {
    const Column* old = by_id(before, column.id);
    if (!old) record.columns_added.push_back(column.name);
    if (old && old->type != column.type) {
      record.columns_retyped.push_back(column.name + ": " + old->type + " to " + column.type);
    }
  }
  for (const Column& column : before) {
    if (!by_id(after, column.id)) record.columns_removed.push_back(column.name);
  }
}

}  // namespace

TableRecord table_to_restore(Catalog& catalog, Versions& versions, const std::string& path, std::int64_t version) {
  std::optional<TableRecord> table = catalog.find(path);
  const std::optional<TableRecord> trashed = catalog.find_trashed(path);
  if (!table && trashed) table = trashed;
  if (!table) return catalog.get(path);  // throws, naming the nearest paths
  const bool has_version = version >= 1 && version <= table->version;
  if (!has_version && trashed && trashed->id != table->id && version >= 1 && version <= trashed->version) {
    throw Error("path_taken",
                "Version " + std::to_string(version) + " belongs to a deleted table, whose path \"" + path +
                    "\" another table has now.",
                "Rename that table by update_table_info with rename_to, then restore again.");
  }
  versions.get(*table, version);  // throws, naming the versions there are
  return *std::move(table);
}

NextVersion restored_version(SqlStore& store, Versions& versions, const TableState& state, std::int64_t version) {
  const VersionRecord earlier = versions.get(state.table, version);
  std::vector<Column> columns = versions.columns(state.table, version);
  NextVersion next(store, state, columns, state.next_column);
  next.become(read_live_set(store, state.table.id, version));
  next.untrash();
  VersionRecord& record = next.record;
  record.kind = record.tool = "restore";
  record.restored_from = version;
  record.rows = earlier.rows;
  // By where rows were first written, so that nothing is read: a row that was updated since leaves and comes back as it
  // was.
  const RowDifference difference = row_difference(store, versions, state.table, state.table.version, version);
  record.added = difference.after.count;
  record.removed = difference.before.count;
  tell_columns(record, state.columns, columns);
  return next;
}

}  // namespace stele
