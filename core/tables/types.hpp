// The nouns of the tables folder: what a table, a version and a change are. Data only; the rules are beside it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "engine/snapshot.hpp"
#include "tables/row_source.hpp"

namespace stele {

struct TableRecord {
  std::string id;    // UUIDv7
  std::string path;  // as its readers name it
  std::string description;
  std::map<int, std::string> column_descriptions;  // by column id
  std::int64_t version = 0;                        // the latest
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> trashed_ms;
  std::string share_token;  // empty: not shared
};

// What the tools layer knows about a change before it is made.
struct ChangeNote {
  std::string author;
  std::string message;
  std::string run;
};

enum class WriteMode { create, append, upsert, replace };

struct WriteRequest {
  std::string path;
  WriteMode mode = WriteMode::create;
  std::vector<std::string> key_columns;
  ChangeNote note;
  std::string kind;  // "write", "import" or "query": which tool made the change
  std::optional<std::int64_t> expected_version;
  // Set if the caller gave an idempotency key: the key and the digest of everything else it asked for.
  std::optional<std::string> idempotency_key;
  std::string request_digest;
};

struct VersionRecord {
  std::int64_t version = 0;
  std::string kind;  // "create", "append", "upsert", "replace", "restore"
  std::string tool;  // "write", "import", "query", "restore"
  std::uint64_t rows = 0;
  std::uint64_t added = 0, updated = 0, removed = 0;
  std::vector<std::string> columns_added, columns_removed;
  std::vector<std::string> columns_retyped;  // "price: BIGINT to DOUBLE"
  ChangeNote note;
  std::int64_t made_ms = 0;
  std::optional<std::int64_t> restored_from;
  std::vector<int> key_columns;  // ids, of an upsert
  std::string digest;            // sha256 of what the version holds
  std::uint64_t bytes = 0;       // of its live segments
};

struct WriteOutcome {
  std::string path;
  VersionRecord version;
  std::vector<Warning> warnings;
  Json facts;             // of the source
  bool repeated = false;  // this idempotency key was answered before; nothing was changed now
  Json to_json() const;   // the answer of write_table and import_table
};

}  // namespace stele
