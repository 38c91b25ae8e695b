#include "tables/upsert.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "tables/column_list.hpp"

namespace stele {

namespace {

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

// "c1 AS …" lists over the key, such as "c1, c2" or "c1 IS NULL OR c2 IS NULL".
std::string over_key(const Key& key, const std::string& before, const std::string& after, const std::string& between) {
  std::string sql;
  for (const Column& column : key.columns()) sql += (sql.empty() ? "" : between) + before + id_name(column.id) + after;
  return sql;
}

std::string join_on_key(const Key& key) {
  std::string sql;
  for (const Column& column : key.columns()) {
    sql += (sql.empty() ? "b." : " AND b.") + id_name(column.id) + " = e." + id_name(column.id);
  }
  return sql;
}

// "company = 'Acme', year = '2024'" of the cells from `first` on.
std::string key_text(const Key& key, const Cursor& cursor, std::size_t row, std::size_t first) {
  std::string text;
  for (std::size_t i = 0; i < key.columns().size(); ++i) {
    text += (text.empty() ? "" : ", ") + key.columns()[i].name + " = '" + cursor.text(row, first + i) + "'";
  }
  return text;
}

std::unique_ptr<Cursor> run_own(Engine& engine, const std::string& sql, std::vector<SnapshotPtr> snapshots) {
  return engine.start_own(sql, std::move(snapshots));
}

}  // namespace

void LeftOut::add(std::uint64_t row, const std::string& pattern) {
  const auto found = std::find(patterns_.begin(), patterns_.end(), pattern);
  rows_.push_back({row, static_cast<std::uint32_t>(found - patterns_.begin())});
  if (found == patterns_.end()) patterns_.push_back(pattern);
}

Key key_of(const std::vector<std::string>& names, const ColumnPlan& plan) {
  std::vector<Column> columns;
  std::vector<std::string> known;
  std::set<int> incoming(plan.ids.begin(), plan.ids.end()), taken;
  for (const Column& column : plan.columns) {
    if (incoming.count(column.id)) known.push_back(column.name);
  }
  for (const std::string& name : names) {
    const Column* column = find_column(plan.columns, name);
    if (column && incoming.count(column->id)) {
      if (taken.insert(column->id).second) columns.push_back(*column);
      continue;
    }
    const std::vector<std::string> near = nearest_names(name, known, 3);
    throw Error(
        "key_missing", "The rows have no column \"" + name + "\", which key_columns names.",
        near.empty() ? "The rows have the columns " + quoted(known) + "." : "Did you mean " + quoted(near) + "?");
  }
  if (columns.empty()) {
    throw Error("key_missing", "Mode upsert needs key_columns: the columns that identify a row.",
                "Name one or more of " + quoted(known) + ", or use mode append.");
  }
  return Key(std::move(columns));
}

Task<void> check_keys(Engine& engine, Batch batch, Key key) {
  const std::string keys = over_key(key, "", "", ", ");
  std::unique_ptr<Cursor> cursor =
      run_own(engine,
              "SELECT count(*), coalesce(min(stele_row), -1) FROM scan(0, positions := true) WHERE " +
                  over_key(key, "", " IS NULL", " OR "),
              {batch.rows});
  const bool counted = co_await next_chunk(*cursor, "checking keys");
  require(counted, "a count has a row");
  if (cursor->int64(0, 0) > 0) {
    std::vector<std::string> names;
    for (const Column& column : key.columns()) names.push_back(column.name);
    const std::int64_t count = cursor->int64(0, 0);
    throw Error("key_null",
                std::to_string(count) + (count == 1 ? " row has" : " rows have") + " no value in the key " +
                    quoted(names) + "; the first is row " + std::to_string(cursor->int64(0, 1) + 1) +
                    ". Nothing was stored.",
                "Give every row a value in each of its key columns, or name other key_columns.");
  }
  cursor = run_own(engine,
                   "SELECT min(stele_row), max(stele_row), " + over_key(key, "any_value(", ")", ", ") +
                       " FROM scan(0, positions := true) GROUP BY " + keys + " HAVING count(*) > 1 ORDER BY 1 LIMIT 1",
                   {batch.rows});
  const bool repeated = co_await next_chunk(*cursor, "checking keys");
  if (repeated && cursor->row_count() > 0) {
    throw Error("key_repeated",
                "Rows " + std::to_string(cursor->int64(0, 0) + 1) + " and " + std::to_string(cursor->int64(0, 1) + 1) +
                    " of the batch have the same key (" + key_text(key, *cursor, 0, 2) + "). Nothing was stored.",
                "Send each key once, or name more key_columns.");
  }
}

namespace {

// The matching of one batch. All members outlive its tasks.
class Matcher {
 public:
  Matcher(SqlStore& store, Blobs& blobs, Engine& engine, const TableState& state, const DeletionVectors& deleted,
          Batch batch, Key key, const ColumnPlan& plan)
      : store_(store),
        blobs_(blobs),
        engine_(engine),
        state_(state),
        deleted_(deleted),
        batch_(std::move(batch)),
        key_(key),
        plan_(plan),
        index_(store, engine, std::move(key)) {}

