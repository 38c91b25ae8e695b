// The segment writer: rows by buffer or by cursor become one bounded Parquet file, or nothing at all.
#include <catch2/catch.hpp>

#include "base/sha256.hpp"
#include "engine/engine_fixture.hpp"

using namespace stele;

namespace {

std::int64_t count(SqlStore& store, const std::string& table) {
  return std::get<std::int64_t>(store.query("SELECT count(*) FROM " + table).at(0).at(0));
}

}  // namespace

TEST_CASE_METHOD(EngineFixture, "cells that are not set are null, whatever the row before had") {
  const std::vector<Column> columns = {{1, "n", "BIGINT"}, {2, "s", "VARCHAR"}, {3, "l", "STRUCT(a VARCHAR[])"}};
  const auto writer = engine->write(columns);
  const auto buffer = writer->buffer();
  buffer->set_int64(0, 1);
  buffer->set_text(1, "first");
  CHECK(buffer->set_cast(2, "{'a': ['a string that is not inlined']}"));
  buffer->end_row();
  buffer->end_row();
  writer->append(*buffer);
  buffer->clear();
  CHECK(buffer->rows() == 0);
  buffer->end_row();
  buffer->set_text(1, "last");
  buffer->end_row();
  writer->append(*buffer);
  const auto written = std::make_shared<Segment>(writer->finish());
  CHECK(written->rows == 4);
  CHECK(rows("SELECT * FROM scan(0)", {snapshot(columns, {{written, {}}})}) ==
        R"([[1,"first",{"a":["a string that is not inlined"]}],[null,null,null],[null,null,null],[null,"last",null]])");
}

TEST_CASE_METHOD(EngineFixture, "each setter stores in the column's own type") {
  const std::vector<Column> columns = {{1, "b", "BOOLEAN"},        {2, "i8", "TINYINT"},
                                       {3, "u64", "UBIGINT"},      {4, "h", "HUGEINT"},
                                       {5, "dec", "DECIMAL(9,2)"}, {6, "big", "DECIMAL(38,10)"},
                                       {7, "d", "DOUBLE"},         {8, "f", "FLOAT"},
                                       {9, "t", "VARCHAR"},        {10, "j", "JSON"},
                                       {11, "x", "BLOB"},          {12, "day", "DATE"},
                                       {13, "ts", "TIMESTAMP"},    {14, "tz", "TIMESTAMP WITH TIME ZONE"},
                                       {15, "tm", "TIME"}};
  const auto writer = engine->write(columns);
  const auto buffer = writer->buffer();
  buffer->set_bool(0, true);
  buffer->set_int64(1, -128);
  buffer->set_int64(2, 5);
  buffer->set_int64(3, -7);
  buffer->set_int64(4, -12);
  buffer->set_int64(5, 9223372036854775807);
  buffer->set_float64(6, 0.5);
  buffer->set_float64(7, 0.25);
  buffer->set_text(8, "a text longer than twelve bytes");
  buffer->set_text(9, "{\"k\":1}");
  buffer->set_text(10, std::string_view("\x00\xff", 2));
  buffer->set_date(11, 1);
  buffer->set_micros(12, -1);
  buffer->set_micros(13, 0);
  buffer->set_micros(14, 1);
  buffer->end_row();
  CHECK_FALSE(buffer->set_cast(1, "128"));
  CHECK_THROWS_AS(buffer->set_int64(1, 128), InvariantBroken);
  CHECK_THROWS_AS(buffer->set_int64(4, 10'000'000), InvariantBroken);
  CHECK_THROWS_AS(buffer->set_text(8, "\xff"), InvariantBroken);
  writer->append(*buffer);
  const auto written = std::make_shared<Segment>(writer->finish());
  CHECK(
      rows("SELECT * FROM scan(0)", {snapshot(columns, {{written, {}}})}) ==
      R"([[true,-128,5,"-7","-12.00","9223372036854775807.0000000000",0.5,0.25,"a text longer than twelve bytes",{"k":1},)"
      R"("00ff","1970-01-02","1969-12-31 23:59:59.999999","1970-01-01T00:00:00Z","00:00:00.000001"]])");
}

