// SqlStore: the transactional store of a home, as small as all homes can keep it. It never shows a half-made batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace stele {

using Bytes = std::vector<std::uint8_t>;

// Integers lie within ±(2^53−1): an object's SQLite reads larger ones rounded, and 2.0 as 2. No NaN. Booleans are 0
// and 1.
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string, Bytes>;
using SqlRow = std::vector<SqlValue>;
using SqlRows = std::vector<SqlRow>;

struct SqlStatement {
  std::string sql;               // one statement, parameters as ?
  std::vector<SqlValue> params;  // at most 100
};

// What every implementation promises, and tests/conformance asserts: values come back as they went in; at most 100
// columns and 100 parameters a statement; a value at most 1 MiB; no PRAGMA, BEGIN, SAVEPOINT or ATTACH; no LIKE over
// stored text.
class SqlStore {
 public:
  static constexpr std::size_t value_bytes_max = 1u << 20;
  static constexpr std::size_t params_max = 100;
  static constexpr std::int64_t integer_max = (std::int64_t{1} << 53) - 1;

  virtual ~SqlStore() = default;

  // Reads. Throws StoreError if the store refuses.
  virtual SqlRows query(std::string_view sql, std::span<const SqlValue> params = {}) = 0;

  // Writes: all statements or none, durable before any answer leaves the home. Throws StoreError, having changed
  // nothing.
  virtual void commit(std::span<const SqlStatement> batch) = 0;

  // As commit, but a crash of the machine may undo it until the next commit: for bulk that nothing refers to yet, which
  // so need not wait for the disk. A store that knows no difference makes none.
  virtual void commit_ahead(std::span<const SqlStatement> batch) { commit(batch); }
};

// The store's own refusal. `full` tells a full disk from the rest; `conflict` a violated uniqueness constraint, by
// which a writer learns that another came first.
class StoreError : public std::exception {
 public:
  enum class Kind { conflict, full, io };
  StoreError(Kind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  Kind kind() const { return kind_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Kind kind_;
  std::string message_;
};

}  // namespace stele
