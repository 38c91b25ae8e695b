#include "tables/catalog.hpp"

#include <algorithm>
#include <cstdint>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/nearest.hpp"
#include "tables/letter_case.hpp"
#include "tables/sql_values.hpp"

namespace stele {

namespace {

constexpr std::size_t path_chars_max = 200;
constexpr std::size_t description_bytes_max = 100 << 10;

constexpr const char* select_tables =
    "SELECT id, path, description, version, created_ms, trashed_ms, share_token FROM tables ";

[[noreturn]] void refuse_path(std::string_view path, const std::string& why) {
  throw Error(
      "invalid_path", "The path \"" + std::string(path.substr(0, path_chars_max)) + "\" " + why + ".",
      "A path is a name such as research/competitors: parts joined by '/', at most 200 characters, without '@', '\"', "
      "'\\' or control characters.");
}

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// Controls of ASCII, and those of Latin-1, which UTF-8 writes as 0xC2 0x80 to 0xC2 0x9F.
bool has_control(std::string_view utf8) {
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if (byte < 0x20 || byte == 0x7f) return true;
    if (byte == 0xc2 && i + 1 < utf8.size() && static_cast<unsigned char>(utf8[i + 1]) < 0xa0) return true;
  }
  return false;
}

void check_description(const std::string& description) {
  if (description.size() <= description_bytes_max) return;
  throw Error("description_too_long",
              "A description has " + std::to_string(description.size()) + " bytes, and at most " +
                  std::to_string(description_bytes_max) + " are kept.",
              "Describe in a few sentences; longer texts belong in a table of their own.");
}

TableRecord record_of(const SqlRow& row) {
  TableRecord table;
  table.id = text_of(row[0]);
  table.path = text_of(row[1]);
  table.description = text_of(row[2]);
  table.version = integer_of(row[3]);
  table.created_ms = integer_of(row[4]);
  table.trashed_ms = optional_integer_of(row[5]);
  table.share_token = optional_text_of(row[6]);
  return table;
}

// The one table that a query names, with its column descriptions.
std::optional<TableRecord> find_one(SqlStore& store, const std::string& where, std::string_view param) {
  const SqlValue params[] = {std::string(param)};
  const SqlRows rows = store.query(select_tables + where, params);
  if (rows.empty()) return std::nullopt;
  TableRecord table = record_of(rows[0]);
  const SqlValue id[] = {table.id};
  for (const SqlRow& row :
       store.query("SELECT column_id, description FROM column_descriptions WHERE table_id = ?", id)) {
    table.column_descriptions[static_cast<int>(integer_of(row[0]))] = text_of(row[1]);
  }
  return table;
}

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void commit_one(SqlStore& store, std::string sql, std::vector<SqlValue> params) {
  const SqlStatement batch[] = {{std::move(sql), std::move(params)}};
  store.commit(batch);
}

}  // namespace

void check_path(std::string_view path) {
  if (path.empty()) refuse_path(path, "is empty");
  if (characters(path) > path_chars_max) refuse_path(path, "has more than 200 characters");
  if (has_control(path))
    throw Error("invalid_path", "The path holds a control character.", "Name it with plain characters.");
  for (const char* forbidden : {"@", "\"", "\\"}) {
    if (path.find(forbidden) != std::string_view::npos) refuse_path(path, std::string("holds ") + forbidden);
  }
  if (path.front() == ' ' || path.back() == ' ') refuse_path(path, "begins or ends with a space");
  if (path.front() == '/' || path.back() == '/' || path.find("//") != std::string_view::npos) {
    refuse_path(path, "has an empty part");
  }
}

std::optional<TableRecord> Catalog::find(std::string_view path) {
  return find_one(store_, "WHERE path = ? AND trashed_ms IS NULL", path);
}

std::optional<TableRecord> Catalog::find_trashed(std::string_view path) {
  return find_one(store_, "WHERE path = ? AND trashed_ms IS NOT NULL ORDER BY trashed_ms DESC, id DESC LIMIT 1", path);
}

std::optional<TableRecord> Catalog::find_shared(std::string_view token) {
  return find_one(store_, "WHERE share_token = ? AND trashed_ms IS NULL", token);
}

