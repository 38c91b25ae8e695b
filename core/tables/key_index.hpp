// Key index: where in a segment the rows with a key's values may be, by fingerprint. It only ever says "perhaps":
// whoever asks compares the values. It is made from the segment alone, so it can be lost and built again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "engine/engine.hpp"
#include "store/blobs.hpp"
#include "store/sql_store.hpp"

namespace stele {

// 53 bits of a digest over a row's key values, and the row. Rows with a NULL in the key have none.
struct Fingerprint {
  std::int64_t value = 0;
  std::uint32_t row = 0;
  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

// The columns of a key, at the types of the version that asks: equal text of another type would be another fingerprint.
class Key {
 public:
  explicit Key(std::vector<Column> columns) : columns_(std::move(columns)) {}

  const std::vector<Column>& columns() const { return columns_; }
  // What key_blocks.key holds.
  std::string text() const;
  // SQL of two columns, fingerprint and row, in ascending order, over scan(0) with columns named "c<id>".
  std::string fingerprints_sql() const;

 private:
  std::vector<Column> columns_;
};

class KeyIndex {
 public:
  static constexpr std::size_t block_bytes_max = 64 << 10;

  KeyIndex(SqlStore& store, Engine& engine, Key key) : store_(store), engine_(engine), key_(std::move(key)) {}

  // Of every row of a snapshot's one segment, deleted ones excepted.
  Task<std::vector<Fingerprint>> fingerprints(SnapshotPtr rows);
  // Builds the index of a segment. `rows` is the whole segment, so that a restore may still use it.
  Task<void> build(BlobId segment, SnapshotPtr rows);
  // The entries of a segment's index that have one of these fingerprints (ascending), as (index into wanted, row).
  // Nothing if the segment has no index, or one whose build was cut short.
  struct Hit {
    std::size_t wanted = 0;
    std::uint32_t row = 0;
  };
  std::optional<std::vector<Hit>> find(BlobId segment, std::span<const Fingerprint> wanted);
  // The statements that write the index of a segment whose fingerprints are known, in ascending order.
  std::vector<SqlStatement> statements(BlobId segment, std::span<const Fingerprint> entries) const;

 private:
  SqlStore& store_;
  Engine& engine_;
  Key key_;
};

}  // namespace stele
