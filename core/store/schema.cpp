#include "store/schema.hpp"

#include <algorithm>
#include <string>

#include "base/assert.hpp"
#include "base/error.hpp"

namespace stele {
namespace {

std::string_view without_comment(std::string_view line) {
  line = line.substr(0, line.find("--"));
  const auto end = line.find_last_not_of(" \t\r");
  return end == std::string_view::npos ? std::string_view{} : line.substr(0, end + 1);
}

std::vector<SqlStatement> statements_of(std::string_view file) {
  std::vector<SqlStatement> statements;
  std::string sql;
  while (!file.empty()) {
    const auto end = std::min(file.find('\n'), file.size());
    const auto line = without_comment(file.substr(0, end));
    file.remove_prefix(std::min(end + 1, file.size()));
    if (line.empty()) continue;
    sql.append(sql.empty() ? "" : "\n").append(line);
    if (line.back() != ';') continue;
    sql.pop_back();
    statements.push_back({std::move(sql), {}});
    sql.clear();
  }
  require(sql.empty(), "a schema file ends with a whole statement");
  return statements;
}

}  // namespace

std::int64_t schema_version(SqlStore& store) {
  if (store.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").empty()) return 0;
  const auto rows = store.query("SELECT value FROM meta WHERE key = 'schema_version'");
  require(rows.size() == 1, "a store with a meta table knows its version");
  return std::get<std::int64_t>(rows[0][0]);
}

void migrate(SqlStore& store, std::span<const std::string_view> files) {
  const auto known = static_cast<std::int64_t>(files.size());
  auto version = schema_version(store);
  if (version > known) {
    throw Error("store_newer",
                "This store is at schema version " + std::to_string(version) + "; this Stele knows versions up to " +
                    std::to_string(known) + ".",
                "Open it with the Stele that wrote it, or a later one. Nothing was changed.");
  }
  while (version < known) {
    auto batch = statements_of(files[static_cast<std::size_t>(version)]);
    ++version;
    batch.push_back(
        {"INSERT INTO meta (key, value) VALUES ('schema_version', ?) "
         "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
         {version}});
    store.commit(batch);
  }
}

void migrate(SqlStore& store) { migrate(store, schema_files()); }

}  // namespace stele
