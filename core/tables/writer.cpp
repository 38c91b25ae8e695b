#include "tables/writer.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/sha256.hpp"
#include "tables/answers.hpp"
#include "tables/column_list.hpp"
#include "tables/column_plan.hpp"
#include "tables/incoming.hpp"
#include "tables/merge.hpp"
#include "tables/next_version.hpp"
#include "tables/restore.hpp"
#include "tables/table_locks.hpp"
#include "tables/table_state.hpp"
#include "tables/upsert.hpp"

namespace stele {

namespace {

// How often a write begins again because another core made a version meanwhile.
constexpr int attempts_max = 4;
// Identical rows appended within this time are likely a call that was sent twice.
constexpr std::int64_t repeat_suspected_ms = 10 * 60 * 1000;
constexpr std::size_t columns_with_nulls_told_max = 50;

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

[[noreturn]] void refuse_stale(const std::string& path, std::int64_t current, const std::string& why) {
  throw Error("version_conflict", "The table \"" + path + "\" is at version " + std::to_string(current) + why + ".",
              "Read the table at its current version, then write again on top of it.");
}

Json facts_with_nulls(Json facts, const std::vector<SourceColumn>& columns) {
  if (!facts.is_object()) facts = Json::object();
  if (facts.contains("nulls")) return facts;
  Json nulls = Json::object();
  for (const SourceColumn& column : columns) {
    if (column.nulls > 0 && nulls.size() < columns_with_nulls_told_max) nulls[column.name] = column.nulls;
  }
  if (!nulls.empty()) facts["nulls"] = std::move(nulls);
  return facts;
}

// A text column of the table stays text: that was said when it was made.
std::vector<Warning> not_said_before(std::vector<Warning> warnings, const std::vector<Column>& table_columns) {
  std::erase_if(warnings, [&](const Warning& warning) {
    const Column* known = warning.kind == "kept_as_text" ? find_column(table_columns, warning.column) : nullptr;
    return known && known->type == "VARCHAR";
  });
  return warnings;
}

}  // namespace

class Writer::Impl {
 public:
  Impl(SqlStore& store, Blobs& blobs, Engine& engine, Catalog& catalog, Versions& versions, Host& host,
       const Limits& limits)
      : store_(store),
        blobs_(blobs),
        engine_(engine),
        catalog_(catalog),
        versions_(versions),
        host_(host),
        limits_(limits) {}

  std::optional<Json> answered_before(const WriteRequest& request) {
    if (!request.idempotency_key) return std::nullopt;
    return find_answer(store_, *request.idempotency_key, request.request_digest);
  }

  Task<Json> write(WriteRequest request, std::unique_ptr<RowSource> rows) {
    check_path(request.path);
    const TableLocks::Held held = co_await locks_.lock(request.path);
    if (std::optional<Json> answer = answered_before(request)) co_return *std::move(answer);
    const TableState state = state_for(request);
    const std::vector<SourceColumn> incoming = rows->columns();
    ColumnPlan plan = match(request, state, incoming);
    if (keeps_types(request, state)) {
      RowSource* source = rows.get();
      MisfitOf misfit_of = [source](std::size_t column, std::string type) {
        return source->misfit(column, std::move(type));
      };
      plan = co_await settle_types(std::move(plan), incoming, state.columns, std::move(misfit_of), exactness(state),
                                   engine_);
    }
    Staged staged;
    std::vector<Column> columns = incoming_columns(plan, incoming);
    StagedSegment segment = co_await stage_rows(engine_, blobs_, *rows, std::move(columns), staged.left_out);
    staged.segment.emplace(std::move(segment));
    staged.columns = incoming_columns(plan, incoming);
    staged.warnings = keeps_types(request, state) ? not_said_before(rows->warnings(), state.columns) : rows->warnings();
    staged.facts = facts_with_nulls(rows->facts(), incoming);
    Json answer = co_await publish(std::move(request), std::move(plan), std::move(staged), state.columns);
    co_return answer;
  }

