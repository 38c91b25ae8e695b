#include "tables/row_runs.hpp"

#include <algorithm>

namespace stele {
namespace {

bool by_origin(const RowRun& a, const RowRun& b) {
  return a.origin != b.origin ? a.origin < b.origin : a.origin_row < b.origin_row;
}

std::uint64_t origin_end(const RowRun& run) { return std::uint64_t{run.origin_row} + run.count; }

// The part of a run from `begin` to `end`, both counted as origin rows.
RowRun part_of(const RowRun& run, std::uint64_t begin, std::uint64_t end) {
  RowRun part = run;
  const auto passed = static_cast<std::uint32_t>(begin - run.origin_row);
  part.origin_row += passed;
  part.row += passed;
  part.count = static_cast<std::uint32_t>(end - begin);
  return part;
}

}  // namespace

std::vector<RowRun> live_runs(std::int64_t number, std::uint32_t segment, std::uint64_t rows,
                              const std::vector<std::uint32_t>& deleted) {
  std::vector<RowRun> runs;
  std::uint32_t begin = 0;
  const auto end_at = [&](std::uint32_t end) {
    if (end > begin) runs.push_back({number, begin, segment, begin, end - begin});
    begin = end + 1;
  };
  for (const std::uint32_t row : deleted) end_at(row);
  end_at(static_cast<std::uint32_t>(rows));
  return runs;
}

std::vector<RowRun> subtract(std::vector<RowRun> runs, std::vector<RowRun> others) {
  std::sort(runs.begin(), runs.end(), by_origin);
  std::sort(others.begin(), others.end(), by_origin);
  std::vector<RowRun> left;
  auto other = others.begin();
  for (const RowRun& run : runs) {
    std::uint64_t begin = run.origin_row;
    const std::uint64_t end = origin_end(run);
    const auto is_before = [&](const RowRun& one) {
      return one.origin < run.origin || (one.origin == run.origin && origin_end(one) <= begin);
    };
    while (begin < end) {
      while (other != others.end() && is_before(*other)) ++other;
      const bool meets = other != others.end() && other->origin == run.origin && other->origin_row < end;
      const std::uint64_t free_end = meets ? std::max<std::uint64_t>(begin, other->origin_row) : end;
      if (free_end > begin) left.push_back(part_of(run, begin, free_end));
      begin = meets ? std::min(end, origin_end(*other)) : end;
    }
  }
  return left;
}

std::uint64_t count_rows(const std::vector<RowRun>& runs) {
  std::uint64_t count = 0;
  for (const RowRun& run : runs) count += run.count;
  return count;
}

}  // namespace stele
