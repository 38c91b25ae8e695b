#include "tables/key_index.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "tables/sql_values.hpp"
#include "tables/staged_segment.hpp"
#include "tables/varint.hpp"

namespace stele {

namespace {

constexpr std::size_t commit_bytes_max = 4 << 20;
// A varint of 53 bits and one of 32.
constexpr std::size_t entry_bytes_max = 8 + 5;

// Cuts ascending entries into blocks, each a run of (step from the fingerprint before, row) that begins with a
// fingerprint in full, so that it can be read alone. The first block's `first` is 0: it answers for all before it too,
// and its being there says that the index is whole.
class BlockBuilder {
 public:
  using Take = std::function<void(std::int64_t first, std::int64_t n, Bytes block)>;
  explicit BlockBuilder(Take take) : take_(std::move(take)) {}

  void add(const Fingerprint& entry) {
    if (block_.size() + entry_bytes_max > KeyIndex::block_bytes_max) {
      emit();
      // Blocks that begin with the same fingerprint are told apart by n.
      n_ = entry.value == first_ ? n_ + 1 : 0;
      first_ = entry.value;
    }
    put_varint(block_, static_cast<std::uint64_t>(entry.value - (block_.empty() ? 0 : last_)));
    put_varint(block_, entry.row);
    last_ = entry.value;
  }
  // Of no entries too, as one empty block.
  void finish() { emit(); }

 private:
  void emit() { take_(first_, n_, std::exchange(block_, {})); }

