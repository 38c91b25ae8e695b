// Writer: makes versions. Every write is staged first and published by one commit; whatever fails before that commit
// leaves nothing. Writes to one table do not interleave.
#pragma once

#include <memory>
#include <string>

#include "base/host.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"
#include "tables/catalog.hpp"
#include "tables/row_source.hpp"
#include "tables/types.hpp"
#include "tables/versions.hpp"

namespace stele {

class Writer {
 public:
  Writer(SqlStore& store, Blobs& blobs, Engine& engine, Catalog& catalog, Versions& versions, Host& host,
         const Limits& limits);
  ~Writer();

  // If the request's idempotency key was answered before: that answer, or Error idempotency_conflict if it asked for
  // something else. Callers ask before they download or stage.
  std::optional<Json> answered_before(const WriteRequest& request);

  // Each answers WriteOutcome::to_json(), having stored it under the idempotency key in the same commit. Errors:
  // table_exists, unknown_table, version_conflict (naming the current version), column_conflict (naming columns and
  // first values), key_missing, key_null, key_repeated (naming the rows), too_many_columns.
  Task<Json> write(WriteRequest request, std::unique_ptr<RowSource> rows);
  // The rows of a query or of a Parquet file; columns by name.
  Task<Json> write(WriteRequest request, std::unique_ptr<Cursor> rows, std::vector<Warning> warnings, Json facts);
  // A Parquet file adopted as a segment, for modes that only add rows; `file.adoptable` holds.
  Task<Json> adopt(WriteRequest request, BlobInfo blob, Engine::ParquetFile file, Json facts);

  // Makes what `version` held the latest again. Takes a trashed table out of the trash if no other has its path.
  Task<Json> restore(std::string path, std::int64_t version, ChangeNote note,
                     std::optional<std::int64_t> expected_version, std::optional<std::string> idempotency_key);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stele
