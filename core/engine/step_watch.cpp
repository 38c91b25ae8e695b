#include "engine/step_watch.hpp"

#include <atomic>
#include <utility>

#include "duckdb/common/exception.hpp"

namespace stele {

namespace {

using Clock = std::chrono::steady_clock;

// Reading the clock costs a call out of WebAssembly. Of ordinary pieces, a vector of rows each, every so many is
// enough; a large one may have taken a while to fill.
constexpr int allocations_per_look = 16;
constexpr std::uint64_t bytes_always_looked_at = std::uint64_t{256} << 10;

// Small pieces are always handed out: what clears up after a failure needs some.
constexpr std::uint64_t bytes_never_refused = std::uint64_t{16} << 10;

std::atomic<std::int64_t> held{0};
thread_local StepWatch* current = nullptr;

}  // namespace

StepWatch::StepWatch(std::uint64_t bytes_max, std::chrono::milliseconds time_max)
    : outer_(std::exchange(current, this)),
      bytes_max_(bytes_max),
      end_(Clock::now() + time_max),
      allocations_until_look_(allocations_per_look) {}

StepWatch::~StepWatch() { current = outer_; }

void StepWatch::before_calling() {
  if (current) current->look_at_clock();
}

void StepWatch::before_allocating(std::uint64_t bytes) {
  if (!current || bytes < bytes_never_refused) return;
  if (bytes_held() + static_cast<std::int64_t>(bytes) > static_cast<std::int64_t>(current->bytes_max_))
    throw duckdb::OutOfMemoryException("the engine's lists, texts and vectors take more memory than they may");
  if (--current->allocations_until_look_ > 0 && bytes < bytes_always_looked_at) return;
  current->allocations_until_look_ = allocations_per_look;
  current->look_at_clock();
}

// Tells each time: folding constants catches what its first attempt throws, and goes on to the expression around.
void StepWatch::look_at_clock() {
  is_over_time_ = is_over_time_ || Clock::now() >= end_;
  if (is_over_time_) throw duckdb::InterruptException();
}

void StepWatch::allocated(std::uint64_t bytes) {
  held.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
}

void StepWatch::freed(std::uint64_t bytes) {
  held.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
}

std::int64_t StepWatch::bytes_held() { return held.load(std::memory_order_relaxed); }

}  // namespace stele