  Task<UpsertResult> run() {
    UpsertResult result;
    std::vector<Fingerprint> fingerprints = co_await index_.fingerprints(batch_.rows);
    co_await find_candidates(fingerprints);
    result.fingerprints = std::move(fingerprints);
    if (!candidates_.empty()) {
      StagedSegment existing = co_await stage_candidates();
      co_await take_matches(existing, result);
      if (result.updated > 0 && is_partial()) {
        StagedSegment completed = co_await complete(existing);
        result.completed.emplace(std::move(completed));
      }
    }
    co_return result;
  }

 private:
  bool is_partial() const {
    return batch_.columns.size() < plan_.columns.size() || (batch_.left_out && batch_.left_out->any());
  }

  // Live rows with the fingerprint of a row of the batch.
  Task<void> find_candidates(const std::vector<Fingerprint>& fingerprints) {
    const std::vector<Column> columns = named_by_id(plan_.columns);
    for (std::size_t i = 0; i < state_.live.segments.size(); ++i) {
      const LiveSpan& span = state_.live.segments[i];
      std::optional<std::vector<KeyIndex::Hit>> hits = index_.find(span.blob.id, fingerprints);
      if (!hits) {
        co_await index_.build(span.blob.id, whole_segment(span, columns));
        hits = index_.find(span.blob.id, fingerprints);
        require(hits.has_value(), "an index that was built is there");
      }
      const std::vector<std::uint32_t>& dead = deleted_.at(span.number);
      for (const KeyIndex::Hit& hit : *hits) {
        if (std::binary_search(dead.begin(), dead.end(), hit.row)) continue;
        candidates_.push_back({static_cast<std::uint32_t>(i), hit.row});
      }
      co_await end_slice(
          {static_cast<double>(i + 1), static_cast<double>(state_.live.segments.size()), "matching keys"});
    }
    std::sort(candidates_.begin(), candidates_.end(), before);
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end(), same), candidates_.end());
  }

  static bool before(const Position& a, const Position& b) {
    return a.segment != b.segment ? a.segment < b.segment : a.row < b.row;
  }
  static bool same(const Position& a, const Position& b) { return a.segment == b.segment && a.row == b.row; }

  SnapshotPtr whole_segment(const LiveSpan& span, const std::vector<Column>& columns) {
    LiveSet alone;
    alone.segments.push_back(span);
    return make_snapshot(store_, alone, columns);
  }

  // The candidates as a segment, in their order: keys alone if the batch has all else.
  Task<StagedSegment> stage_candidates() {
    std::vector<Column> columns;
    for (const Column& column : plan_.columns) {
      const auto is_it = [&](const Column& one) { return one.id == column.id; };
      if (is_partial() || std::any_of(key_.columns().begin(), key_.columns().end(), is_it)) columns.push_back(column);
    }
    std::vector<int> ids;
    for (const Column& column : columns) ids.push_back(column.id);
    SnapshotPtr table = make_snapshot(store_, state_.live, named_by_id(plan_.columns));
    std::unique_ptr<Cursor> cursor = engine_.fetch(std::move(table), candidates_, ids);
    existing_columns_ = columns;
    StagedSegment staged =
        co_await stage_cursor(engine_, blobs_, std::move(cursor), std::move(columns), "fetching rows");
    require(staged.segment().rows == candidates_.size(), "a fetch answers every position");
    co_return std::move(staged);
  }

