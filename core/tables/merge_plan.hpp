// Merge plan: which segments to write again as one, so that a table stays quick to read without being rewritten over
// and over. Pure arithmetic over sizes; merge.hpp does the work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace stele {

// What merges may write, as a share of what was first written.
inline constexpr double merge_budget = 0.4;

struct MergeCandidate {
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;
  std::uint64_t dead = 0;  // of these rows

  std::uint64_t live_bytes() const { return rows == 0 ? 0 : bytes * (rows - dead) / rows; }
};

// Neighbours [begin, end) in reading order, so that a merge keeps the order of rows.
struct MergeRun {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The run that gains most: dead bytes that readers need not pass over, and segments that they need not open, against
// the live bytes that must be written again, of which there are at most `budget_bytes`. Nothing if no run is worth it.
std::optional<MergeRun> choose_merge(std::span<const MergeCandidate> segments, std::uint64_t budget_bytes);

// How many of the deletion documents, the newest ones, to write again as one. `sizes` in bytes, oldest first; 0: none.
std::size_t choose_deletion_merge(std::span<const std::uint64_t> sizes);

}  // namespace stele
