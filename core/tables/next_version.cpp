#include "tables/next_version.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "tables/column_list.hpp"
#include "tables/sql_values.hpp"

namespace stele {

NextVersion::NextVersion(SqlStore& store, const TableState& before, std::vector<Column> columns, int next_column)
    : store_(store),
      before_(before),
      columns_(std::move(columns)),
      next_column_(next_column),
      next_segment_(before.next_segment),
      written_bytes_(before.written_bytes),
      merged_bytes_(before.merged_bytes),
      trashed_ms_(before.table.trashed_ms),
      live_(before.live) {}

LiveSpan NextVersion::add(const Segment& segment) {
  written_bytes_ += segment.blob.size;
  insert_segment(segment, next_segment_, true);
  return live_.segments.back();
}

void NextVersion::add_merged(const Segment& segment, std::int64_t place) {
  merged_bytes_ += segment.blob.size;
  insert_segment(segment, place, false);
}

void NextVersion::insert_segment(const Segment& segment, std::int64_t place, bool data_change) {
  require(!segment.blob.sha256.empty(), "what is published has its digest");
  const std::int64_t columns_id = column_list(columns_text(segment.columns));
  live_.segments.push_back({segment.blob, next_segment_, place, segment.rows, columns_id, version()});
  changes_.push_back(Blobs::publish(segment.blob.id));
  // An adopted file was staged as an import until now.
  changes_.push_back(
      {"UPDATE blobs SET kind = ? WHERE id = ?", {static_cast<std::int64_t>(BlobKind::segment), segment.blob.id}});
  changes_.push_back(
      {"INSERT INTO segments (blob, table_id, number, place, rows, columns_id) VALUES (?, ?, ?, ?, ?, ?)",
       {segment.blob.id, before_.table.id, next_segment_, place, sql_integer(segment.rows), columns_id}});
  begin_span(segment.blob.id, data_change);
  ++next_segment_;
}

void NextVersion::begin_span(std::int64_t segment, bool data_change) {
  changes_.push_back(
      {"INSERT INTO segment_spans (table_id, end_version, segment, begin_version, data_change) VALUES (?, ?, ?, ?, ?)",
       {before_.table.id, open_end, segment, version(), std::int64_t{data_change}}});
}

void NextVersion::end(const LiveSpan& segment) {
  const BlobId blob = segment.blob.id;
  std::erase_if(live_.segments, [blob](const LiveSpan& span) { return span.blob.id == blob; });
  changes_.push_back({"UPDATE segment_spans SET end_version = ? WHERE table_id = ? AND end_version = ? AND segment = ?",
                      {version(), before_.table.id, open_end, blob}});
}

void NextVersion::end_all() {
  live_ = {};
  for (const char* spans : {"segment_spans", "deletion_spans"}) {
    changes_.push_back({std::string("UPDATE ") + spans + " SET end_version = ? WHERE table_id = ? AND end_version = ?",
                        {version(), before_.table.id, open_end}});
  }
}

void NextVersion::delete_rows(const DeletionVectors& vectors) {
  const Bytes document = deletion_document(vectors);
  if (document.empty()) return;
  live_.deletions.push_back(insert_document(document));
  written_bytes_ += document.size();
}

void NextVersion::merge_deletions(const std::vector<LiveDeletion>& ended, const DeletionVectors& vectors) {
  for (const LiveDeletion& deletion : ended) {
    std::erase_if(live_.deletions, [&](const LiveDeletion& live) { return live.first == deletion.first; });
    changes_.push_back(
        {"UPDATE deletion_spans SET end_version = ? WHERE table_id = ? AND end_version = ? AND deletion = ?",
         {version(), before_.table.id, open_end, deletion.first}});
  }
  const Bytes document = deletion_document(vectors);
  if (document.empty()) return;
  live_.deletions.push_back(insert_document(document));
  merged_bytes_ += document.size();
}

LiveDeletion NextVersion::insert_document(const Bytes& document) {
  const std::string digest = sha256_hex(document);
  std::int64_t first = 0;
  for (std::size_t begin = 0, n = 0; begin < document.size(); begin += SqlStore::value_bytes_max, ++n) {
    const std::size_t end = std::min(document.size(), begin + SqlStore::value_bytes_max);
    const std::int64_t id = next_id("deletions", last_deletion_);
    if (n == 0) first = id;
    Bytes part(document.begin() + static_cast<std::ptrdiff_t>(begin),
               document.begin() + static_cast<std::ptrdiff_t>(end));
    changes_.push_back({"INSERT INTO deletions (id, table_id, n, first, sha256, bytes) VALUES (?, ?, ?, ?, ?, ?)",
                        {id, before_.table.id, sql_integer(n), first, digest, std::move(part)}});
  }
  changes_.push_back({"INSERT INTO deletion_spans (table_id, end_version, deletion, begin_version) VALUES (?, ?, ?, ?)",
                      {before_.table.id, open_end, first, version()}});
  return {first, digest, document.size()};
}

void NextVersion::become(const LiveSet& other) {
  const LiveSet now = live_;
  const auto has_segment = [](const LiveSet& set, const LiveSpan& span) {
    return std::any_of(set.segments.begin(), set.segments.end(),
                       [&](const LiveSpan& one) { return one.blob.id == span.blob.id; });
  };
  const auto has_deletion = [](const LiveSet& set, const LiveDeletion& deletion) {
    return std::any_of(set.deletions.begin(), set.deletions.end(),
                       [&](const LiveDeletion& one) { return one.first == deletion.first; });
  };
  for (const LiveSpan& span : now.segments) {
    if (!has_segment(other, span)) end(span);
  }
  for (const LiveSpan& span : other.segments) {
    if (!has_segment(now, span)) begin_span(span.blob.id, true);
  }
  std::vector<LiveDeletion> ended;
  std::copy_if(now.deletions.begin(), now.deletions.end(), std::back_inserter(ended),
               [&](const LiveDeletion& deletion) { return !has_deletion(other, deletion); });
  merge_deletions(ended, {});
  for (const LiveDeletion& deletion : other.deletions) {
    if (has_deletion(now, deletion)) continue;
    changes_.push_back(
        {"INSERT INTO deletion_spans (table_id, end_version, deletion, begin_version) VALUES (?, ?, ?, ?)",
         {before_.table.id, open_end, deletion.first, version()}});
  }
  live_ = other;
}

std::int64_t NextVersion::column_list(const std::string& columns) {
  if (columns.size() > SqlStore::value_bytes_max) {
    throw Error("too_many_columns", "The names and types of the columns take more than 1 MiB.",
                "Use fewer columns or shorter names.");
  }
  const SqlValue wanted[] = {before_.table.id, columns};
  const SqlRows known = store_.query("SELECT id FROM column_lists WHERE table_id = ? AND columns = ?", wanted);
  if (!known.empty()) return integer_of(known[0][0]);
  const auto [list, is_new] = new_lists_.try_emplace(columns, 0);
  if (is_new) {
    list->second = next_id("column_lists", last_list_);
    changes_.push_back({"INSERT INTO column_lists (id, table_id, columns) VALUES (?, ?, ?)",
                        {list->second, before_.table.id, columns}});
  }
  return list->second;
}

std::int64_t NextVersion::next_id(const char* table, std::int64_t& last) {
  if (last == 0) last = integer_of(store_.query(std::string("SELECT coalesce(max(id), 0) FROM ") + table)[0][0]);
  return ++last;
}

std::vector<SqlStatement> NextVersion::statements() {
  const std::int64_t columns_id = column_list(columns_text(columns_));
  record.version = version();
  record.bytes = live_.bytes();
  record.digest = live_digest(columns_, live_);

  const TableRecord& table = before_.table;
  std::vector<SqlStatement> batch;
  if (before_.is_new()) {
    batch.push_back(
        {"INSERT INTO tables (id, path, version, next_column, next_segment, written_bytes, merged_bytes, created_ms) "
         "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
         {table.id, table.path, version(), std::int64_t{next_column_}, next_segment_, sql_integer(written_bytes_),
          sql_integer(merged_bytes_), record.made_ms}});
  } else {
    batch.push_back(
        {"UPDATE tables SET version = ?, next_column = ?, next_segment = ?, written_bytes = ?, merged_bytes = ?, "
         "trashed_ms = ? WHERE id = ?",
         {version(), std::int64_t{next_column_}, next_segment_, sql_integer(written_bytes_), sql_integer(merged_bytes_),
          sql_optional(trashed_ms_), table.id}});
  }
  batch.push_back(
      {"INSERT INTO versions (table_id, version, kind, tool, columns_id, rows, bytes, added, updated, removed, "
       "columns_added, "
       "columns_removed, columns_retyped, author, message, run, made_ms, restored_from, digest, key_columns) "
       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
       {table.id,
        version(),
        record.kind,
        record.tool,
        columns_id,
        sql_integer(record.rows),
        sql_integer(record.bytes),
        sql_integer(record.added),
        sql_integer(record.updated),
        sql_integer(record.removed),
        Json(record.columns_added).dump(),
        Json(record.columns_removed).dump(),
        Json(record.columns_retyped).dump(),
        record.note.author,
        record.note.message,
        record.note.run,
        record.made_ms,
        sql_optional(record.restored_from),
        record.digest,
        Json(record.key_columns).dump()}});
  std::move(changes_.begin(), changes_.end(), std::back_inserter(batch));
  // Upserts look at the latest version only: an index of what is no longer live is dead weight, and can be built again.
  batch.push_back(
      {"DELETE FROM key_blocks WHERE segment IN "
       "(SELECT segment FROM segment_spans WHERE table_id = ? AND end_version = ?)",
       {table.id, version()}});
  std::move(extra_.begin(), extra_.end(), std::back_inserter(batch));
  return batch;
}

}  // namespace stele
