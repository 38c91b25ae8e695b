#include <catch2/catch.hpp>

#include "engine/engine_fixture.hpp"

using namespace stele;

namespace {

// Steps to the first chunk, counting slices.
int slices_to_chunk(Cursor& cursor) {
  int slices = 1;
  while (cursor.step() == Cursor::State::working) slices++;
  return slices;
}

std::string hint_of(EngineFixture& f, const std::string& sql, std::vector<SnapshotPtr> snapshots = {}) {
  try {
    f.rows(sql, std::move(snapshots));
  } catch (const Error& error) {
    return error.hint();
  }
  return "";
}

constexpr const char* cross_join =
    "SELECT count(*) FROM range(3000000) a, range(3000000) b WHERE a.range + b.range = 7";

}  // namespace

TEST_CASE("a cursor answers names and types before it runs") {
  EngineFixture f;
  const auto cursor = f.engine->start_own("SELECT 1 AS one, 1.5 AS \"price per kg\", [DATE '2025-04-03'] AS l", {});
  REQUIRE(cursor->columns().size() == 3);
  CHECK(cursor->columns()[1].name == "price per kg");
  CHECK(cursor->columns()[1].type == "DECIMAL(2,1)");
  CHECK(cursor->columns()[2].type == "DATE[]");
}

TEST_CASE("the first rows of a large result come without the rest") {
  EngineFixture f;
  const auto cursor = f.engine->start_own("SELECT * FROM range(200000000)", {});
  CHECK(slices_to_chunk(*cursor) < 100);
  CHECK(cursor->int64(5, 0) == 5);
}

TEST_CASE("a result of many chunks is answered whole and in order") {
  EngineFixture f;
  const auto cursor = f.engine->start_own("SELECT range AS n, repeat('x', 100) AS t FROM range(100000)", {});
  std::int64_t next = 0;
  while (run_to_end(next_chunk(*cursor, ""))) {
    for (std::size_t row = 0; row < cursor->row_count(); row++) REQUIRE(cursor->int64(row, 0) == next++);
  }
  CHECK(next == 100000);
  CHECK(cursor->step() == Cursor::State::done);
}

TEST_CASE("cells are read as numbers, doubles and text") {
  EngineFixture f;
  const auto cursor = f.engine->start_own(
      "SELECT 7::TINYINT, 1.25::DECIMAL(9,2), 18446744073709551616::HUGEINT, 'é', '\\x00\\xFF'::BLOB, NULL::BIGINT, "
      "DATE '2025-04-03'",
      {});
  REQUIRE(run_to_end(next_chunk(*cursor, "")));
  CHECK(cursor->int64(0, 0) == 7);
  CHECK(cursor->float64(0, 1) == 1.25);
  CHECK(cursor->float64(0, 2) == 18446744073709551616.0);
  CHECK(cursor->text(0, 3) == "é");
  CHECK(cursor->text(0, 4) == std::string("\x00\xFF", 2));
  CHECK(cursor->is_null(0, 5));
  CHECK(cursor->text(0, 6) == "2025-04-03");
}

TEST_CASE("the statements of case 11 answer figures exactly") {
  EngineFixture f;
  const std::vector<Column> columns{{1, "k", "VARCHAR"}, {2, "units", "BIGINT"}, {3, "price", "DOUBLE"}};
  const auto table = f.snapshot(
      columns, {{f.segment(columns, {{"a", "10", "1.234"}, {"a", "20", "2.500"}, {"b", "50", "0.001"}}), {}}});
  CHECK(f.rows("SELECT sum(units) AS s, min(units) AS lo, count(*) AS n FROM scan(0)", {table}) == R"([["80",10,3]])");
  CHECK(f.rows("SELECT 1.234::DECIMAL(9,3) AS d, [1.5::DECIMAL(4,1), 2.5::DECIMAL(4,1)] AS l, {'a': 1.5::DECIMAL(4,1)} "
               "AS st") == R"([["1.234",["1.5","2.5"],{"a":"1.5"}]])");
  CHECK(f.rows("SELECT 170141183460469231731687303715884105727::HUGEINT AS h, 18446744073709551615::UBIGINT AS u") ==
        R"([["170141183460469231731687303715884105727","18446744073709551615"]])");
  CHECK(f.rows("SELECT DATE '2025-04-03' AS d, TIME '04:05:06.789' AS t, INTERVAL 3 DAY AS i, "
               "UUID '00000000-0000-4000-8000-00000000000a' AS u, '\\x00\\xFF'::BLOB AS b") ==
        R"([["2025-04-03","04:05:06.789","3 days","00000000-0000-4000-8000-00000000000a","00ff"]])");
  CHECK(f.rows("SELECT count(*) FILTER (WHERE k = 'zzz') AS zero, NULL AS nothing, '' AS empty FROM scan(0)",
               {table}) == R"([[0,null,""]])");
}

