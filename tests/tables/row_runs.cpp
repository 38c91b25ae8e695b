// Row runs: sets of rows as intervals, and what one set has that another has not.
#include "tables/row_runs.hpp"

#include <catch2/catch.hpp>

using namespace stele;

namespace {

RowRun run(std::int64_t origin, std::uint32_t origin_row, std::uint32_t count, std::uint32_t segment = 0,
           std::uint32_t row = 0) {
  return {origin, origin_row, segment, row, count};
}

}  // namespace

TEST_CASE("the live rows of a segment are the runs between its deleted ones") {
  struct Case {
    std::uint64_t rows;
    std::vector<std::uint32_t> deleted;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;  // row, count
  };
  const Case cases[] = {
      {5, {}, {{0, 5}}},  {5, {0}, {{1, 4}}}, {5, {4}, {{0, 4}}}, {5, {1, 2}, {{0, 1}, {3, 2}}},
      {3, {0, 1, 2}, {}}, {0, {}, {}},
  };
  for (const Case& one : cases) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const RowRun& live : live_runs(7, 2, one.rows, one.deleted)) {
      CHECK(live.origin == 7);
      CHECK(live.segment == 2);
      CHECK(live.origin_row == live.row);
      found.emplace_back(live.row, live.count);
    }
    CHECK(found == one.runs);
  }
}

TEST_CASE("rows are told apart by where they were first written, wherever they are now") {
  struct Case {
    const char* what;
    std::vector<RowRun> runs, others, left;
  };
  const Case cases[] = {
      {"nothing to take", {run(1, 0, 5)}, {}, {run(1, 0, 5)}},
      {"all taken", {run(1, 0, 5)}, {run(1, 0, 5, 3, 40)}, {}},
      {"another segment", {run(1, 0, 5)}, {run(2, 0, 5)}, {run(1, 0, 5)}},
      {"the middle taken", {run(1, 0, 5, 0, 10)}, {run(1, 2, 1)}, {run(1, 0, 2, 0, 10), run(1, 3, 2, 0, 13)}},
      {"both ends taken", {run(1, 2, 5, 0, 2)}, {run(1, 0, 3), run(1, 6, 9)}, {run(1, 3, 3, 0, 3)}},
      {"one taker over two runs",
       {run(1, 0, 2), run(1, 4, 2, 0, 2)},
       {run(1, 1, 4)},
       {run(1, 0, 1), run(1, 5, 1, 0, 3)}},
      {"neighbours that do not meet", {run(1, 5, 5)}, {run(1, 0, 5), run(1, 10, 5)}, {run(1, 5, 5)}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.what);
    CHECK(subtract(one.runs, one.others) == one.left);
  }
}