  // Compares the values themselves: a fingerprint proves nothing.
  Task<void> take_matches(const StagedSegment& existing, UpsertResult& result) {
    const std::string sql = "SELECT b.stele_row, e.stele_row, " + over_key(key_, "b.", "", ", ") +
                            " FROM scan(0, positions := true) b JOIN scan(1, positions := true) e ON " +
                            join_on_key(key_) + " ORDER BY 1, 2";
    std::vector<SnapshotPtr> snapshots{batch_.rows, existing.snapshot(existing_columns_)};
    std::unique_ptr<Cursor> cursor = run_own(engine_, sql, std::move(snapshots));
    std::int64_t last = -1;
    while (true) {
      const bool more = co_await next_chunk(*cursor, "comparing keys");
      if (!more) break;
      for (std::size_t row = 0; row < cursor->row_count(); ++row) {
        const std::int64_t batch_row = cursor->int64(row, 0);
        if (batch_row == last) refuse_several(*cursor, row);
        last = batch_row;
        const Position& position = candidates_[static_cast<std::size_t>(cursor->int64(row, 1))];
        result.replaced[state_.live.segments[position.segment].number].push_back(position.row);
        ++result.updated;
      }
    }
    for (auto& [number, rows] : result.replaced) std::sort(rows.begin(), rows.end());
  }

  [[noreturn]] void refuse_several(const Cursor& cursor, std::size_t row) {
    throw Error("key_repeated",
                "Row " + std::to_string(cursor.int64(row, 0) + 1) + " of the batch matches several rows of \"" +
                    batch_.path + "\" (" + key_text(key_, cursor, row, 2) + "). Nothing was stored.",
                "Name more key_columns, so that they identify one row, or remove the duplicates with mode replace.");
  }

  // The rows of the batch, with the values they leave out taken from the rows they replace.
  Task<StagedSegment> complete(const StagedSegment& existing) {
    const bool masked = batch_.left_out && batch_.left_out->any();
    std::string selected;
    for (const Column& column : plan_.columns) {
      const std::string name = id_name(column.id);
      const auto in_batch = std::find_if(batch_.columns.begin(), batch_.columns.end(),
                                         [&](const Column& one) { return one.id == column.id; });
      std::string value = "b." + name;
      if (in_batch == batch_.columns.end()) {
        value = "e." + name;
      } else if (masked) {
        const std::string at = std::to_string(in_batch - batch_.columns.begin() + 1);
        value = "CASE WHEN substr(m.c2, " + at + ", 1) = '1' THEN e." + name + " ELSE b." + name + " END";
      }
      selected += (selected.empty() ? "" : ", ") + value;
    }
    std::string sql =
        "SELECT " + selected + " FROM scan(0, positions := true) b LEFT JOIN scan(1) e ON " + join_on_key(key_);
    std::vector<SnapshotPtr> snapshots{batch_.rows, existing.snapshot(existing_columns_)};
    std::optional<StagedSegment> mask;
    if (masked) {
      mask.emplace(stage_mask());
      sql += " LEFT JOIN scan(2) m ON m.c1 = b.stele_row";
      snapshots.push_back(mask->snapshot(mask_columns()));
    }
    std::unique_ptr<Cursor> cursor = run_own(engine_, sql + " ORDER BY b.stele_row", std::move(snapshots));
    StagedSegment completed =
        co_await stage_cursor(engine_, blobs_, std::move(cursor), plan_.columns, "completing rows");
    co_return std::move(completed);
  }

  static std::vector<Column> mask_columns() { return {{1, "row", "BIGINT"}, {2, "left_out", "VARCHAR"}}; }

  StagedSegment stage_mask() {
    std::unique_ptr<SegmentWriter> writer = engine_.write(mask_columns());
    std::unique_ptr<RowBuffer> buffer = writer->buffer();
    const LeftOut& left_out = *batch_.left_out;
    for (const auto& [row, pattern] : left_out.rows()) {
      buffer->set_int64(0, static_cast<std::int64_t>(row));
      buffer->set_text(1, left_out.patterns()[pattern]);
      buffer->end_row();
      if (!buffer->full()) continue;
      writer->append(*buffer);
      buffer->clear();
    }
    writer->append(*buffer);
    return StagedSegment(blobs_, writer->finish());
  }

  SqlStore& store_;
  Blobs& blobs_;
  Engine& engine_;
  const TableState& state_;
  const DeletionVectors& deleted_;
  Batch batch_;
  Key key_;
  const ColumnPlan& plan_;
  KeyIndex index_;
  std::vector<Position> candidates_;
  std::vector<Column> existing_columns_;
};

}  // namespace

Task<UpsertResult> match_rows(SqlStore& store, Blobs& blobs, Engine& engine, const TableState& state,
                              const DeletionVectors& deleted, Batch batch, Key key, const ColumnPlan& plan) {
  Matcher matcher(store, blobs, engine, state, deleted, std::move(batch), std::move(key), plan);
  UpsertResult result = co_await matcher.run();
  co_return std::move(result);
}

}  // namespace stele