  Task<Json> write(WriteRequest request, std::unique_ptr<Cursor> rows, std::vector<Warning> warnings, Json facts) {
    check_path(request.path);
    const TableLocks::Held held = co_await locks_.lock(request.path);
    if (std::optional<Json> answer = answered_before(request)) co_return *std::move(answer);
    const TableState state = state_for(request);
    const std::vector<SourceColumn> incoming = source_columns(rows->columns(), warnings);
    ColumnPlan plan = match(request, state, incoming);
    Staged staged;
    staged.warnings = std::move(warnings);
    staged.facts = std::move(facts);
    StagedSegment segment = co_await stage_typed(plan, incoming, std::move(rows), keeps_types(request, state), state);
    staged.segment.emplace(std::move(segment));
    staged.columns = incoming_columns(plan, incoming);
    Json answer = co_await publish(std::move(request), std::move(plan), std::move(staged), state.columns);
    co_return answer;
  }

  Task<Json> adopt(WriteRequest request, BlobInfo blob, Engine::ParquetFile file, Json facts) {
    require(request.mode != WriteMode::upsert, "only modes that add rows adopt a file");
    std::vector<Warning> warnings;
    for (const std::string& message : file.warnings) {
      Warning warning;
      warning.kind = "value_cut";
      warning.message = message;
      warnings.push_back(std::move(warning));
    }
    if (!file.adoptable || !fits_as_it_is(request, file)) {
      std::unique_ptr<Cursor> rows = engine_.read_parquet(blob);
      Json copied = co_await write(std::move(request), std::move(rows), std::move(warnings), std::move(facts));
      blobs_.discard(blob.id);
      co_return copied;
    }
    check_path(request.path);
    const TableLocks::Held held = co_await locks_.lock(request.path);
    if (std::optional<Json> answer = answered_before(request)) co_return *std::move(answer);
    const TableState state = state_for(request);
    const std::vector<SourceColumn> incoming = source_columns(file.columns, warnings);
    ColumnPlan plan = match(request, state, incoming);
    Segment segment{blob, file.rows, {}};
    for (std::size_t i = 0; i < incoming.size(); ++i) {
      segment.columns.push_back({plan.ids[i], file.columns[i].name, file.columns[i].type});
    }
    Staged staged;
    staged.segment.emplace(blobs_, std::move(segment));
    staged.columns = incoming_columns(plan, incoming);
    staged.warnings = std::move(warnings);
    staged.facts = std::move(facts);
    Json answer = co_await publish(std::move(request), std::move(plan), std::move(staged), state.columns);
    co_return answer;
  }

  Task<Json> restore(std::string path, std::int64_t version, ChangeNote note,
                     std::optional<std::int64_t> expected_version, std::optional<std::string> idempotency_key) {
    const TableLocks::Held held = co_await locks_.lock(path);
    const std::string digest = sha256_hex(Json::array({"restore", path, version, note.message, note.run}).dump());
    if (idempotency_key) {
      if (std::optional<Json> answer = find_answer(store_, *idempotency_key, digest)) co_return *std::move(answer);
    }
    for (int attempt = 1;; ++attempt) {
      const TableRecord table = table_to_restore(catalog_, versions_, path, version);
      if (expected_version && *expected_version != table.version) {
        refuse_stale(path, table.version, ", not at version " + std::to_string(*expected_version) + " as expected");
      }
      const TableState state = read_table_state(store_, table);
      NextVersion next = restored_version(store_, versions_, state, version);
      next.record.note = note;
      next.record.made_ms = host_.now_ms();
      WriteOutcome outcome{path, {}, {}, Json::object(), false};
      const std::optional<Json> answer = commit(state, next, std::move(outcome), idempotency_key, digest);
      if (answer) co_return *answer;
      if (attempt == attempts_max) refuse_stale(path, table.version, ", and other writers keep coming between");
      co_await end_slice({0, 0, "waiting for another write"});
    }
  }

 private:
  // The incoming rows, ready to become part of a version.
  struct Staged {
    std::optional<StagedSegment> segment;
    std::vector<Column> columns;  // of the segment, in its order
    LeftOut left_out;
    std::vector<Warning> warnings;
    Json facts;
  };