TEST_CASE("instants are shown in UTC") {
  EngineFixture f;
  CHECK(f.rows("SELECT TIMESTAMPTZ '2025-04-01T05:30:00+05:30', (TIMESTAMPTZ '2025-03-30 01:00:00+00')::VARCHAR") ==
        R"([["2025-04-01T00:00:00Z","2025-03-30 01:00:00+00"]])");
}

TEST_CASE("two cursors run in turn, and a paused one blocks no other") {
  EngineFixture f;
  const auto long_one = f.engine->start_own(cross_join, {});
  const auto first = f.engine->start_own("SELECT range FROM range(10000)", {});
  const auto second = f.engine->start_own("SELECT 10000 + range FROM range(10000)", {});
  std::int64_t sums[2] = {0, 0};
  bool open[2] = {true, true};
  while (open[0] || open[1]) {
    CHECK(long_one->step() == Cursor::State::working);
    for (int i = 0; i < 2; i++) {
      Cursor& cursor = i == 0 ? *first : *second;
      const auto state = cursor.step();
      if (state == Cursor::State::done) open[i] = false;
      for (std::size_t row = 0; row < cursor.row_count(); row++) sums[i] += cursor.int64(row, 0);
    }
  }
  CHECK(sums[0] == 49995000);
  CHECK(sums[1] == 149995000);
}

TEST_CASE("statements see their own snapshots while they run in turn") {
  EngineFixture f;
  const std::vector<Column> columns{{1, "n", "BIGINT"}};
  const auto ones = f.snapshot(columns, {{f.segment_of(columns, "SELECT 1 FROM range(50000)"), {}}});
  const auto twos = f.snapshot(columns, {{f.segment_of(columns, "SELECT 2 FROM range(50000)"), {}}});
  const auto first = f.engine->start_own("SELECT n FROM scan(0)", {ones});
  const auto second = f.engine->start_own("SELECT n FROM scan(0)", {twos});
  for (int i = 0; i < 50; i++) {
    first->step();
    second->step();
    for (std::size_t row = 0; row < first->row_count(); row++) REQUIRE(first->int64(row, 0) == 1);
    for (std::size_t row = 0; row < second->row_count(); row++) REQUIRE(second->int64(row, 0) == 2);
  }
}

TEST_CASE("a statement ends at its time limit, which the message names") {
  Limits limits;
  limits.query_ms = 5000;
  EngineFixture f(limits);
  const auto cursor = f.engine->start_own(cross_join, {});
  for (int i = 0; i < 5; i++) {
    f.host.advance(1000);
    CHECK(cursor->step() == Cursor::State::working);
  }
  f.host.advance(1);
  CHECK(error_of([&] { cursor->step(); }) == "time_limit: The statement ran longer than the limit of 5000 ms.");
  CHECK(f.rows("SELECT 1") == "[[1]]");
}

TEST_CASE("a cursor dropped half way leaves the engine usable") {
  EngineFixture f;
  for (int i = 0; i < 3; i++) {
    const auto cursor = f.engine->start_own(cross_join, {});
    cursor->step();
  }
  {
    const auto cursor = f.engine->start_own("SELECT * FROM range(1000000)", {});
    slices_to_chunk(*cursor);
  }
  CHECK(f.rows("SELECT count(*) FROM range(10)") == "[[10]]");
}

