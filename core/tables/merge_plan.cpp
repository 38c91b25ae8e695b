#include "tables/merge_plan.hpp"

#include <algorithm>

namespace stele {

namespace {

// A gain must be this many times what it costs: then the budget lasts as long as there is work that pays better.
constexpr std::int64_t gain_per_cost = 2;
// Fewer segments than this are not merged for their number alone.
constexpr std::size_t neighbours_min = 8;
// Less dead weight than this is not worth a segment.
constexpr std::uint64_t dead_bytes_min = 4 << 10;
// What it costs to open one of n segments, in bytes read: the more there are, the larger the ones that get merged.
constexpr std::uint64_t opening_bytes_per_segment = 2 << 10;
constexpr std::size_t documents_a_tier = 64;

struct Rules {
  std::int64_t opening_bytes = 0;
  std::size_t segments_min = 1;
  std::uint64_t dead_bytes_min = 0;
};

struct Best {
  std::int64_t gain = 0;
  std::optional<MergeRun> run;
};

// The largest sum of a run (Kadane), where a run that would cost more than the budget begins anew.
Best best_run(std::span<const MergeCandidate> segments, std::int64_t budget, const Rules& rules) {
  Best best;
  std::size_t begin = 0;
  std::int64_t gain = 0, cost = 0;
  std::uint64_t dead = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto live_bytes = static_cast<std::int64_t>(segments[i].live_bytes());
    if (gain < 0 || cost + live_bytes > budget) {
      begin = i;
      gain = cost = 0;
      dead = 0;
    }
    const std::uint64_t dead_bytes = segments[i].bytes - segments[i].live_bytes();
    cost += live_bytes;
    dead += dead_bytes;
    gain += static_cast<std::int64_t>(dead_bytes) + rules.opening_bytes - gain_per_cost * live_bytes;
    const bool allowed = cost <= budget && i + 1 - begin >= rules.segments_min && dead >= rules.dead_bytes_min;
    if (allowed && gain > best.gain) best = {gain, MergeRun{begin, i + 1}};
  }
  return best;
}

}  // namespace

std::optional<MergeRun> choose_merge(std::span<const MergeCandidate> segments, std::uint64_t budget_bytes) {
  const auto budget = static_cast<std::int64_t>(budget_bytes);
  const Best by_number = best_run(
      segments, budget, {static_cast<std::int64_t>(opening_bytes_per_segment * segments.size()), neighbours_min, 0});
  const Best by_dead = best_run(segments, budget, {0, 1, dead_bytes_min});
  return by_number.gain > by_dead.gain ? by_number.run : by_dead.run;
}

std::size_t choose_deletion_merge(std::span<const std::uint64_t> sizes) {
  // Documents of a like size are merged when there are enough of them, so that each row's position is written again
  // once a tier, of which there are as many as the logarithm of the deletions.
  std::uint64_t tier_max = 1 << 10;
  std::size_t count = 0;
  while (count < sizes.size()) {
    while (count < sizes.size() && sizes[sizes.size() - 1 - count] <= tier_max) ++count;
    if (count >= documents_a_tier) return count;
    tier_max *= documents_a_tier;
  }
  return 0;
}

}  // namespace stele
