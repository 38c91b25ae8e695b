// Parquet from outside: what a file holds is told exactly, what reading loses is said, and damage is the file's fault.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/engine_fixture.hpp"

using namespace stele;

namespace {

Bytes case_file(const std::string& name) {
  std::ifstream file(std::filesystem::path(STELE_TEST_CASES) / name, std::ios::binary);
  REQUIRE(file);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

struct Fixture : EngineFixture {
  BlobInfo stage(const Bytes& bytes) {
    const auto writer = blobs.create(BlobKind::staged);
    writer->append(bytes);
    return writer->finish();
  }
  Json read(const BlobInfo& blob) {
    const auto cursor = engine->read_parquet(blob);
    return rows_of(*cursor);
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "case 37a: unsigned, decimal(38), nanoseconds, nested: every value as written") {
  const auto blob = stage(case_file("37a-types.parquet"));
  const auto file = engine->inspect_parquet(blob);
  CHECK(file.rows == 3);
  CHECK(file.columns.size() == 16);
  CHECK(file.warnings.empty());
  CHECK(file.adoptable);
  Json expected;
  std::vector<Json> rows;
  for (const Json& row : read(blob)) {
    Json named = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) named[file.columns[i].name] = row[i];
    rows.push_back(std::move(named));
  }
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].at("u64") == "18446744073709551615");
  CHECK(rows[1].at("u64") == "9007199254740993");
  CHECK(rows[0].at("dec38") == "-12345678901234567890123456789.01");
  CHECK(rows[0].at("ts_us").get<std::string>().find("01:02:03.123456") != std::string::npos);
  CHECK(rows[1].at("ts_us") == "1969-12-31 23:59:59.999999");
  CHECK(rows[0].at("ts_ns").get<std::string>().find(".123456789") != std::string::npos);
  CHECK(rows[0].at("t") == "23:59:59.999999");
  CHECK(rows[0].at("dbl") == "NaN");
  CHECK(rows[0].at("d") == "0001-01-01");
  CHECK(rows[1].at("d") == "9999-12-31");
  CHECK(rows[0].at("lst").dump() == "[1,null,3]");
  CHECK(rows[1].at("lst").dump() == "[]");
  CHECK(rows[0].at("st").dump() == R"({"x":1,"y":["p","q"]})");
  CHECK(rows[1].at("st").dump() == R"({"x":null,"y":[]})");
  CHECK(rows[0].at("mp").dump() == R"({"k":"v"})");
  CHECK(rows[1].at("mp").dump() == "{}");
  std::size_t nulls = 0;
  for (const auto& value : rows[2]) nulls += value.is_null();
  CHECK(nulls == 15);
}

TEST_CASE_METHOD(Fixture, "case 37a: an adopted file reads the same as its rows") {
  const auto blob = stage(case_file("37a-types.parquet"));
  const auto file = engine->inspect_parquet(blob);
  Segment segment{blob, file.rows, {}};
  std::vector<Column> columns;
  for (const auto& column : file.columns) {
    const int id = static_cast<int>(columns.size()) + 10;
    segment.columns.push_back({id, column.name, column.type});
    columns.push_back({id, "table column " + std::to_string(id), column.type});
  }
  const auto snap = snapshot(columns, {{std::make_shared<Segment>(segment), {1}}});
  const auto cursor = engine->start_own("SELECT * FROM scan(0)", {snap});
  const auto all = read(blob);
  CHECK(rows_of(*cursor) == Json::array({all[0], all[2]}));
  const auto fetched = engine->fetch(snap, {{0, 1}});
  CHECK(rows_of(*fetched) == Json::array({all[1]}));
}

TEST_CASE_METHOD(Fixture, "case 37b: INT96 timestamps are right to the microsecond, and the rest is warned of") {
  const auto blob = stage(case_file("37b-int96.parquet"));
  const auto file = engine->inspect_parquet(blob);
  CHECK_FALSE(file.adoptable);
  REQUIRE(file.warnings.size() == 1);
  CHECK(file.warnings[0] == "Column \"at\" holds INT96 timestamps: digits past the microsecond are cut.");
  CHECK(read(blob).dump() ==
        R"([[1,"2025-04-02 03:00:00.123456"],[2,"1970-01-01 00:00:00"],[3,"1900-01-01 23:59:59"]])");
}

TEST_CASE_METHOD(Fixture, "our own segments are adoptable, and types that Parquet lacks are kept") {
  const std::vector<Column> columns = {{1, "n", "BIGINT"}, {2, "s", "VARCHAR"}};
  const auto written = segment_of(columns, "SELECT i, i::VARCHAR FROM range(200000) t(i)");
  const auto file = engine->inspect_parquet(written->blob);
  CHECK(file.adoptable);
  CHECK(file.rows == 200'000);
  REQUIRE(file.columns.size() == 2);
  CHECK(file.columns[0].type == "BIGINT");
}

TEST_CASE_METHOD(Fixture, "whatever is not whole Parquet is refused as such, wherever it breaks") {
  const std::vector<Column> columns = {{1, "n", "BIGINT"}, {2, "s", "VARCHAR"}};
  const auto written = segment_of(columns, "SELECT i, 'some text ' || i FROM range(20000) t(i)");
  Bytes whole(written->blob.size);
  blobs.read(written->blob.id, 0, whole);
  const auto kind_of = [&](const Bytes& bytes) {
    return error_of([&] {
             const auto blob = stage(bytes);
             engine->inspect_parquet(blob);
             read(blob);
           })
        .substr(0, std::string("invalid_parquet").size());
  };
  CHECK(kind_of(whole) == "");
  const std::string html = "<!doctype html><title>Sign in</title>";
  CHECK(kind_of(Bytes(html.begin(), html.end())) == "invalid_parquet");
  CHECK(kind_of({}) == "invalid_parquet");
  for (const std::size_t cut : {std::size_t{1}, std::size_t{8}, whole.size() / 2, whole.size() - 4}) {
    CAPTURE(cut);
    CHECK(kind_of(Bytes(whole.begin(), whole.end() - static_cast<std::ptrdiff_t>(cut))) == "invalid_parquet");
  }
  // A byte of the footer or of a page: refused, or read without harm, but never a crash.
  std::size_t refused = 0;
  for (std::size_t at = 4; at < whole.size(); at += whole.size() / 200 + 1) {
    Bytes bent = whole;
    bent[at] ^= 0x55;
    refused += kind_of(bent) == "invalid_parquet";
  }
  CHECK(refused > 0);
}
