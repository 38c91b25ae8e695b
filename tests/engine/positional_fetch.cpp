// Fetching by position: exactly the named rows, deleted ones included, in order, across segments and row groups.
#include <catch2/catch.hpp>

#include "engine/engine_fixture.hpp"

using namespace stele;

namespace {

std::string fetched(EngineFixture& fixture, SnapshotPtr snapshot, std::vector<Position> positions,
                    std::vector<int> ids = {}) {
  const auto cursor = fixture.engine->fetch(std::move(snapshot), std::move(positions), ids);
  return EngineFixture::rows_of(*cursor).dump();
}

}  // namespace

TEST_CASE_METHOD(EngineFixture,
                 "the named rows come in order, from several segments and row groups, deleted ones too") {
  const std::vector<Column> columns = {{1, "n", "BIGINT"}, {2, "s", "VARCHAR"}};
  const auto first = segment_of(columns, "SELECT i, 'text number ' || i FROM range(300000) t(i)");
  const auto second = segment_of(columns, "SELECT -i, NULL FROM range(10) t(i)");
  const auto snap = snapshot(columns, {{first, {0, 5}}, {second, {}}});
  CHECK(fetched(*this, snap, {{0, 0}, {0, 5}, {0, 122'879}, {0, 122'880}, {0, 299'999}, {1, 0}, {1, 9}}) ==
        R"([[0,"text number 0"],[5,"text number 5"],[122879,"text number 122879"],[122880,"text number 122880"],)"
        R"([299999,"text number 299999"],[0,null],[-9,null]])");
  CHECK(fetched(*this, snap, {}) == "[]");
}

TEST_CASE_METHOD(EngineFixture,
                 "columns are chosen by id; one that a segment lacks is null, one retyped since is cast") {
  const auto old = segment_of({{1, "n", "INTEGER"}, {3, "h", "HUGEINT"}}, "SELECT 7, 8::HUGEINT");
  const std::vector<Column> columns = {{1, "renamed", "BIGINT"}, {2, "new", "INTERVAL"}, {3, "h", "VARCHAR"}};
  const auto young = segment_of(columns, "SELECT 9, INTERVAL '1 day', 'ten'");
  const auto snap = snapshot(columns, {{old, {}}, {young, {}}});
  CHECK(fetched(*this, snap, {{0, 0}, {1, 0}}) == R"([[7,null,"8"],[9,"1 day","ten"]])");
  CHECK(fetched(*this, snap, {{0, 0}, {1, 0}}, {3, 1}) == R"([["8",7],["ten",9]])");
  CHECK(fetched(*this, snap, {{0, 0}, {1, 0}}, {2}) == R"([[null],["1 day"]])");
}

TEST_CASE_METHOD(EngineFixture, "many rows come in full chunks") {
  const std::vector<Column> columns = {{1, "n", "BIGINT"}};
  const auto written = segment_of(columns, "SELECT i FROM range(250000) t(i)");
  std::vector<Position> positions;
  for (std::uint32_t row = 3; row < 250'000; row += 7) positions.push_back({0, row});
  const auto wanted = positions.size();
  const auto cursor = engine->fetch(snapshot(columns, {{written, {}}}), positions);
  std::size_t rows = 0;
  std::size_t chunks = 0;
  bool right = true;
  while (run_to_end(next_chunk(*cursor, ""))) {
    for (std::size_t row = 0; row < cursor->row_count(); ++row, ++rows)
      right = right && cursor->int64(row, 0) == 3 + 7 * std::int64_t(rows);
    ++chunks;
  }
  CHECK(right);
  CHECK(rows == wanted);
  CHECK(chunks < 50);
}

TEST_CASE_METHOD(EngineFixture, "a position past its segment's end is a broken invariant") {
  const std::vector<Column> columns = {{1, "n", "BIGINT"}};
  const auto snap = snapshot(columns, {{segment_of(columns, "SELECT 1"), {}}});
  CHECK_THROWS_AS(fetched(*this, snap, {{0, 1}}), InvariantBroken);
  CHECK_THROWS_AS(fetched(*this, snap, {{0, 0}, {0, 0}}), InvariantBroken);
}
