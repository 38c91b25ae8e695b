// FaultyStore: a store that refuses or dies when told, around one that works. What was committed before the death, and
// nothing else, is in the store beneath, as after a real crash: open a new core over that one and look.
#pragma once

#include <cstdint>
#include <optional>

#include "store/sql_store.hpp"

namespace stele {

// Before: the operation was not done. After: it was done, and its answer was lost.
enum class FaultPoint { before, after };

class FaultyStore : public SqlStore {
 public:
  // `beneath` outlives this.
  explicit FaultyStore(SqlStore& beneath) : beneath_(beneath) {}

  // The n-th operation from now (1 is the next) throws, once.
  void fail(std::uint64_t n, StoreError::Kind kind = StoreError::Kind::io, FaultPoint point = FaultPoint::before) {
    fault_ = Fault{operations_ + n, kind, point, false};
  }
  // The n-th operation from now throws, and every later one.
  void die(std::uint64_t n, FaultPoint point = FaultPoint::before) {
    fault_ = Fault{operations_ + n, StoreError::Kind::io, point, true};
  }
  bool dead() const { return dead_; }
  bool fault_reached() const { return fault_reached_; }

  // Queries and commits asked for so far, failed ones too. A sweep over all faults of a call counts them first.
  std::uint64_t operations() const { return operations_; }
  std::uint64_t queries() const { return queries_; }
  std::uint64_t commits() const { return operations_ - queries_; }

  SqlRows query(std::string_view sql, std::span<const SqlValue> params = {}) override {
    ++queries_;
    SqlRows rows;
    run([&] { rows = beneath_.query(sql, params); });
    return rows;
  }
  void commit(std::span<const SqlStatement> batch) override {
    run([&] { beneath_.commit(batch); });
  }

 private:
  struct Fault {
    std::uint64_t operation;
    StoreError::Kind kind;
    FaultPoint point;
    bool deadly;
  };

  template <class Operation>
  void run(const Operation& operation) {
    ++operations_;
    if (dead_) throw StoreError(StoreError::Kind::io, "the store is dead");
    if (!fault_ || fault_->operation != operations_) return operation();
    const auto fault = *fault_;
    fault_.reset();
    fault_reached_ = true;
    dead_ = fault.deadly;
    if (fault.point == FaultPoint::after) operation();
    throw StoreError(fault.kind, "a fault on demand");
  }

  SqlStore& beneath_;
  std::optional<Fault> fault_;
  bool fault_reached_ = false;
  bool dead_ = false;
  std::uint64_t operations_ = 0;
  std::uint64_t queries_ = 0;
};

}  // namespace stele