  Take take_;
  Bytes block_;
  std::int64_t first_ = 0, n_ = 0, last_ = 0;
};

std::vector<Fingerprint> decode(std::span<const std::uint8_t> block) {
  std::vector<Fingerprint> entries;
  VarintReader reader(block);
  std::int64_t value = 0;
  while (!reader.at_end()) {
    value += static_cast<std::int64_t>(reader.next());
    entries.push_back({value, static_cast<std::uint32_t>(reader.next())});
  }
  return entries;
}

// The text of one key value. Minus zero equals zero, so it must be written like it.
std::string value_sql(const Column& column) {
  const bool floats = column.type == "DOUBLE" || column.type == "FLOAT";
  return "CAST(" + id_name(column.id) + (floats ? " + 0.0" : "") + " AS VARCHAR)";
}

}  // namespace

std::string Key::text() const {
  std::string text;
  for (const Column& column : columns_) {
    text += (text.empty() ? "" : ",") + std::to_string(column.id) + " " + column.type;
  }
  return text;
}

std::string Key::fingerprints_sql() const {
  // Each value after its length, so that ('ab', 'c') and ('a', 'bc') differ.
  std::string encoded, not_null;
  for (const Column& column : columns_) {
    const std::string value = value_sql(column);
    encoded += (encoded.empty() ? "" : " || ") + std::string("strlen(") + value + ") || ':' || " + value;
    not_null += (not_null.empty() ? "" : " AND ") + id_name(column.id) + " IS NOT NULL";
  }
  return "SELECT CAST(md5_number_lower(" + encoded +
         ") & 9007199254740991::UBIGINT AS BIGINT) AS fingerprint, stele_row FROM scan(0, positions := true) WHERE " +
         not_null + " ORDER BY fingerprint, stele_row";
}

Task<std::vector<Fingerprint>> KeyIndex::fingerprints(SnapshotPtr rows) {
  std::vector<SnapshotPtr> snapshots{std::move(rows)};
  std::unique_ptr<Cursor> cursor = engine_.start_own(key_.fingerprints_sql(), std::move(snapshots));
  std::vector<Fingerprint> entries;
  while (true) {
    const bool more = co_await next_chunk(*cursor, "reading keys");
    if (!more) break;
    for (std::size_t row = 0; row < cursor->row_count(); ++row) {
      entries.push_back({cursor->int64(row, 0), static_cast<std::uint32_t>(cursor->int64(row, 1))});
    }
  }
  co_return entries;
}

Task<void> KeyIndex::build(BlobId segment, SnapshotPtr rows) {
  const std::string key = key_.text();
  // A build that was cut short left blocks, but not the first one, which is written last and stands for all.
  std::vector<SqlStatement> pending;
  pending.push_back({"DELETE FROM key_blocks WHERE segment = ? AND key = ?", {segment, key}});
  std::optional<SqlStatement> first_block;
  std::size_t pending_bytes = 0;
  BlockBuilder builder([&](std::int64_t first, std::int64_t n, Bytes block) {
    pending_bytes += block.size();
    SqlStatement statement{"INSERT INTO key_blocks (segment, key, first, n, bytes) VALUES (?, ?, ?, ?, ?)",
                           {segment, key, first, n, std::move(block)}};
    if (first == 0 && n == 0) {
      first_block = std::move(statement);
    } else {
      pending.push_back(std::move(statement));
    }
  });
  std::vector<SnapshotPtr> snapshots{std::move(rows)};
  std::unique_ptr<Cursor> cursor = engine_.start_own(key_.fingerprints_sql(), std::move(snapshots));
  while (true) {
    const bool more = co_await next_chunk(*cursor, "indexing the key");
    if (!more) break;
    for (std::size_t row = 0; row < cursor->row_count(); ++row) {
      builder.add({cursor->int64(row, 0), static_cast<std::uint32_t>(cursor->int64(row, 1))});
    }
    if (pending_bytes < commit_bytes_max) continue;
    store_.commit(pending);
    pending.clear();
    pending_bytes = 0;
  }
  builder.finish();
  pending.push_back(*std::move(first_block));
  store_.commit(pending);
}

std::optional<std::vector<KeyIndex::Hit>> KeyIndex::find(BlobId segment, std::span<const Fingerprint> wanted) {
  const std::string key = key_.text();
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < wanted.size();) {
    const std::int64_t value = wanted[i].value;
    // The entries may begin in the block before one that begins with the fingerprint itself.
    const SqlValue at[] = {segment, key, value, segment, key, segment, key, segment, key, value, value};
    const SqlRows rows = store_.query(
        "SELECT bytes, (SELECT min(first) FROM key_blocks WHERE segment = ? AND key = ? AND first > ?), "
        "EXISTS (SELECT 1 FROM key_blocks WHERE segment = ? AND key = ? AND first = 0 AND n = 0) FROM key_blocks "
        "WHERE segment = ? AND key = ? AND first >= "
        "coalesce((SELECT max(first) FROM key_blocks WHERE segment = ? AND key = ? AND first < ?), 0) AND first <= ? "
        "ORDER BY first, n",
        at);
    if (rows.empty() || integer_of(rows[0][2]) == 0) return std::nullopt;
    const std::int64_t next_block = optional_integer_of(rows[0][1]).value_or(open_end);
    std::size_t end = i;
    while (end < wanted.size() && (wanted[end].value < next_block || next_block == open_end)) ++end;
    for (const SqlRow& row : rows) {
      const std::vector<Fingerprint> entries = decode(bytes_of(row[0]));
      auto from = entries.begin();
      for (std::size_t one = i; one < end; ++one) {
        from = std::lower_bound(from, entries.end(), Fingerprint{wanted[one].value, 0});
        for (auto entry = from; entry != entries.end() && entry->value == wanted[one].value; ++entry)
          hits.push_back({one, entry->row});
      }
    }
    i = end;
  }
  return hits;
}

std::vector<SqlStatement> KeyIndex::statements(BlobId segment, std::span<const Fingerprint> entries) const {
  std::vector<SqlStatement> statements;
  BlockBuilder builder([&](std::int64_t first, std::int64_t n, Bytes block) {
    statements.push_back({"INSERT INTO key_blocks (segment, key, first, n, bytes) VALUES (?, ?, ?, ?, ?)",
                          {segment, key_.text(), first, n, std::move(block)}});
  });
  for (const Fingerprint& entry : entries) builder.add(entry);
  builder.finish();
  return statements;
}

}  // namespace stele
