// Row runs: sets of rows as intervals, each row known by where it was first written, so that two versions are compared
// without reading a row. Pure arithmetic.
#pragma once

#include <cstdint>
#include <vector>

namespace stele {

// Rows [row, row + count) of the segment at an index of the caller's; they were first written as the rows from
// `origin_row` on of the segment with the number `origin`.
struct RowRun {
  std::int64_t origin = 0;
  std::uint32_t origin_row = 0;
  std::uint32_t segment = 0;
  std::uint32_t row = 0;
  std::uint32_t count = 0;
  friend bool operator==(const RowRun&, const RowRun&) = default;
};

// The rows of a segment that are not deleted (positions ascending), as runs whose origin is the segment itself.
std::vector<RowRun> live_runs(std::int64_t number, std::uint32_t segment, std::uint64_t rows,
                              const std::vector<std::uint32_t>& deleted);

// The rows of `runs` whose origin is in none of `others`, by origin. Within each of the two, no origin stands twice.
std::vector<RowRun> subtract(std::vector<RowRun> runs, std::vector<RowRun> others);

std::uint64_t count_rows(const std::vector<RowRun>& runs);

}  // namespace stele