  // The table as it is, checked against what the request expects of it.
  TableState state_for(const WriteRequest& request) {
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

  ColumnPlan match(const WriteRequest& request, const TableState& state, const std::vector<SourceColumn>& incoming) {
    return match_columns(state.columns, state.next_column, incoming, request.mode == WriteMode::replace, engine_,
                         limits_.columns_max);
  }

  static bool keeps_types(const WriteRequest& request, const TableState& state) {
    return !state.is_new() && request.mode != WriteMode::replace;
  }

  ExactAsDouble exactness(const TableState& state) {
    return [this, &state](Column column) { return exact_as_double(&state, std::move(column)); };
  }

  Task<bool> exact_as_double(const TableState* state, Column column) {
    const std::string name = id_name(column.id);
    std::vector<SnapshotPtr> snapshots{make_snapshot(store_, state->live, named_by_id({column}))};
    std::unique_ptr<Cursor> cursor = engine_.start_own(
        "SELECT 1 FROM scan(0) WHERE " + name + " NOT BETWEEN -9007199254740992 AND 9007199254740992 LIMIT 1",
        std::move(snapshots));
    const bool found = co_await next_chunk(*cursor, "checking types");
    co_return !found || cursor->row_count() == 0;
  }

  // A cursor can be read once: its rows are staged at types that hold them surely, and then, once it is known what all
  // of them allow, at the table's types where those differ. Changes `plan` to the types settled on.
  Task<StagedSegment> stage_typed(ColumnPlan& plan, std::vector<SourceColumn> incoming, std::unique_ptr<Cursor> rows,
                                  bool keeps, const TableState& state) {
    std::vector<Column> columns = incoming_columns(plan, incoming);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string kept = engine_.kept_type(incoming[i].type);
      if (!engine_.widens(incoming[i].type, plan.types[i])) columns[i].type = kept;
    }
    StagedSegment staged = co_await stage_cursor(engine_, blobs_, std::move(rows), columns, "writing rows");
    if (!keeps) co_return std::move(staged);
    const SnapshotPtr snapshot = staged.snapshot(columns);
    MisfitOf misfit_of = [&](std::size_t column, std::string type) {
      return staged_misfit(engine_, snapshot, columns[column], std::move(type));
    };
    plan = co_await settle_types(std::move(plan), incoming, state.columns, std::move(misfit_of), exactness(state),
                                 engine_);
    std::string selected;
    bool differs = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      differs = differs || (columns[i].type != plan.types[i] && !engine_.widens(columns[i].type, plan.types[i]));
      selected += (i == 0 ? "CAST(" : ", CAST(") + id_name(columns[i].id) + " AS " + plan.types[i] + ")";
    }
    if (!differs) co_return std::move(staged);
    std::vector<SnapshotPtr> snapshots{snapshot};
    std::unique_ptr<Cursor> again = engine_.start_own("SELECT " + selected + " FROM scan(0)", std::move(snapshots));
    StagedSegment settled =
        co_await stage_cursor(engine_, blobs_, std::move(again), incoming_columns(plan, incoming), "writing rows");
    co_return std::move(settled);
  }

  bool fits_as_it_is(const WriteRequest& request, const Engine::ParquetFile& file) {
    const std::optional<TableRecord> table = catalog_.find(request.path);
    if (!table || request.mode == WriteMode::replace) return true;
    const std::vector<Column> columns = versions_.columns(*table, table->version);
    return std::all_of(file.columns.begin(), file.columns.end(), [&](const ResultColumn& column) {
      const Column* known = find_column(columns, column.name);
      return !known || known->type == column.type || engine_.widens(column.type, known->type);
    });
  }

