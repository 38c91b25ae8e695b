#include "engine/engine.hpp"

#include "base/assert.hpp"
#include "duckdb/main/client_config.hpp"
#include "duckdb/parser/parser.hpp"
#include "engine/bounded_allocator.hpp"
#include "engine/bounded_functions.hpp"
#include "engine/cursor.hpp"
#include "engine/engine_impl.hpp"
#include "engine/picked_rows.hpp"
#include "engine/row_bounds.hpp"
#include "engine/select_guard.hpp"
#include "engine/snapshot_scan.hpp"
#include "engine/sql_failure.hpp"

namespace stele {

namespace {

// How much of the engine's memory may go to parsed footers.
constexpr std::uint64_t metadata_share = 16;

void configure(duckdb::DBConfig& config, duckdb::unique_ptr<SegmentFileSystem> files, const Limits& limits) {
  const std::string segment_prefix = files->segment_prefix();
  const std::string spill_prefix = files->spill_prefix();
  config.file_system = std::move(files);
  config.allocator = make_bounded_allocator();
  config.AddAllowedDirectory(segment_prefix);
  config.AddAllowedDirectory(spill_prefix);
  auto& options = config.options;
  options.enable_external_access = false;
  options.temporary_directory = spill_prefix;
  options.use_temporary_directory = true;
  options.maximum_swap_space = limits.spill_bytes;
  options.maximum_memory = limits.memory_bytes;
  options.maximum_threads = 1;  // as in WebAssembly, so that homes agree on the order of rows
  options.autoload_known_extensions = false;
  options.autoinstall_known_extensions = false;
  options.allow_unsigned_extensions = false;
  options.allow_community_extensions = false;
  options.load_extensions = true;  // those linked in
}

// What only a database that is open takes; after it nothing can be set.
void settle(duckdb::DBConfig& config) {
  config.SetOption("TimeZone", duckdb::Value("UTC"));
  config.options.lock_configuration = true;
}

duckdb::unique_ptr<duckdb::SQLStatement> parse_own(std::string_view sql) {
  duckdb::Parser parser;
  parser.ParseQuery(std::string(sql));
  require(parser.statements.size() == 1, "the core's own SQL is one statement");
  return std::move(parser.statements[0]);
}

}  // namespace

std::unique_ptr<Engine> Engine::open(Blobs& store_blobs, Host& host, const Limits& limits) {
  return std::make_unique<EngineImpl>(store_blobs, host, limits);
}

EngineImpl::EngineImpl(Blobs& blobs, Host& host, const Limits& limits)
    : blobs_(blobs), host_(host), limits_(limits), metadata_(limits.memory_bytes / metadata_share) {
  bound_default_allocator();  // the guard's parser allocates before DuckDB is open
}

EngineImpl::~EngineImpl() = default;

EngineImpl::Opened& EngineImpl::opened() {
  if (opened_) return *opened_;
  auto files = duckdb::make_uniq<SegmentFileSystem>(blobs_, host_, limits_);
  auto opening = std::make_unique<Opened>();
  opening->files = files.get();
  duckdb::DBConfig config;
  configure(config, std::move(files), limits_);
  opening->db = std::make_unique<duckdb::DuckDB>(nullptr, &config);
  auto& instance = *opening->db->instance;
  register_snapshot_scan(instance, *opening->files, metadata_);
  register_row_bounds(instance);
  bound_functions(instance);
  register_picked_rows(instance, *this);
  settle(duckdb::DBConfig::GetConfig(instance));
  opening->connection = std::make_unique<duckdb::Connection>(*opening->db);
  opened_ = std::move(opening);
  return *opened_;
}

std::unique_ptr<GuardedSelect> EngineImpl::guard(std::string_view sql) {
  return std::make_unique<GuardedStatementSelect>(guard_select(sql, limits_, host_.now_ms()));
}

std::unique_ptr<Cursor> EngineImpl::start(std::unique_ptr<GuardedSelect> select, std::vector<SnapshotPtr> snapshots) {
  auto& guarded = dynamic_cast<GuardedStatementSelect&>(*select).guarded();
  require(snapshots.size() == guarded.tables.size(), "each table of a statement has one snapshot");
  for (PivotValueQuery& query : guarded.value_queries)
    put_values(query, values_of(std::move(query.statement), snapshots));
  return std::make_unique<QueryCursor>(setting(), std::move(guarded.statement), std::move(snapshots));
}

std::unique_ptr<Cursor> EngineImpl::start_own(std::string_view sql, std::vector<SnapshotPtr> snapshots,
                                              std::vector<PickedRows> picked) {
  return std::make_unique<QueryCursor>(setting(), parse_own(sql), std::move(snapshots), std::move(picked));
}

std::vector<std::string> EngineImpl::values_of(duckdb::unique_ptr<duckdb::SelectStatement> statement,
                                               const std::vector<SnapshotPtr>& snapshots) {
  QueryCursor cursor(setting(), std::move(statement), snapshots);
  std::vector<std::string> values;
  for (auto state = cursor.step(); state != Cursor::State::done; state = cursor.step()) {
    if (state == Cursor::State::working) continue;
    for (std::size_t row = 0; row < cursor.row_count(); row++) {
      if (!cursor.is_null(row, 0)) values.push_back(cursor.text(row, 0));
      // One more than allowed tells put_values enough.
      if (values.size() > pivot_values_max) return values;
    }
  }
  return values;
}

CursorSetting EngineImpl::setting() { return {*opened().db, *opened().files, host_, limits_}; }

std::string Engine::version() {
  std::string version = duckdb::DuckDB::LibraryVersion();
  if (!version.empty() && version.front() == 'v') version.erase(0, 1);
  return "DuckDB " + version;
}

}  // namespace stele
