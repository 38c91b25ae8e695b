#include "tables/live_set.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "base/json.hpp"
#include "base/sha256.hpp"
#include "tables/column_list.hpp"
#include "tables/sql_values.hpp"

namespace stele {

namespace {

std::vector<LiveSpan> read_segments(SqlStore& store, std::span<const SqlValue> at) {
  std::vector<LiveSpan> segments;
  for (const SqlRow& row :
       store.query("SELECT s.blob, b.size, b.sha256, s.number, s.place, s.rows, s.columns_id, p.begin_version "
                   "FROM segment_spans p JOIN segments s ON s.blob = p.segment JOIN blobs b ON b.id = s.blob "
                   "WHERE p.table_id = ? AND p.end_version > ? AND p.begin_version <= ? ORDER BY s.place, s.number",
                   at)) {
    LiveSpan span;
    span.blob = {integer_of(row[0]), static_cast<std::uint64_t>(integer_of(row[1])), text_of(row[2])};
    span.number = integer_of(row[3]);
    span.place = integer_of(row[4]);
    span.rows = static_cast<std::uint64_t>(integer_of(row[5]));
    span.columns_id = integer_of(row[6]);
    span.begin_version = integer_of(row[7]);
    segments.push_back(std::move(span));
  }
  return segments;
}

std::vector<LiveDeletion> read_deletion_spans(SqlStore& store, std::span<const SqlValue> at) {
  std::vector<LiveDeletion> deletions;
  for (const SqlRow& row : store.query("SELECT d.first, d.sha256, sum(length(d.bytes)) FROM deletion_spans p JOIN "
                                       "deletions d ON d.first = p.deletion "
                                       "WHERE p.table_id = ? AND p.end_version > ? AND p.begin_version <= ? GROUP BY "
                                       "d.first, d.sha256 ORDER BY d.first",
                                       at)) {
    deletions.push_back({integer_of(row[0]), text_of(row[1]), static_cast<std::uint64_t>(integer_of(row[2]))});
  }
  return deletions;
}

}  // namespace

std::uint64_t LiveSet::bytes() const {
  std::uint64_t bytes = 0;
  for (const LiveSpan& segment : segments) bytes += segment.blob.size;
  return bytes;
}

LiveSet read_live_set(SqlStore& store, const std::string& table_id, std::int64_t version) {
  const SqlValue at[] = {table_id, version, version};
  return {read_segments(store, at), read_deletion_spans(store, at)};
}

DeletionVectors read_deletions(SqlStore& store, const LiveSet& live) {
  DeletionVectors vectors;
  for (const LiveSpan& segment : live.segments) vectors[segment.number];
  for (const LiveDeletion& deletion : live.deletions) {
    const SqlValue first[] = {deletion.first};
    Bytes document;
    for (const SqlRow& part : store.query("SELECT bytes FROM deletions WHERE first = ? ORDER BY n", first)) {
      const Bytes& bytes = bytes_of(part[0]);
      document.insert(document.end(), bytes.begin(), bytes.end());
    }
    add_deletions(document, vectors);
  }
  return vectors;
}

std::string read_column_list(SqlStore& store, std::int64_t columns_id) {
  const SqlValue id[] = {columns_id};
  const SqlRows rows = store.query("SELECT columns FROM column_lists WHERE id = ?", id);
  require(!rows.empty(), "a column list that is referred to is there");
  return text_of(rows[0][0]);
}

SnapshotPtr make_snapshot(SqlStore& store, const LiveSet& live, std::vector<Column> columns) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->columns = std::move(columns);
  DeletionVectors vectors = read_deletions(store, live);
  std::map<std::int64_t, std::vector<StoredColumn>> stored;
  for (const LiveSpan& span : live.segments) {
    auto [list, is_new] = stored.try_emplace(span.columns_id);
    if (is_new) list->second = stored_columns_from_text(read_column_list(store, span.columns_id));
    auto segment = std::make_shared<const Segment>(Segment{span.blob, span.rows, list->second});
    snapshot->segments.push_back({std::move(segment), std::move(vectors[span.number])});
  }
  return snapshot;
}

std::string live_digest(const std::vector<Column>& columns, const LiveSet& live) {
  std::vector<std::string> segments, deletions;
  for (const LiveSpan& span : live.segments) segments.push_back(std::to_string(span.number) + ":" + span.blob.sha256);
  for (const LiveDeletion& deletion : live.deletions) deletions.push_back(deletion.sha256);
  std::sort(segments.begin(), segments.end());
  std::sort(deletions.begin(), deletions.end());
  const Json content = {
      {"columns", Json::parse(columns_text(columns))}, {"segments", segments}, {"deletions", deletions}};
  return sha256_hex(content.dump());
}

}  // namespace stele
