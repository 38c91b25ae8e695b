#include "tables/publisher.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "tables/answers.hpp"
#include "tables/merge.hpp"

namespace stele {

namespace {

// Identical rows appended within this time are likely a call that was sent twice.
constexpr std::int64_t repeat_suspected_ms = 10 * 60 * 1000;

const char* mode_name(WriteMode mode) {
  switch (mode) {
    case WriteMode::create:
      return "create";
    case WriteMode::append:
      return "append";
    case WriteMode::upsert:
      return "upsert";
    case WriteMode::replace:
      return "replace";
  }
  return "";
}

}  // namespace

void refuse_stale(const std::string& path, std::int64_t current, const std::string& why) {
  throw Error("version_conflict", "The table \"" + path + "\" is at version " + std::to_string(current) + why + ".",
              "Read the table at its current version, then write again on top of it.");
}

TableState Publisher::state_for(const WriteRequest& request) {
  const std::optional<TableRecord> table = catalog_.find(request.path);
  if (table && request.mode == WriteMode::create) {
    throw Error(
        "table_exists",
        "There is a table \"" + request.path + "\" already, at version " + std::to_string(table->version) + ".",
        "Use mode append to add rows, upsert to update rows by key_columns, replace for new contents, or another "
        "path.");
  }
  const std::int64_t current = table ? table->version : 0;
  if (request.expected_version && *request.expected_version != current) {
    refuse_stale(request.path, current,
                 ", not at version " + std::to_string(*request.expected_version) + " as expected");
  }
  if (table) return read_table_state(store_, *table);
  TableState state;
  state.table.id = uuid_v7(host_);
  state.table.path = request.path;
  return state;
}

Task<Json> Publisher::publish(WriteRequest request, ColumnPlan plan, StagedRows staged,
                              std::vector<Column> columns_before) {
  for (int attempt = 1;; ++attempt) {
    const TableState state = state_for(request);
    if (state.columns != columns_before)
      refuse_stale(request.path, state.table.version, ", and its columns changed meanwhile");
    NextVersion next(store_, state, plan.columns, plan.next_column);
    describe(next, request, plan, state);
    std::vector<Warning> warnings = staged.warnings;
    warnings.insert(warnings.end(), plan.warnings.begin(), plan.warnings.end());
    std::optional<DeletionVectors> deleted;
    std::optional<StagedSegment> completed;
    if (request.mode == WriteMode::upsert) {
      Batch batch{staged.segment->snapshot(staged.columns), staged.columns, &staged.left_out, request.path};
      Key key = key_of(request.key_columns, plan);
      co_await check_keys(engine_, batch, key);
      deleted = read_deletions(store_, state.live);
      UpsertResult matched = co_await match_rows(store_, blobs_, engine_, state, *deleted, std::move(batch), key, plan);
      completed = std::move(matched.completed);
      const LiveSpan added = next.add(completed ? completed->segment() : staged.segment->segment());
      take_upsert(next, matched, *deleted, state, added, key);
    } else {
      add_rows(next, request, *staged.segment, state, warnings);
    }
    std::vector<StagedSegment> merged;
    if (!state.is_new() && request.mode != WriteMode::replace) {
      merged = co_await merge_segments(store_, blobs_, engine_, state, next, plan.columns, std::move(deleted));
    }
    WriteOutcome outcome{request.path, {}, std::move(warnings), staged.facts, false};
    const std::optional<Json> answer =
        commit(state, next, std::move(outcome), request.idempotency_key, request.request_digest);
    if (answer) {
      (completed ? *completed : *staged.segment).release();
      for (StagedSegment& segment : merged) segment.release();
      co_return *answer;
    }
    if (attempt == publish_attempts_max)
      refuse_stale(request.path, state.table.version, ", and other writers keep coming between");
    co_await end_slice({0, 0, "waiting for another write"});
  }
}

void Publisher::describe(NextVersion& next, const WriteRequest& request, const ColumnPlan& plan,
                         const TableState& state) {
  VersionRecord& record = next.record;
  record.kind = state.is_new() ? mode_name(WriteMode::create) : mode_name(request.mode);
  record.tool = request.kind;
  record.note = request.note;
  record.made_ms = host_.now_ms();
  record.columns_added = plan.added;
  record.columns_removed = plan.removed;
  record.columns_retyped = plan.retyped;
  // A key's index holds fingerprints of another type, which nobody will ask for.
  if (plan.retyped.empty() || state.is_new()) return;
  next.also(
      {"DELETE FROM key_blocks WHERE segment IN (SELECT segment FROM segment_spans WHERE table_id = ? AND "
       "end_version = ?)",
       {state.table.id, SqlStore::integer_max}});
}

void Publisher::add_rows(NextVersion& next, const WriteRequest& request, const StagedSegment& staged,
                         const TableState& state, std::vector<Warning>& warnings) {
  VersionRecord& record = next.record;
  record.added = staged.segment().rows;
  record.rows = state.rows + record.added;
  if (request.mode == WriteMode::replace) {
    next.end_all();
    record.removed = state.rows;
    record.rows = record.added;
  } else {
    // Under a key too: a tab gives each call one of its own, and a retry may have been given another.
    warn_of_repeat(staged.segment(), state, warnings);
  }
  next.add(staged.segment());
}

// Segments are named by their bytes, so the same rows are seen without reading them.
void Publisher::warn_of_repeat(const Segment& segment, const TableState& state, std::vector<Warning>& warnings) {
  if (segment.rows == 0) return;
  for (auto span = state.live.segments.rbegin(); span != state.live.segments.rend(); ++span) {
    if (span->blob.sha256 != segment.blob.sha256) continue;
    const VersionRecord earlier = versions_.get(state.table, span->begin_version);
    const std::int64_t ago_ms = host_.now_ms() - earlier.made_ms;
    if (ago_ms > repeat_suspected_ms) continue;
    Warning warning;
    warning.kind = "identical_recent_append";
    warning.message = "The same rows were added as version " + std::to_string(earlier.version) + " " +
                      std::to_string(ago_ms / 1000) +
                      " seconds ago, and were added again. If this call was a retry, "
                      "restore version " +
                      std::to_string(state.table.version) + "; an idempotency_key makes retries safe.";
    warnings.push_back(std::move(warning));
    return;
  }
}

void Publisher::take_upsert(NextVersion& next, const UpsertResult& matched, DeletionVectors& deleted,
                            const TableState& state, const LiveSpan& added, const Key& key) {
  next.delete_rows(matched.replaced);
  for (const auto& [number, rows] : matched.replaced) {
    std::vector<std::uint32_t>& known = deleted.at(number);
    const auto middle = static_cast<std::ptrdiff_t>(known.size());
    known.insert(known.end(), rows.begin(), rows.end());
    std::inplace_merge(known.begin(), known.begin() + middle, known.end());
  }
  next.record.updated = matched.updated;
  for (const Column& column : key.columns()) next.record.key_columns.push_back(column.id);
  next.record.added = added.rows - matched.updated;
  next.record.rows = state.rows + next.record.added;
  const KeyIndex index(store_, engine_, key);
  for (SqlStatement& statement : index.statements(added.blob.id, matched.fingerprints)) next.also(std::move(statement));
}

std::optional<Json> Publisher::commit(const TableState& state, NextVersion& next, WriteOutcome outcome,
                                      const std::optional<std::string>& idempotency_key,
                                      const std::string& request_digest) {
  if (!is_unchanged(store_, state)) return std::nullopt;
  std::vector<SqlStatement> batch = next.statements();
  outcome.version = next.record;
  Json answer = outcome.to_json();
  if (idempotency_key) {
    for (SqlStatement& statement : keep_answer(*idempotency_key, request_digest, answer, next.record.made_ms)) {
      batch.push_back(std::move(statement));
    }
  }
  try {
    store_.commit(batch);
  } catch (const StoreError& error) {
    if (error.kind() == StoreError::Kind::conflict) return std::nullopt;
    throw;
  }
  return answer;
}

}  // namespace stele
