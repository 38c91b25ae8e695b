#include "engine/cursor.hpp"

#include <new>

#include "base/assert.hpp"
#include "duckdb/main/client_config.hpp"
#include "engine/picked_rows.hpp"
#include "engine/snapshot_scan.hpp"
#include "engine/sql_failure.hpp"
#include "engine/value_json.hpp"

namespace stele {

namespace {

// A task is up to 50 vectors of one pipeline, about a millisecond or two: a slice stays short, its overhead small.
constexpr int tasks_per_slice = 4;

// Planning cannot be interrupted, so that nothing may be nested deep enough to make it slow.
constexpr duckdb::idx_t expression_depth_max = 200;

Error too_slow(const Limits& limits) {
  return Error("time_limit", "The statement ran longer than the limit of " + std::to_string(limits.query_ms) + " ms.",
               "Filter or aggregate earlier, avoid joins without a condition, or work in parts.");
}

}  // namespace

QueryCursor::QueryCursor(CursorSetting setting, duckdb::unique_ptr<duckdb::SQLStatement> statement,
                         std::vector<SnapshotPtr> snapshots, std::vector<PickedRows> picked)
    : setting_(setting),
      started_ms_(setting.host.now_ms()),
      connection_(std::make_unique<duckdb::Connection>(setting.db)) {
  auto& config = duckdb::ClientConfig::GetConfig(*connection_->context);
  config.max_expression_depth = expression_depth_max;
  config.enable_progress_bar = true;  // reckoned, and printed nowhere
  config.print_progress_bar = false;
  set_snapshots(*connection_->context, std::move(snapshots));
  if (!picked.empty()) set_picked_rows(*connection_->context, std::move(picked));
  setting_.files.forget_failure();
  plan(std::move(statement));
  types_ = pending_->types;
  for (std::size_t i = 0; i < types_.size(); i++) {
    columns_.push_back({valid_utf8(pending_->names[i]), types_[i].ToString()});
  }
}

// Constants are computed here too, and may be as large as any row's.
void QueryCursor::plan(duckdb::unique_ptr<duckdb::SQLStatement> statement) {
  const StepWatch watching = watch();
  try {
    pending_ = connection_->PendingQuery(std::move(statement), true);
    if (pending_->HasError()) pending_->ThrowError();
  } catch (const std::exception& failure) {
    fail(duckdb::ErrorData(failure), watching);
  }
}

// A context that goes while an exception unwinds leaves its query's tasks to whichever query comes next, with nothing
// behind them: so it is told to end before it goes.
QueryCursor::~QueryCursor() {
  connection_->Interrupt();
  try {
    connection_->context->Destroy();
  } catch (const std::exception&) {
    // The query had failed, which whoever read the cursor was told.
  }
}

Cursor::State QueryCursor::step() {
  chunk_.reset();
  if (done_) return State::done;
  const StepWatch watching = watch();
  setting_.files.forget_failure();
  try {
    return pending_ ? run_tasks() : next_result();
  } catch (const Error&) {
    throw;
  } catch (const InvariantBroken&) {
    throw;
  } catch (const std::exception& failure) {
    fail(duckdb::ErrorData(failure), watching);
  }
}

Cursor::State QueryCursor::run_tasks() {
  for (int task = 0; task < tasks_per_slice; task++) {
    const auto state = pending_->ExecuteTask();
    if (state == duckdb::PendingExecutionResult::EXECUTION_ERROR) pending_->ThrowError();
    if (!duckdb::PendingQueryResult::IsResultReady(state)) continue;
    result_ = pending_->Execute();
    pending_.reset();
    if (result_->HasError()) result_->ThrowError();
    return State::working;
  }
  return State::working;
}

Cursor::State QueryCursor::next_result() {
  if (result_->type == duckdb::QueryResultType::STREAM_RESULT) {
    auto& stream = result_->Cast<duckdb::StreamQueryResult>();
    bool ready = false;
    for (int task = 0; task < tasks_per_slice && !ready; task++) {
      ready = duckdb::StreamQueryResult::IsChunkReady(stream.ExecuteTask());
      if (stream.HasError()) stream.ThrowError();
    }
    if (!ready) return State::working;
  }
  chunk_ = result_->Fetch();
  if (result_->HasError()) result_->ThrowError();
  if (!chunk_ || chunk_->size() == 0) {
    chunk_.reset();
    done_ = true;
    return State::done;
  }
  flatten_nested(*chunk_);
  return State::chunk;
}

double QueryCursor::progress() const {
  if (done_) return 1;
  const double percent = connection_->GetQueryProgress();
  return percent < 0 ? -1 : percent / 100;
}

StepWatch QueryCursor::watch() const {
  const auto& limits = setting_.limits;
  if (setting_.host.now_ms() - started_ms_ > limits.query_ms) throw too_slow(limits);
  return {limits.memory_bytes + unbuffered_bytes_max, std::chrono::milliseconds(limits.query_ms)};
}

void QueryCursor::fail(const duckdb::ErrorData& error, const StepWatch& watch) const {
  setting_.files.rethrow_failure();
  if (watch.is_over_time()) throw too_slow(setting_.limits);
  throw_failure(error, setting_.limits);
}

duckdb::DataChunk& QueryCursor::chunk() const {
  require(chunk_ != nullptr, "a cursor's chunk is read only after a step that answered one");
  return *chunk_;
}

Task<bool> next_chunk(Cursor& cursor, const char* what) {
  while (true) {
    const auto state = cursor.step();
    if (state != Cursor::State::working) co_return state == Cursor::State::chunk;
    Progress progress;
    progress.what = what;
    const double part = cursor.progress();
    if (part >= 0) {
      progress.done = part;
      progress.total = 1;
    }
    co_await end_slice(progress);
  }
}

}  // namespace stele
