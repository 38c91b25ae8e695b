// Picked rows: rows at named positions, as a table of the core's own SQL.
#include <catch2/catch.hpp>

#include "engine/engine_fixture.hpp"

using namespace stele;

namespace {

std::string selected(EngineFixture& fixture, const std::string& sql, SnapshotPtr whole, PickedRows picked) {
  std::vector<SnapshotPtr> snapshots{std::move(whole)};
  std::vector<PickedRows> picks{std::move(picked)};
  const auto cursor = fixture.engine->start_own(sql, std::move(snapshots), std::move(picks));
  return EngineFixture::rows_of(*cursor).dump();
}

}  // namespace

TEST_CASE_METHOD(EngineFixture, "picked rows are a table with their positions, of which only what is named is read") {
  const std::vector<Column> columns = {{1, "n", "BIGINT"}, {2, "s", "VARCHAR"}};
  const auto first = segment_of(columns, "SELECT i, 'text number ' || i FROM range(300000) t(i)");
  const auto second = segment_of(columns, "SELECT -i, NULL FROM range(10) t(i)");
  const auto snap = snapshot(columns, {{first, {0, 5}}, {second, {}}});
  const std::vector<Position> positions = {{0, 5}, {0, 299'999}, {1, 9}};
  CHECK(selected(*this, "SELECT * FROM picked(0)", snap, {snap, positions}) ==
        R"([[5,"text number 5",0,5],[299999,"text number 299999",0,299999],[-9,null,1,9]])");
  CHECK(selected(*this, "SELECT stele_row, n FROM picked(0) WHERE n > 5", snap, {snap, positions}) ==
        R"([[299999,299999]])");
  CHECK(selected(*this, "SELECT stele_segment, count(*) FROM picked(0) GROUP BY 1 ORDER BY 1", snap,
                 {snap, positions}) == "[[0,2],[1,1]]");
  CHECK(selected(*this, "SELECT count(*) FROM picked(0) p JOIN scan(0) s ON p.n = s.n", snap, {snap, positions}) ==
        "[[2]]");
  CHECK(selected(*this, "SELECT * FROM picked(0)", snap, {snap, {}}) == "[]");
}

TEST_CASE_METHOD(EngineFixture, "a guarded statement cannot name picked rows") {
  for (const char* sql : {"SELECT * FROM picked(0)", "SELECT picked(0)"}) {
    CAPTURE(sql);
    CHECK_THROWS_AS(engine->guard(sql), Error);
  }
}
