// NativeSqlStore: SqlStore over libsqlite3, for native homes and tests. It is no laxer than the strictest home, so that
// what an object at the edge would refuse is refused here too.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "store/sql_store.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace stele {

class NativeSqlStore : public SqlStore {
 public:
  // Opens or creates a file, or ":memory:". The file is this object's alone until it is destroyed: throws Error
  // store_busy if another process or object has it open, StoreError if it cannot be opened or is no SQLite database.
  explicit NativeSqlStore(const std::string& path);
  ~NativeSqlStore() override;
  NativeSqlStore(const NativeSqlStore&) = delete;
  NativeSqlStore& operator=(const NativeSqlStore&) = delete;

  SqlRows query(std::string_view sql, std::span<const SqlValue> params = {}) override;
  void commit(std::span<const SqlStatement> batch) override;

 private:
  struct CloseDatabase {
    void operator()(sqlite3* database) const;
  };
  struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;
  class Binding;

  static int authorize(void* self, int action, const char*, const char*, const char*, const char*);
  void set_up();
  void run_own(const char* sql);
  void run(const SqlStatement& statement);
  void roll_back() noexcept;
  sqlite3_stmt* prepared(std::string_view sql);

  std::unique_ptr<sqlite3, CloseDatabase> database_;
  std::map<std::string, Statement, std::less<>> statements_;  // prepared once, by their text
  bool own_ = false;  // a statement of the store's own is running, which may begin, commit and set up
};

}  // namespace stele