TableRecord Catalog::get(std::string_view path) {
  if (auto table = find(path)) return *std::move(table);
  const std::string named = "\"" + std::string(path) + "\"";
  if (auto trashed = find_trashed(path)) {
    throw Error("unknown_table", "The table " + named + " was deleted and lies in the trash.",
                "restore_version with version " + std::to_string(trashed->version) + " brings it back.");
  }
  const std::vector<std::string> near = nearest(path);
  throw Error("unknown_table", "There is no table " + named + ".",
              near.empty() ? "list_tables shows the tables there are." : "Did you mean " + join(near) + "?");
}

std::vector<std::string> Catalog::nearest(std::string_view path, std::size_t count) {
  std::vector<std::string> paths;
  for (SqlRow& row : store_.query("SELECT path FROM tables WHERE trashed_ms IS NULL")) {
    paths.push_back(text_of(row[0]));
  }
  return nearest_names(path, paths, count);
}

Catalog::Listing Catalog::list(std::string_view folder, std::string_view search, std::size_t limit) {
  std::string where = " WHERE trashed_ms IS NULL";
  std::vector<SqlValue> params;
  while (!folder.empty() && folder.back() == '/') folder.remove_suffix(1);
  if (!folder.empty()) {
    where += " AND substr(path, 1, length(?)) = ?";
    const std::string prefix = std::string(folder) + "/";
    params.insert(params.end(), {prefix, prefix});
  }
  if (!search.empty()) {
    where += " AND (instr(lower(path), ?) > 0 OR instr(lower(description), ?) > 0)";
    const std::string wanted = lower_ascii(search);
    params.insert(params.end(), {wanted, wanted});
  }
  Listing listing;
  listing.total =
      static_cast<std::uint64_t>(integer_of(store_.query("SELECT count(*) FROM tables" + where, params)[0][0]));
  params.push_back(sql_integer(limit));
  for (const SqlRow& row : store_.query(select_tables + where + " ORDER BY path LIMIT ?", params)) {
    listing.tables.push_back(record_of(row));
  }
  return listing;
}

void Catalog::describe(const TableRecord& table, std::optional<std::string> description,
                       const std::map<int, std::string>& column_descriptions) {
  std::vector<SqlStatement> batch;
  if (description) {
    check_description(*description);
    batch.push_back({"UPDATE tables SET description = ? WHERE id = ?", {*description, table.id}});
  }
  for (const auto& [column, text] : column_descriptions) {
    check_description(text);
    if (text.empty()) {
      batch.push_back(
          {"DELETE FROM column_descriptions WHERE table_id = ? AND column_id = ?", {table.id, std::int64_t{column}}});
    } else {
      batch.push_back({"INSERT OR REPLACE INTO column_descriptions (table_id, column_id, description) VALUES (?, ?, ?)",
                       {table.id, std::int64_t{column}, text}});
    }
  }
  if (!batch.empty()) store_.commit(batch);
}

void Catalog::rename(const TableRecord& table, std::string_view path) {
  check_path(path);
  try {
    commit_one(store_, "UPDATE tables SET path = ? WHERE id = ?", {std::string(path), table.id});
  } catch (const StoreError& error) {
    if (error.kind() != StoreError::Kind::conflict) throw;
    throw Error("path_taken", "Another table has the path \"" + std::string(path) + "\".",
                "Choose another path, or rename or delete that table first.");
  }
}

void Catalog::trash(const TableRecord& table) {
  commit_one(store_, "UPDATE tables SET trashed_ms = ?, share_token = NULL WHERE id = ? AND trashed_ms IS NULL",
             {host_.now_ms(), table.id});
}

std::string Catalog::share(const TableRecord& table) {
  if (!table.share_token.empty()) return table.share_token;
  std::string token = random_token(host_, 16);
  commit_one(store_, "UPDATE tables SET share_token = ?, shared_ms = ? WHERE id = ?",
             {token, host_.now_ms(), table.id});
  return token;
}

void Catalog::unshare(const TableRecord& table) {
  commit_one(store_, "UPDATE tables SET share_token = NULL WHERE id = ?", {table.id});
}

}  // namespace stele
