// Engine: DuckDB behind a border. It reads snapshots, runs guarded statements in slices and writes segments. It never
// sees a path, a version or a caller, keeps nothing that the store does not, and opens no file but its own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/host.hpp"
#include "base/json.hpp"
#include "base/task.hpp"
#include "engine/limits.hpp"
#include "engine/snapshot.hpp"
#include "store/blobs.hpp"

namespace stele {

class EngineImpl;

struct ResultColumn {
  std::string name;
  std::string type;  // DuckDB's spelling
};

// One running statement: a chunk of at most 2,048 rows at a time. Positions are (row, column) within the current chunk.
class Cursor {
 public:
  virtual ~Cursor() = default;

  virtual const std::vector<ResultColumn>& columns() const = 0;

  enum class State { working, chunk, done };
  // Does one slice of work. `chunk`: rows are there to read until the next step. Throws Error: sql_error with DuckDB's
  // message, out_of_memory, time_limit (by the host's clock).
  virtual State step() = 0;
  // Between 0 and 1, or negative when DuckDB cannot tell.
  virtual double progress() const = 0;

  virtual std::size_t row_count() const = 0;
  virtual bool is_null(std::size_t row, std::size_t column) const = 0;
  virtual std::int64_t int64(std::size_t row, std::size_t column) const = 0;  // integer columns that fit
  virtual double float64(std::size_t row, std::size_t column) const = 0;  // any numeric column, as the nearest double
  virtual std::string text(std::size_t row,
                           std::size_t column) const = 0;  // DuckDB's own cast to VARCHAR; blobs as bytes
  // The value as answers show it: see value_json.hpp.
  virtual Json json(std::size_t row, std::size_t column) const = 0;
};

// Runs a cursor to its next chunk, ending a slice whenever it works on. Returns false at the end.
Task<bool> next_chunk(Cursor& cursor, const char* what);

// A statement that passed the guard. `tables` are the names as written ("research/competitors@3"), each once, in the
// order in which start() takes their snapshots. Opaque otherwise; made by Engine::guard, used once.
class GuardedSelect {
 public:
  virtual ~GuardedSelect() = default;
  virtual const std::vector<std::string>& tables() const = 0;
};

// Rows on their way into a segment, filled cell by cell in column order or not; at most `capacity` rows at a time.
// Cells not set are NULL.
class RowBuffer {
 public:
  static constexpr std::size_t capacity = 2048;
  virtual ~RowBuffer() = default;

  virtual void set_bool(std::size_t column, bool value) = 0;
  virtual void set_int64(std::size_t column,
                         std::int64_t value) = 0;  // any integer type wide enough; DECIMAL too: 5 is 5.00
  virtual void set_float64(std::size_t column, double value) = 0;        // DOUBLE or FLOAT
  virtual void set_text(std::size_t column, std::string_view utf8) = 0;  // VARCHAR or JSON, as written; BLOB as bytes
  virtual void set_date(std::size_t column, std::int32_t days) = 0;      // DATE: days since 1970-01-01
  virtual void set_micros(std::size_t column,
                          std::int64_t micros) = 0;  // TIMESTAMP, TIMESTAMP WITH TIME ZONE (UTC), TIME
  // Any type by DuckDB's cast from text; returns false, setting nothing, if the cast refuses.
  virtual bool set_cast(std::size_t column, std::string_view utf8) = 0;

  virtual void end_row() = 0;
  virtual std::size_t rows() const = 0;
  // At capacity, or earlier where rows are so wide that a full buffer would not fit in memory.
  virtual bool full() const { return rows() == capacity; }
  virtual void clear() = 0;
};

// Writes one segment: Parquet with zstd, columns named c<id>, row groups bounded by bytes. Destroyed without finish(),
// it leaves nothing in the store.
class SegmentWriter {
 public:
  virtual ~SegmentWriter() = default;
  // A buffer of this writer's columns.
  virtual std::unique_ptr<RowBuffer> buffer() = 0;
  virtual void append(const RowBuffer& rows) = 0;
  // The cursor's current chunk, column by position, each cast to the writer's column type where they differ.
  virtual void append(const Cursor& cursor) = 0;
  virtual std::uint64_t rows() const = 0;
  // The finished, still unpublished segment. Of zero rows too.
  virtual Segment finish() = 0;
};

// The rows of a snapshot at named positions: for upserts that keep what a row leaves out, and for verifying keys.
struct Position {
  std::uint32_t segment = 0;  // index into Snapshot::segments
  std::uint32_t row = 0;      // position in the file; may be a deleted one
};

// Some rows of a snapshot, as a statement of the core's own may read them.
struct PickedRows {
  SnapshotPtr snapshot;
  std::vector<Position> positions;  // ascending by segment and row, each once
};

class Engine {
 public:
  // `store_blobs` and `host` outlive the engine.
  static std::unique_ptr<Engine> open(Blobs& store_blobs, Host& host, const Limits& limits);
  virtual ~Engine() = default;

  // Opens DuckDB, which otherwise whatever first needs it does: a tenth of a second in a fresh module.
  virtual void prepare() = 0;

  // Parses and checks one SELECT: see select_guard.hpp. Throws Error sql_refused or sql_error; runs nothing.
  virtual std::unique_ptr<GuardedSelect> guard(std::string_view sql) = 0;

  // Binds and starts. `snapshots[i]` stands for tables()[i]. `with_row_ids` adds nothing to SQL; callers cannot see
  // files.
  virtual std::unique_ptr<Cursor> start(std::unique_ptr<GuardedSelect> select, std::vector<SnapshotPtr> snapshots) = 0;

  // The core's own SQL over snapshots, which it names scan(0), scan(1), …: for profiles, diffs and merges. No guard.
  // scan(i, positions := true) adds two BIGINT columns after the snapshot's: stele_segment (index into segments) and
  // stele_row (position in the file). Column names are the snapshot's. picked(i) is the rows of picked[i] with the same
  // two columns; it reads only the row groups that hold them.
  virtual std::unique_ptr<Cursor> start_own(std::string_view sql, std::vector<SnapshotPtr> snapshots,
                                            std::vector<PickedRows> picked = {}) = 0;

  // Reads the named rows (ascending by segment, row), touching only the row groups that hold them; columns as in the
  // snapshot, or only those with the ids given.
  virtual std::unique_ptr<Cursor> fetch(SnapshotPtr snapshot, std::vector<Position> positions,
                                        std::span<const int> column_ids = {}) = 0;

  virtual std::unique_ptr<SegmentWriter> write(std::vector<Column> columns) = 0;

  // A Parquet file in the store, as an import sees it.
  struct ParquetFile {
    std::vector<ResultColumn> columns;  // logical types that the core keeps
    std::uint64_t rows = 0;
    // Set if the file can serve as a segment as it is: types that survive, row groups within bounds, no encryption.
    bool adoptable = false;
    std::vector<std::string> warnings;  // what reading it loses, such as nanoseconds cut
  };
  virtual ParquetFile inspect_parquet(const BlobInfo& blob) = 0;
  // All rows of such a file, for one that cannot be adopted.
  virtual std::unique_ptr<Cursor> read_parquet(const BlobInfo& blob) = 0;

  // The type that the core keeps for an expression of this type, as HUGEINT or UNION have none of their own in Parquet.
  virtual std::string kept_type(std::string_view type) const = 0;
  // Whether every value of `from` can be read as `to` without loss (INTEGER → BIGINT, anything → VARCHAR, …).
  virtual bool widens(std::string_view from, std::string_view to) const = 0;

  // The engine and its version, e.g. "DuckDB 1.4.4".
  static std::string version();
};

}  // namespace stele
