// EngineFixture: an engine over an empty store in memory, and short ways to make segments and read answers. It mocks
// nothing: segments are written by the engine's own writer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "store/native_sqlite_store.hpp"
#include "store/schema.hpp"
#include "support/memory_host.hpp"

namespace stele {

class EngineFixture {
 public:
  using Row = std::vector<std::optional<std::string>>;  // each value as DuckDB casts it from text

  explicit EngineFixture(Limits given = {}) : limits(given) {
    migrate(store);
    engine = Engine::open(blobs, host, limits);
  }

  std::shared_ptr<const Segment> segment(const std::vector<Column>& columns, const std::vector<Row>& rows) {
    const auto writer = engine->write(columns);
    const auto buffer = writer->buffer();
    for (const Row& row : rows) {
      for (std::size_t i = 0; i < row.size(); i++) {
        if (row[i] && !buffer->set_cast(i, *row[i])) throw std::runtime_error("the cast refuses " + *row[i]);
      }
      buffer->end_row();
      if (buffer->full()) flush(*writer, *buffer);
    }
    flush(*writer, *buffer);
    return std::make_shared<Segment>(writer->finish());
  }

  // The rows of a statement of the core's own as a segment, column by position.
  std::shared_ptr<const Segment> segment_of(const std::vector<Column>& columns, const std::string& sql) {
    const auto writer = engine->write(columns);
    const auto cursor = engine->start_own(sql, {});
    while (run_to_end(next_chunk(*cursor, ""))) writer->append(*cursor);
    return std::make_shared<Segment>(writer->finish());
  }

  static SnapshotPtr snapshot(std::vector<Column> columns, std::vector<LiveSegment> segments) {
    return std::make_shared<Snapshot>(Snapshot{std::move(columns), std::move(segments)});
  }

  static Json rows_of(Cursor& cursor) {
    Json rows = Json::array();
    while (run_to_end(next_chunk(cursor, ""))) {
      for (std::size_t row = 0; row < cursor.row_count(); row++) {
        Json cells = Json::array();
        for (std::size_t column = 0; column < cursor.columns().size(); column++)
          cells.push_back(cursor.json(row, column));
        rows.push_back(std::move(cells));
      }
    }
    return rows;
  }

  // As text, so that a failing test shows it.
  std::string rows(const std::string& sql, std::vector<SnapshotPtr> snapshots = {}) {
    const auto cursor = engine->start_own(sql, std::move(snapshots));
    return rows_of(*cursor).dump();
  }

  NativeSqlStore store{":memory:"};
  MemoryHost host;
  Blobs blobs{store};
  Limits limits;
  std::unique_ptr<Engine> engine;

 private:
  static void flush(SegmentWriter& writer, RowBuffer& buffer) {
    if (buffer.rows() == 0) return;
    writer.append(buffer);
    buffer.clear();
  }
};

// The error that `work` throws, as "kind: message"; empty if it throws none.
template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "";
}

}  // namespace stele