  // Makes the version, again if another core came between, unless that changed the columns that the rows were typed
  // for.
  Task<Json> publish(WriteRequest request, ColumnPlan plan, Staged staged, std::vector<Column> columns_before) {
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
        UpsertResult matched =
            co_await match_rows(store_, blobs_, engine_, state, *deleted, std::move(batch), key, plan);
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
      if (attempt == attempts_max)
        refuse_stale(request.path, state.table.version, ", and other writers keep coming between");
      co_await end_slice({0, 0, "waiting for another write"});
    }
  }

  void describe(NextVersion& next, const WriteRequest& request, const ColumnPlan& plan, const TableState& state) {
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

  void add_rows(NextVersion& next, const WriteRequest& request, const StagedSegment& staged, const TableState& state,
                std::vector<Warning>& warnings) {
    VersionRecord& record = next.record;
    record.added = staged.segment().rows;
    record.rows = state.rows + record.added;
    if (request.mode == WriteMode::replace) {
      next.end_all();
      record.removed = state.rows;
      record.rows = record.added;
    } else if (!request.idempotency_key) {
      warn_of_repeat(staged.segment(), state, warnings);
    }
    next.add(staged.segment());
  }

  // Segments are named by their bytes, so the same rows are seen without reading them.
  void warn_of_repeat(const Segment& segment, const TableState& state, std::vector<Warning>& warnings) {
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

  void take_upsert(NextVersion& next, const UpsertResult& matched, DeletionVectors& deleted, const TableState& state,
                   const LiveSpan& added, const Key& key) {
    next.delete_rows(matched.replaced);
    for (const auto& [number, rows] : matched.replaced) {
      std::vector<std::uint32_t>& known = deleted.at(number);
      const auto middle = static_cast<std::ptrdiff_t>(known.size());
      known.insert(known.end(), rows.begin(), rows.end());
      std::inplace_merge(known.begin(), known.begin() + middle, known.end());
    }
    next.record.updated = matched.updated;
    next.record.added = added.rows - matched.updated;
    next.record.rows = state.rows + next.record.added;
    const KeyIndex index(store_, engine_, key);
    for (SqlStatement& statement : index.statements(added.blob.id, matched.fingerprints))
      next.also(std::move(statement));
  }

  // The one commit. Nothing if another core made a version meanwhile; then nothing was changed.
  std::optional<Json> commit(const TableState& state, NextVersion& next, WriteOutcome outcome,
                             const std::optional<std::string>& idempotency_key, const std::string& request_digest) {
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

  SqlStore& store_;
  Blobs& blobs_;
  Engine& engine_;
  Catalog& catalog_;
  Versions& versions_;
  Host& host_;
  const Limits& limits_;
  TableLocks locks_;
};

namespace {

// A full store is something the caller is told about; other refusals of the store are not the caller's.
Task<Json> told_when_full(Task<Json> write) {
  try {
    Json answer = co_await std::move(write);
    co_return answer;
  } catch (const StoreError& error) {
    if (error.kind() != StoreError::Kind::full) throw;
    throw Error("storage_full", "The store is full. Nothing was stored.",
                "Free space, or delete tables that are no longer needed, and call again.");
  }
}

}  // namespace

Writer::Writer(SqlStore& store, Blobs& blobs, Engine& engine, Catalog& catalog, Versions& versions, Host& host,
               const Limits& limits)
    : impl_(std::make_unique<Impl>(store, blobs, engine, catalog, versions, host, limits)) {}

Writer::~Writer() = default;

std::optional<Json> Writer::answered_before(const WriteRequest& request) { return impl_->answered_before(request); }

Task<Json> Writer::write(WriteRequest request, std::unique_ptr<RowSource> rows) {
  return told_when_full(impl_->write(std::move(request), std::move(rows)));
}

Task<Json> Writer::write(WriteRequest request, std::unique_ptr<Cursor> rows, std::vector<Warning> warnings,
                         Json facts) {
  return told_when_full(impl_->write(std::move(request), std::move(rows), std::move(warnings), std::move(facts)));
}

Task<Json> Writer::adopt(WriteRequest request, BlobInfo blob, Engine::ParquetFile file, Json facts) {
  return told_when_full(impl_->adopt(std::move(request), std::move(blob), std::move(file), std::move(facts)));
}

Task<Json> Writer::restore(std::string path, std::int64_t version, ChangeNote note,
                           std::optional<std::int64_t> expected_version, std::optional<std::string> idempotency_key) {
  return told_when_full(
      impl_->restore(std::move(path), version, std::move(note), expected_version, std::move(idempotency_key)));
}

}  // namespace stele
