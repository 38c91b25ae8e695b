#include "store/native_sqlite_store.hpp"

#include <sqlite3.h>

#include <cmath>

#include "base/assert.hpp"
#include "base/error.hpp"

namespace stele {
namespace {

constexpr std::size_t statements_max = 256;

// The limits of a Durable Object, which are the tightest of all homes.
constexpr std::pair<int, int> edge_limits[] = {
    {SQLITE_LIMIT_VARIABLE_NUMBER, SqlStore::params_max},
    {SQLITE_LIMIT_COLUMN, 100},
    {SQLITE_LIMIT_LENGTH, 2 << 20},
    {SQLITE_LIMIT_SQL_LENGTH, 100 << 10},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50},
    {SQLITE_LIMIT_ATTACHED, 0},
};

StoreError::Kind kind_of(int extended_code) {
  switch (extended_code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
      return StoreError::Kind::conflict;
    case SQLITE_FULL:
      return StoreError::Kind::full;
    default:
      return StoreError::Kind::io;
  }
}

StoreError refusal(sqlite3* database) {
  return StoreError(kind_of(sqlite3_extended_errcode(database)), sqlite3_errmsg(database));
}

// Text and bytes are bound without a copy: they outlive the statement's run.
struct Binder {
  sqlite3_stmt* statement;
  int index;
  int operator()(std::monostate) const { return sqlite3_bind_null(statement, index); }
  int operator()(std::int64_t value) const {
    require(value >= -SqlStore::integer_max && value <= SqlStore::integer_max, "integers in the store fit a double");
    return sqlite3_bind_int64(statement, index, value);
  }
  int operator()(double value) const {
    require(!std::isnan(value), "SQLite would store NaN as NULL");
    return sqlite3_bind_double(statement, index, value);
  }
  int operator()(const std::string& value) const {
    require(value.size() <= SqlStore::value_bytes_max, "a text in the store is at most 1 MiB");
    return sqlite3_bind_text64(statement, index, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  int operator()(const Bytes& value) const {
    require(value.size() <= SqlStore::value_bytes_max, "a blob in the store is at most 1 MiB");
    // A null pointer would bind NULL, which empty bytes are not.
    if (value.empty()) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob64(statement, index, value.data(), value.size(), SQLITE_STATIC);
  }
};

SqlValue value_at(sqlite3_stmt* statement, int column) {
  const auto size = [&] { return static_cast<std::size_t>(sqlite3_column_bytes(statement, column)); };
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      return std::string(text, size());
    }
    case SQLITE_BLOB: {
      const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement, column));
      return Bytes(bytes, bytes + size());
    }
    default:
      return std::monostate{};
  }
}

}  // namespace

void NativeSqlStore::CloseDatabase::operator()(sqlite3* database) const { sqlite3_close(database); }
void NativeSqlStore::FinalizeStatement::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

// A statement with its parameters in, reset when it leaves scope.
class NativeSqlStore::Binding {
 public:
  Binding(NativeSqlStore& store, std::string_view sql, std::span<const SqlValue> params)
      : database_(store.database_.get()), statement_(store.prepared(sql)) {
    require(static_cast<int>(params.size()) == sqlite3_bind_parameter_count(statement_), "every ? has its parameter");
    for (std::size_t i = 0; i < params.size(); ++i) {
      if (std::visit(Binder{statement_, static_cast<int>(i) + 1}, params[i]) != SQLITE_OK) throw refusal(database_);
    }
  }
  ~Binding() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;

  bool step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    throw refusal(database_);
  }
  bool reads_only() const { return sqlite3_stmt_readonly(statement_) != 0; }
  SqlRow row() const {
    SqlRow values;
    const int count = sqlite3_column_count(statement_);
    values.reserve(static_cast<std::size_t>(count));
    for (int column = 0; column < count; ++column) values.push_back(value_at(statement_, column));
    return values;
  }

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_;
};

NativeSqlStore::NativeSqlStore(const std::string& path) {
  sqlite3* opened = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(opened);
  if (code != SQLITE_OK) throw refusal(opened);
  sqlite3_extended_result_codes(opened, 1);
  try {
    set_up();
  } catch (const StoreError&) {
    if ((sqlite3_errcode(opened) & 0xff) != SQLITE_BUSY) throw;
    throw Error("store_busy", "The store " + path + " is open elsewhere.",
                "Close the other Stele that uses it, or name another file: a store has one owner at a time.");
  }
  for (const auto& [limit, value] : edge_limits) sqlite3_limit(opened, limit, value);
  sqlite3_set_authorizer(opened, &NativeSqlStore::authorize, this);
}

NativeSqlStore::~NativeSqlStore() = default;

void NativeSqlStore::set_up() {
  // Exclusive before the first access, so that the log needs no shared memory and the lock is held to the end. FULL
  // makes each commit of the log reach the disk; 64 KiB pages make chunks cheap.
  run_own("PRAGMA locking_mode = EXCLUSIVE");
  run_own("PRAGMA page_size = 65536");
  run_own("PRAGMA journal_mode = WAL");
  run_own("PRAGMA synchronous = FULL");
  run_own("PRAGMA foreign_keys = OFF");
  // Takes the lock now, rather than at the first write.
  run_own("BEGIN EXCLUSIVE");
  run_own("COMMIT");
}

int NativeSqlStore::authorize(void* self, int action, const char*, const char*, const char*, const char*) {
  switch (action) {
    case SQLITE_PRAGMA:
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
      return static_cast<NativeSqlStore*>(self)->own_ ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_OK;
  }
}

SqlRows NativeSqlStore::query(std::string_view sql, std::span<const SqlValue> params) {
  Binding statement(*this, sql, params);
  require(statement.reads_only(), "query() reads; writes go through commit()");
  SqlRows rows;
  while (statement.step()) rows.push_back(statement.row());
  return rows;
}

void NativeSqlStore::commit(std::span<const SqlStatement> batch) {
  if (batch.empty()) return;
  run_own("BEGIN IMMEDIATE");
  try {
    for (const auto& statement : batch) run(statement);
    run_own("COMMIT");
  } catch (...) {
    roll_back();
    throw;
  }
}

void NativeSqlStore::run(const SqlStatement& statement) {
  Binding bound(*this, statement.sql, statement.params);
  while (bound.step()) continue;
}

void NativeSqlStore::run_own(const char* sql) {
  own_ = true;
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  own_ = false;
  if (code != SQLITE_OK) throw refusal(database_.get());
}

void NativeSqlStore::roll_back() noexcept {
  // A full disk or a failed write may have rolled back already.
  if (sqlite3_get_autocommit(database_.get()) != 0) return;
  own_ = true;
  sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  own_ = false;
}

sqlite3_stmt* NativeSqlStore::prepared(std::string_view sql) {
  if (const auto found = statements_.find(sql); found != statements_.end()) return found->second.get();
  // Texts are few and fixed; whoever makes them up as he goes pays for preparing, not with memory.
  if (statements_.size() == statements_max) statements_.clear();
  sqlite3_stmt* statement = nullptr;
  const char* tail = nullptr;
  const int code = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, &tail);
  Statement owned(statement);
  if (code != SQLITE_OK) throw refusal(database_.get());
  require(statement != nullptr && tail == sql.data() + sql.size(),
          "a statement is one statement, with nothing after it");
  return statements_.emplace(sql, std::move(owned)).first->second.get();
}

}  // namespace stele
