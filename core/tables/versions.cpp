#include "tables/versions.hpp"

#include "base/error.hpp"
#include "tables/column_list.hpp"
#include "tables/live_set.hpp"
#include "tables/sql_values.hpp"

namespace stele {

namespace {

constexpr const char* select_versions =
    "SELECT version, kind, tool, rows, added, updated, removed, columns_added, columns_removed, columns_retyped, "
    "author, "
    "message, run, made_ms, restored_from, digest, bytes FROM versions ";

std::vector<std::string> names_from(const SqlValue& json) {
  return Json::parse(text_of(json)).get<std::vector<std::string>>();
}

std::uint64_t count_of(const SqlValue& value) { return static_cast<std::uint64_t>(integer_of(value)); }

VersionRecord record_of(const SqlRow& row) {
  VersionRecord version;
  version.version = integer_of(row[0]);
  version.kind = text_of(row[1]);
  version.tool = text_of(row[2]);
  version.rows = count_of(row[3]);
  version.added = count_of(row[4]);
  version.updated = count_of(row[5]);
  version.removed = count_of(row[6]);
  version.columns_added = names_from(row[7]);
  version.columns_removed = names_from(row[8]);
  version.columns_retyped = names_from(row[9]);
  version.note = {text_of(row[10]), text_of(row[11]), text_of(row[12])};
  version.made_ms = integer_of(row[13]);
  version.restored_from = optional_integer_of(row[14]);
  version.digest = text_of(row[15]);
  version.bytes = count_of(row[16]);
  return version;
}

[[noreturn]] void refuse_version(SqlStore& store, const TableRecord& table, std::int64_t version) {
  const SqlValue id[] = {table.id};
  const SqlRows range = store.query("SELECT min(version), max(version) FROM versions WHERE table_id = ?", id);
  throw Error("unknown_version",
              "The table \"" + table.path + "\" has no version " + std::to_string(version) + "; it has versions " +
                  std::to_string(integer_of(range[0][0])) + " to " + std::to_string(integer_of(range[0][1])) + ".",
              "table_history shows what each version holds.");
}

}  // namespace

VersionRecord Versions::get(const TableRecord& table, std::int64_t version) {
  const SqlValue key[] = {table.id, version};
  const SqlRows rows = store_.query(std::string(select_versions) + "WHERE table_id = ? AND version = ?", key);
  if (rows.empty()) refuse_version(store_, table, version);
  return record_of(rows[0]);
}

std::vector<VersionRecord> Versions::history(const TableRecord& table, std::size_t limit) {
  const SqlValue key[] = {table.id, sql_integer(limit)};
  std::vector<VersionRecord> versions;
  for (const SqlRow& row :
       store_.query(std::string(select_versions) + "WHERE table_id = ? ORDER BY version DESC LIMIT ?", key)) {
    versions.push_back(record_of(row));
  }
  return versions;
}

std::vector<Column> Versions::columns(const TableRecord& table, std::int64_t version) {
  const SqlValue key[] = {table.id, version};
  const SqlRows rows = store_.query(
      "SELECT c.columns FROM versions v JOIN column_lists c ON c.id = v.columns_id WHERE v.table_id = ? AND v.version "
      "= ?",
      key);
  if (rows.empty()) refuse_version(store_, table, version);
  return columns_from_text(text_of(rows[0][0]));
}

SnapshotPtr Versions::snapshot(const TableRecord& table, std::int64_t version) {
  std::vector<Column> all = columns(table, version);
  return make_snapshot(store_, read_live_set(store_, table.id, version), std::move(all));
}

std::vector<int> Versions::latest_key(const TableRecord& table) {
  const SqlValue id[] = {table.id};
  const SqlRows rows = store_.query(
      "SELECT key_columns FROM versions WHERE table_id = ? AND key_columns <> '[]' ORDER BY version DESC LIMIT 1", id);
  if (rows.empty()) return {};
  return Json::parse(text_of(rows[0][0])).get<std::vector<int>>();
}

}  // namespace stele