TEST_CASE("a failing statement says what DuckDB says, with its place, and a hint") {
  EngineFixture f;
  const std::vector<Column> columns{{1, "price", "BIGINT"}, {2, "name", "VARCHAR"}};
  const auto table = f.snapshot(columns, {{f.segment(columns, {{"1", "abc"}}), {}}});

  const auto unknown = error_of([&] { f.rows("SELECT pricee FROM scan(0)", {table}); });
  CHECK(unknown.find("sql_error: Binder Error: Referenced column \"pricee\" not found") == 0);
  CHECK(unknown.find("LINE 1: SELECT pricee") != std::string::npos);
  CHECK(hint_of(f, "SELECT pricee FROM scan(0)", {table}).find("price") != std::string::npos);

  const auto conversion = error_of([&] { f.rows("SELECT name::INTEGER FROM scan(0)", {table}); });
  CHECK(conversion.find("sql_error: Conversion Error: Could not convert string 'abc' to INT32") == 0);
  CHECK(hint_of(f, "SELECT name::INTEGER FROM scan(0)", {table}).find("TRY_CAST") != std::string::npos);

  const auto range = error_of([&] { f.rows("SELECT 9223372036854775807 + price FROM scan(0)", {table}); });
  CHECK(range.find("sql_error: Out of Range Error") == 0);
}

TEST_CASE("no message carries a name of ours") {
  EngineFixture f;
  const std::vector<Column> columns{{1, "price", "BIGINT"}, {2, "name", "VARCHAR"}};
  auto damaged = *f.segment(columns, {{"1", "abc"}});
  damaged.blob = f.blobs.create(BlobKind::staged)->finish();
  const auto table = f.snapshot(columns, {{std::make_shared<Segment>(damaged), {}}});
  const auto sound = f.snapshot(columns, {{f.segment(columns, {{"1", "abc"}}), {}}});
  for (const auto& error : {error_of([&] { f.rows("SELECT * FROM scan(0)", {table}); }),
                            error_of([&] { f.rows("SELECT scan.pricee FROM scan(0)", {sound}); }),
                            error_of([&] { f.rows("SELECT name::INTEGER FROM stele_scan(0)", {sound}); }),
                            error_of([&] { f.rows("SELECT stele_scan.x FROM stele_scan(0)", {sound}); })}) {
    CAPTURE(error);
    CHECK(error != "");
    for (const char* word : {"segments-", "stele_scan", "c1", "c2", ".cpp"})
      CHECK(error.find(word) == std::string::npos);
  }
}

TEST_CASE("a statement that needs more memory than there is says so, and the engine goes on") {
  Limits limits;
  limits.memory_bytes = 32 << 20;
  limits.spill_bytes = 1 << 20;
  EngineFixture f(limits);
  const auto error =
      error_of([&] { f.rows("SELECT count(*) FROM (SELECT DISTINCT range, repeat('x', 50) FROM range(2000000))"); });
  CHECK(error.find("out_of_memory") == 0);
  CHECK(f.rows("SELECT 1") == "[[1]]");
}

TEST_CASE("a sort larger than memory spills into the store, and leaves nothing there") {
  Limits limits;
  limits.memory_bytes = 24 << 20;
  EngineFixture f(limits);
  std::int64_t spilled = 0;
  {
    const auto cursor = f.engine->start_own(
        "SELECT n, t FROM (SELECT (range * 7919) % 600000 AS n, repeat('x', 60) || range AS t FROM range(600000)) "
        "ORDER BY n",
        {});
    std::int64_t next = 0;
    for (auto state = cursor->step(); state != Cursor::State::done; state = cursor->step()) {
      const auto blobs = f.store.query("SELECT count(*) FROM blobs WHERE kind = 5");
      spilled = std::max(spilled, std::get<std::int64_t>(blobs[0][0]));
      for (std::size_t row = 0; row < cursor->row_count(); row++) REQUIRE(cursor->int64(row, 0) == next++);
    }
    CHECK(next == 600000);
  }
  CHECK(spilled > 0);
  f.engine.reset();
  CHECK(std::get<std::int64_t>(f.store.query("SELECT count(*) FROM blobs")[0][0]) == 0);
}

// A connection that is closed while an exception unwinds does not end its query by itself; its tasks would then be run
// by the next one.
TEST_CASE("a statement given up by an exception leaves nothing for the next one to run") {
  EngineFixture f;
  for (int given_up = 0; given_up < 40; ++given_up) {
    try {
      const auto cursor = f.engine->start_own(
          "SELECT k, count(*) FROM (SELECT range % 7 AS k FROM range(1000000)) GROUP BY k ORDER BY k", {});
      for (int slice = 0; slice < given_up % 8; ++slice) cursor->step();
      throw Error("given_up", "It is enough.", "Go on.");
    } catch (const Error&) {
      const auto sum = f.engine->start_own("SELECT sum(range)::BIGINT FROM range(10000)", {});
      REQUIRE(EngineFixture::rows_of(*sum) == Json::parse("[[49995000]]"));
    }
  }
}
