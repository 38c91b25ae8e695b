// TableWorld: a core's tables over a store in memory, with everything real but the clock. Tests write rows as JSON and
// read them back at any version.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "store/blobs.hpp"
#include "store/native_sqlite_store.hpp"
#include "store/schema.hpp"
#include "support/faulty_store.hpp"
#include "support/memory_host.hpp"
#include "tables/catalog.hpp"
#include "tables/diff.hpp"
#include "tables/importer.hpp"
#include "tables/read_rows.hpp"
#include "tables/versions.hpp"
#include "tables/writer.hpp"

namespace stele::testing {

// One core's parts over a store: what is gone after a crash.
struct TableCore {
  SqlStore& store;
  Blobs blobs{store};
  Limits limits;
  std::unique_ptr<Engine> engine;
  Catalog catalog;
  Versions versions{store, blobs};
  Writer writer;

  TableCore(SqlStore& over, Host& host)
      : store(over),
        engine(Engine::open(blobs, host, limits)),
        catalog(over, host),
        writer(over, blobs, *engine, catalog, versions, host, limits) {}
};

// Rows of every table of the store, so that a test sees what a refused call left. The key index is a cache and not
// counted.
inline std::string store_counts(SqlStore& store) {
  std::string counts;
  for (const char* table : {"blobs", "chunks", "tables", "column_descriptions", "versions", "column_lists", "segments",
                            "segment_spans", "deletions", "deletion_spans", "answers", "receipts"}) {
    const SqlRows rows = store.query(std::string("SELECT count(*) FROM ") + table);
    counts += std::string(table) + " " + std::to_string(std::get<std::int64_t>(rows[0][0])) + "\n";
  }
  return counts;
}

struct TableWorld {
  NativeSqlStore sqlite{":memory:"};
  FaultyStore store{sqlite};
  MemoryHost host;
  std::unique_ptr<TableCore> core;

  TableWorld() {
    migrate(sqlite);
    core = std::make_unique<TableCore>(store, host);
  }

  // As after a crash: a new core over what was committed.
  void reopen() {
    core.reset();
    core = std::make_unique<TableCore>(sqlite, host);
    core->blobs.sweep();
  }

  static WriteRequest request(const std::string& path, WriteMode mode, std::vector<std::string> keys = {}) {
    WriteRequest request;
    request.path = path;
    request.mode = mode;
    request.key_columns = std::move(keys);
    request.kind = "write";
    request.note.author = "test";
    return request;
  }

  Json write(WriteRequest request, const Json& rows) {
    return run_to_end(core->writer.write(std::move(request), source_of_rows(rows)));
  }
  Json create(const std::string& path, const Json& rows) { return write(request(path, WriteMode::create), rows); }
  Json append(const std::string& path, const Json& rows) { return write(request(path, WriteMode::append), rows); }
  Json replace(const std::string& path, const Json& rows) { return write(request(path, WriteMode::replace), rows); }
  Json upsert(const std::string& path, std::vector<std::string> keys, const Json& rows) {
    return write(request(path, WriteMode::upsert, std::move(keys)), rows);
  }
  Json restore(const std::string& path, std::int64_t version) {
    return run_to_end(core->writer.restore(path, version, {"test", "", ""}, std::nullopt, std::nullopt));
  }

  std::unique_ptr<Cursor> select(const std::string& sql, SnapshotPtr snapshot) {
    std::vector<SnapshotPtr> snapshots{std::move(snapshot)};
    return core->engine->start_own(sql, std::move(snapshots));
  }

  // Each row an object of all columns, in reading order.
  Json rows_of(const TableRecord& table, std::int64_t version) {
    const auto cursor = select("SELECT * FROM scan(0)", core->versions.snapshot(table, version));
    Json rows = Json::array();
    while (run_to_end(next_chunk(*cursor, "reading"))) {
      for (std::size_t row = 0; row < cursor->row_count(); ++row) {
        Json object = Json::object();
        for (std::size_t i = 0; i < cursor->columns().size(); ++i)
          object[cursor->columns()[i].name] = cursor->json(row, i);
        rows.push_back(std::move(object));
      }
    }
    return rows;
  }
  Json rows(const std::string& path, std::int64_t version = 0) {
    const TableRecord table = core->catalog.get(path);
    return rows_of(table, version == 0 ? table.version : version);
  }
  Json page(const TableRecord& table, std::int64_t version, RowsRequest request) {
    SnapshotPtr snapshot = core->versions.snapshot(table, version);
    if (request.columns.empty()) request.columns = snapshot->columns;
    return run_to_end(read_rows(*core->engine, std::move(snapshot), std::move(request)));
  }
  Json diff(const TableRecord& table, std::int64_t from, std::int64_t to,
            std::optional<std::vector<std::string>> key = std::nullopt, std::uint64_t offset = 0,
            std::uint64_t limit = 1000) {
    DiffRequest request;
    request.from = from;
    request.to = to;
    request.key_columns = std::move(key);
    request.offset = offset;
    request.limit = limit;
    return run_to_end(diff_versions(core->store, core->versions, *core->engine, table, std::move(request)));
  }
  std::string types(const std::string& path) {
    const TableRecord table = core->catalog.get(path);
    std::string text;
    for (const Column& column : core->versions.columns(table, table.version)) {
      text += (text.empty() ? "" : ", ") + column.name + " " + column.type;
    }
    return text;
  }
};

// The kind of the Error that a call throws; "" if it throws none.
template <class Call>
std::string error_kind(Call&& call, std::string* message = nullptr) {
  try {
    call();
  } catch (const Error& error) {
    if (message) *message = error.message() + " " + error.hint();
    return error.kind();
  }
  return "";
}

}  // namespace stele::testing
