// StepWatch: what one step of a statement may take. DuckDB looks up between its tasks, and a single one may make lists
// of lists for hours or fill the memory of the process outside its buffer manager, which alone knows a limit. The
// engine's allocator asks here, so that such a task ends where it next wants memory.
#pragma once

#include <chrono>
#include <cstdint>

namespace stele {

// What lists, texts and vectors may take beside the buffers that Limits::memory_bytes bounds.
inline constexpr std::uint64_t unbuffered_bytes_max = std::uint64_t{512} << 20;

// Watches the engine's allocations on this thread for as long as it lives, in place of the one that was there.
class StepWatch {
 public:
  // `bytes_max`: of all that this process's engines hold. In Workers the clock stands still while code runs, and their
  // own limit of CPU time takes its place.
  StepWatch(std::uint64_t bytes_max, std::chrono::milliseconds time_max);
  ~StepWatch();
  StepWatch(const StepWatch&) = delete;
  StepWatch& operator=(const StepWatch&) = delete;

  bool is_over_time() const { return is_over_time_; }

  // Before a function that may take long over a single vector. Throws as below.
  static void before_calling();
  // Before the engine allocates. Throws duckdb::OutOfMemoryException or duckdb::InterruptException.
  static void before_allocating(std::uint64_t bytes);
  static void allocated(std::uint64_t bytes);
  static void freed(std::uint64_t bytes);

  // By all engines of this process.
  static std::int64_t bytes_held();

 private:
  void look_at_clock();

  StepWatch* outer_;
  std::uint64_t bytes_max_;
  std::chrono::steady_clock::time_point end_;
  int allocations_until_look_;
  bool is_over_time_ = false;
};

}  // namespace stele
