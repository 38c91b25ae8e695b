// QueryRunner: one guarded SELECT over tables at versions. It resolves names, runs in slices within the limits and fits
// the answer to an agent's context; it never writes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"
#include "tables/catalog.hpp"
#include "tables/versions.hpp"

namespace stele {

// A table that a query reads, at the version it reads.
struct TableRead {
  std::string path;
  std::string table_id;
  std::int64_t version = 0;
  std::string digest;
};

struct RunningQuery {
  std::unique_ptr<Cursor> cursor;
  std::vector<TableRead> reads;
};

// What a name stood for when a query ran before.
struct PinnedRead {
  std::string name;  // the table's path then, without a version
  std::int64_t version = 0;
  std::string digest;  // the version's
  std::string path;    // the table's path now
};

// "research/competitors@3" is version 3. Throws Error unknown_table (nearest paths), unknown_version (the range there
// is), sql_refused, sql_error.
RunningQuery start_query(Engine& engine, Catalog& catalog, Versions& versions, const std::string& sql);

// The same query over what it read before, whatever became of its tables since. Throws Error unknown_version as well
// where it names what is not among `reads`, or where a version is here, but not that one.
RunningQuery start_query_again(Engine& engine, Catalog& catalog, Versions& versions, const std::string& sql,
                               const std::vector<PinnedRead>& reads);

// {"notice"?, "columns": [{name, type}], "rows": [[…]], "row_count", "truncated", …}: at most `limit` rows and
// limits.answer_bytes of cells; "notice" comes first and says what was cut and how to get the rest.
Task<Json> answer_rows(std::unique_ptr<Cursor> cursor, std::uint64_t limit, Limits limits);

}  // namespace stele
