#include "tables/writer.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "tables/answers.hpp"
#include "tables/column_list.hpp"
#include "tables/column_plan.hpp"
#include "tables/incoming.hpp"
#include "tables/publisher.hpp"
#include "tables/restore.hpp"
#include "tables/table_locks.hpp"
#include "tables/table_state.hpp"

namespace stele {

namespace {

constexpr std::size_t columns_with_nulls_told_max = 50;

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
        limits_(limits),
        publisher_(store, blobs, engine, catalog, versions, host) {}

  std::optional<Json> answered_before(const WriteRequest& request) {
    if (!request.idempotency_key) return std::nullopt;
    return find_answer(store_, *request.idempotency_key, request.request_digest);
  }

  Task<Json> write(WriteRequest request, std::unique_ptr<RowSource> rows) {
    check_path(request.path);
    const TableLocks::Held held = co_await locks_.lock(request.path);
    if (std::optional<Json> answer = answered_before(request)) co_return *std::move(answer);
    const TableState state = publisher_.state_for(request);
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
    StagedRows staged;
    std::vector<Column> columns = incoming_columns(plan, incoming);
    if (std::optional<StagedSegment> written = rows->take_written(columns)) {
      staged.segment = std::move(written);
    } else {
      StagedSegment segment = co_await stage_rows(engine_, blobs_, *rows, std::move(columns), staged.left_out);
      staged.segment.emplace(std::move(segment));
    }
    staged.columns = incoming_columns(plan, incoming);
    staged.warnings = keeps_types(request, state) ? not_said_before(rows->warnings(), state.columns) : rows->warnings();
    staged.facts = facts_with_nulls(rows->facts(), incoming);
    Json answer = co_await publisher_.publish(std::move(request), std::move(plan), std::move(staged), state.columns);
    co_return answer;
  }

  Task<Json> write(WriteRequest request, std::unique_ptr<Cursor> rows, std::vector<Warning> warnings, Json facts) {
    check_path(request.path);
    const TableLocks::Held held = co_await locks_.lock(request.path);
    if (std::optional<Json> answer = answered_before(request)) co_return *std::move(answer);
    const TableState state = publisher_.state_for(request);
    const std::vector<SourceColumn> incoming = source_columns(rows->columns(), warnings);
    ColumnPlan plan = match(request, state, incoming);
    StagedRows staged;
    staged.warnings = std::move(warnings);
    staged.facts = std::move(facts);
    StagedSegment segment = co_await stage_typed(plan, incoming, std::move(rows), keeps_types(request, state), state);
    staged.segment.emplace(std::move(segment));
    staged.columns = incoming_columns(plan, incoming);
    Json answer = co_await publisher_.publish(std::move(request), std::move(plan), std::move(staged), state.columns);
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
    const TableState state = publisher_.state_for(request);
    const std::vector<SourceColumn> incoming = source_columns(file.columns, warnings);
    ColumnPlan plan = match(request, state, incoming);
    Task<BlobInfo> taking_digest = blobs_.digested(std::move(blob));
    blob = co_await std::move(taking_digest);
    Segment segment{blob, file.rows, {}};
    for (std::size_t i = 0; i < incoming.size(); ++i) {
      segment.columns.push_back({plan.ids[i], file.columns[i].name, file.columns[i].type});
    }
    StagedRows staged;
    staged.segment.emplace(blobs_, std::move(segment));
    staged.columns = incoming_columns(plan, incoming);
    staged.warnings = std::move(warnings);
    staged.facts = std::move(facts);
    Json answer = co_await publisher_.publish(std::move(request), std::move(plan), std::move(staged), state.columns);
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
      const std::optional<Json> answer = publisher_.commit(state, next, std::move(outcome), idempotency_key, digest);
      if (answer) co_return *answer;
      if (attempt == publish_attempts_max) refuse_stale(path, table.version, ", and other writers keep coming between");
      co_await end_slice({0, 0, "waiting for another write"});
    }
  }

 private:
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

  SqlStore& store_;
  Blobs& blobs_;
  Engine& engine_;
  Catalog& catalog_;
  Versions& versions_;
  Host& host_;
  const Limits& limits_;
  TableLocks locks_;
  Publisher publisher_;
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