TEST_CASE_METHOD(EngineFixture, "a segment of no rows is a segment") {
  const std::vector<Column> columns = {{1, "n", "BIGINT"}};
  const auto written = std::make_shared<Segment>(engine->write(columns)->finish());
  CHECK(written->rows == 0);
  CHECK(rows("SELECT count(*) FROM scan(0)", {snapshot(columns, {{written, {}}})}) == "[[0]]");
}

TEST_CASE_METHOD(EngineFixture, "a writer that is not finished leaves nothing in the store") {
  const auto before = count(store, "blobs") + count(store, "chunks");
  {
    const auto writer = engine->write({{1, "n", "VARCHAR"}});
    const auto cursor =
        engine->start_own("SELECT sha256(i::VARCHAR) || sha256((i+1)::VARCHAR) FROM range(200000) t(i)", {});
    while (run_to_end(next_chunk(*cursor, ""))) writer->append(*cursor);
    CHECK(count(store, "chunks") > 0);  // it streams
  }
  CHECK(count(store, "blobs") + count(store, "chunks") == before);
}

TEST_CASE_METHOD(EngineFixture, "the digest is that of the bytes, and the same rows make the same bytes") {
  const std::vector<Column> columns = {{1, "n", "BIGINT"}, {2, "s", "VARCHAR"}};
  const std::string sql = "SELECT i, 'text ' || i FROM range(5000) t(i)";
  const auto first = segment_of(columns, sql);
  const auto second = segment_of(columns, sql);
  std::vector<std::uint8_t> bytes(first->blob.size);
  blobs.read(first->blob.id, 0, bytes);
  CHECK(sha256_hex(bytes) == first->blob.sha256);
  CHECK(first->blob.sha256 == second->blob.sha256);
}

TEST_CASE_METHOD(EngineFixture, "a cursor's columns are cast to the writer's, or refused with the column's name") {
  const std::vector<Column> columns = {{1, "n", "BIGINT"}, {2, "j", "JSON"}};
  const auto written = segment_of(columns, "SELECT sum(i), union_value(k := 5) FROM range(3) t(i)");
  CHECK(rows("SELECT n FROM scan(0)", {snapshot(columns, {{written, {}}})}) == "[[3]]");
  CHECK(error_of([&] {
          segment_of(columns, "SELECT 1e30::DOUBLE, NULL");
        }).rfind("column_conflict: Column \"n\" is BIGINT", 0) == 0);
}

TEST_CASE("row groups are bounded by bytes, so that wide rows fit in little memory") {
  Limits limits;
  limits.memory_bytes = std::uint64_t{64} << 20;
  limits.row_group_bytes = std::uint64_t{4} << 20;
  EngineFixture fixture(limits);
  std::vector<Column> columns;
  std::string select = "SELECT ";
  for (int id = 1; id <= 20; ++id) {
    columns.push_back({id, "c" + std::to_string(id), "VARCHAR"});
    select += "'value number ' || (i * " + std::to_string(id) + "),";
  }
  const auto written = fixture.segment_of(columns, select + " FROM range(200000) t(i)");
  CHECK(written->rows == 200'000);
  CHECK(fixture.rows("SELECT count(DISTINCT c20) FROM scan(0)", {EngineFixture::snapshot(columns, {{written, {}}})}) ==
        "[[200000]]");
}

TEST_CASE_METHOD(EngineFixture, "a segment of one row is small") {
  std::vector<Column> columns;
  std::string select = "SELECT ";
  for (int id = 1; id <= 20; ++id) {
    columns.push_back({id, "c" + std::to_string(id), id % 2 ? "BIGINT" : "VARCHAR"});
    select += id % 2 ? "42," : "'some text',";
  }
  CHECK(segment_of(columns, select)->blob.size < 3'000);
  columns.resize(5);
  CHECK(segment_of(columns, "SELECT 1, 'a', 2, 'b', 3")->blob.size < 750);
}
