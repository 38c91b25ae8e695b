#include <catch2/catch.hpp>

#include "engine/engine_fixture.hpp"

using namespace stele;

namespace {

const std::vector<Column> id_and_name{{1, "id", "BIGINT"}, {2, "name", "VARCHAR"}};

struct TypeRoundTrip {
  const char* type;
  std::vector<const char*> values;  // as text
  const char* json;                 // what they are in answers
};

}  // namespace

TEST_CASE("a snapshot of several segments reads as one table in their order") {
  EngineFixture f;
  const auto first = f.segment(id_and_name, {{"1", "tern"}, {"2", std::nullopt}});
  const auto second = f.segment(id_and_name, {{"3", "gannet"}});
  const auto table = f.snapshot(id_and_name, {{first, {}}, {second, {}}});
  CHECK(f.rows("SELECT * FROM scan(0)", {table}) == R"([[1,"tern"],[2,null],[3,"gannet"]])");
}

TEST_CASE("a snapshot without segments has its columns and no rows") {
  EngineFixture f;
  const auto table = f.snapshot(id_and_name, {});
  CHECK(f.rows("SELECT * FROM scan(0)", {table}) == "[]");
  CHECK(f.rows("SELECT count(*), max(id), count(name) FROM scan(0)", {table}) == "[[0,null,0]]");
}

TEST_CASE("a segment of no rows reads as no rows") {
  EngineFixture f;
  const auto table = f.snapshot(id_and_name, {{f.segment(id_and_name, {}), {}}});
  CHECK(f.rows("SELECT * FROM scan(0)", {table}) == "[]");
}

TEST_CASE("several snapshots join") {
  EngineFixture f;
  const auto left = f.snapshot(id_and_name, {{f.segment(id_and_name, {{"1", "a"}, {"2", "b"}}), {}}});
  const auto right = f.snapshot(id_and_name, {{f.segment(id_and_name, {{"2", "c"}, {"3", "d"}}), {}}});
  CHECK(f.rows("SELECT l.name, r.name FROM scan(0) l JOIN scan(1) r USING (id)", {left, right}) == R"([["b","c"]])");
}

TEST_CASE("deleted rows are not there, wherever a statement looks") {
  EngineFixture f;
  const std::vector<Column> columns{{1, "n", "BIGINT"}};
  const auto segment = f.segment_of(columns, "SELECT range FROM range(10000)");
  std::vector<std::uint32_t> deleted;
  for (std::uint32_t position = 0; position < 10000; position++) {
    if (position < 5000 || position % 2 == 1) deleted.push_back(position);
  }
  const auto table = f.snapshot(columns, {{segment, deleted}});
  CHECK(f.rows("SELECT count(*) FROM scan(0)", {table}) == "[[2500]]");
  CHECK(f.rows("SELECT count(*), count(n), min(n), max(n), sum(n)::BIGINT FROM scan(0)", {table}) ==
        "[[2500,2500,5000,9998,18747500]]");
  CHECK(f.rows("SELECT count(*) FROM scan(0) WHERE n < 5002", {table}) == "[[1]]");
  CHECK(f.rows("SELECT n FROM scan(0) WHERE n IN (1, 4998, 5000, 5001, 5002)", {table}) == "[[5000],[5002]]");
  CHECK(f.rows("SELECT n FROM scan(0) ORDER BY n DESC LIMIT 2", {table}) == "[[9998],[9996]]");
}

TEST_CASE("a snapshot may have all rows of a segment deleted") {
  EngineFixture f;
  const auto table = f.snapshot(id_and_name, {{f.segment(id_and_name, {{"1", "a"}, {"2", "b"}}), {0, 1}},
                                              {f.segment(id_and_name, {{"3", "c"}}), {}}});
  CHECK(f.rows("SELECT * FROM scan(0)", {table}) == R"([[3,"c"]])");
}

TEST_CASE("positions name segment and row in the file, past deleted ones") {
  EngineFixture f;
  const auto first = f.segment(id_and_name, {{"1", "a"}, {"2", "b"}, {"3", "c"}});
  const auto second = f.segment(id_and_name, {{"4", "d"}});
  const auto table = f.snapshot(id_and_name, {{first, {1}}, {second, {}}});
  CHECK(f.rows("SELECT * FROM scan(0, positions := true)", {table}) == R"([[1,"a",0,0],[3,"c",0,2],[4,"d",1,0]])");
  CHECK(f.rows("SELECT stele_row FROM scan(0, positions := true) WHERE id = 3", {table}) == "[[2]]");
  CHECK(f.rows("SELECT id FROM scan(0, positions := true) WHERE stele_segment = 1", {table}) == "[[4]]");
  CHECK(f.rows("SELECT id FROM scan(0, positions := true) WHERE stele_segment = 0 AND stele_row >= 1", {table}) ==
        "[[3]]");
}

TEST_CASE("a column that a segment lacks is NULL there") {
  EngineFixture f;
  const auto older = f.segment({{1, "id", "BIGINT"}}, {{"1"}, {"2"}});
  const auto newer = f.segment(id_and_name, {{"3", "c"}});
  const auto table = f.snapshot(id_and_name, {{older, {}}, {newer, {}}});
  CHECK(f.rows("SELECT * FROM scan(0)", {table}) == R"([[1,null],[2,null],[3,"c"]])");
  CHECK(f.rows("SELECT id FROM scan(0) WHERE name IS NULL", {table}) == "[[1],[2]]");
  CHECK(f.rows("SELECT id FROM scan(0) WHERE name = 'c'", {table}) == "[[3]]");
  CHECK(f.rows("SELECT name FROM scan(0)", {table}) == R"([[null],[null],["c"]])");
}

TEST_CASE("a dropped column's values are not those of a later column of the same name") {
  EngineFixture f;
  const auto older = f.segment({{1, "id", "BIGINT"}, {2, "note", "VARCHAR"}}, {{"1", "dropped"}});
  const auto table = f.snapshot({{1, "id", "BIGINT"}, {3, "note", "VARCHAR"}}, {{older, {}}});
  CHECK(f.rows("SELECT * FROM scan(0)", {table}) == "[[1,null]]");
}

TEST_CASE("a renamed and reordered column keeps its values") {
  EngineFixture f;
  const auto segment = f.segment(id_and_name, {{"1", "tern"}});
  const auto table = f.snapshot({{2, "bird", "VARCHAR"}, {1, "Number", "BIGINT"}}, {{segment, {}}});
  CHECK(f.rows("SELECT * FROM scan(0) WHERE number = 1", {table}) == R"([["tern",1]])");
}

TEST_CASE("columns may be named as DuckDB names its own") {
  EngineFixture f;
  const std::vector<Column> columns{{1, "filename", "VARCHAR"},
                                    {2, "file_row_number", "BIGINT"},
                                    {3, "rowid", "BIGINT"},
                                    {4, "file_index", "VARCHAR"},
                                    {5, "c1", "VARCHAR"}};
  const auto table = f.snapshot(columns, {{f.segment(columns, {{"mine", "7", "8", "x", "y"}}), {}}});
  CHECK(f.rows("SELECT filename, file_row_number, rowid, file_index, c1 FROM scan(0)", {table}) ==
        R"([["mine",7,8,"x","y"]])");
  CHECK(f.rows("SELECT c1, stele_row FROM scan(0, positions := true)", {table}) == R"([["y",0]])");
}

TEST_CASE("DuckDB's own columns of a file cannot be named") {
  EngineFixture f;
  const auto table = f.snapshot(id_and_name, {{f.segment(id_and_name, {{"1", "a"}}), {}}});
  for (const char* name : {"filename", "file_row_number", "file_index", "rowid", "stele_row", "c1", "\"c2\""}) {
    CAPTURE(name);
    const auto error = error_of([&] { f.rows("SELECT " + std::string(name) + " FROM scan(0)", {table}); });
    CHECK(error.find("sql_error") == 0);
  }
}

TEST_CASE("an adopted file's names are its author's, and its columns are found by id") {
  EngineFixture f;
  auto adopted = *f.segment(id_and_name, {{"1", "tern"}, {"2", "gannet"}});
  // As if c1 and c2 were the author's names, crosswise to ours.
  adopted.columns = {{2, "c1", "BIGINT"}, {1, "c2", "VARCHAR"}};
  const auto table =
      f.snapshot({{1, "bird", "VARCHAR"}, {2, "n", "BIGINT"}}, {{std::make_shared<Segment>(adopted), {}}});
  CHECK(f.rows("SELECT * FROM scan(0) WHERE n = 2", {table}) == R"([["gannet",2]])");
}

TEST_CASE("a widened column reads old segments in the new type, and filters compare in it") {
  EngineFixture f;
  const auto older = f.segment({{1, "price", "BIGINT"}}, {{"1"}, {"2"}, {"9"}, {"10"}});
  const auto newer = f.segment({{1, "price", "DOUBLE"}}, {{"1.5"}});
  const auto as_double = f.snapshot({{1, "price", "DOUBLE"}}, {{older, {}}, {newer, {}}});
  CHECK(f.rows("SELECT price FROM scan(0) WHERE price > 1.4 ORDER BY 1", {as_double}) == "[[1.5],[2.0],[9.0],[10.0]]");
  CHECK(f.rows("SELECT price FROM scan(0) WHERE price < 1.7 ORDER BY 1", {as_double}) == "[[1.0],[1.5]]");
  CHECK(f.rows("SELECT price FROM scan(0) WHERE price = 1.5", {as_double}) == "[[1.5]]");
  CHECK(f.rows("SELECT price FROM scan(0) WHERE price IN (2, 1.5) ORDER BY 1", {as_double}) == "[[1.5],[2.0]]");
  const auto as_text = f.snapshot({{1, "price", "VARCHAR"}}, {{older, {}}});
  CHECK(f.rows("SELECT price FROM scan(0) WHERE price > '2' ORDER BY 1", {as_text}) == R"([["9"]])");
  CHECK(f.rows("SELECT price FROM scan(0) WHERE price = '10'", {as_text}) == R"([["10"]])");
  const auto as_decimal = f.snapshot({{1, "price", "DECIMAL(20,2)"}}, {{older, {}}});
  CHECK(f.rows("SELECT price FROM scan(0) WHERE price >= 8.99", {as_decimal}) == R"([["9.00"],["10.00"]])");
  const auto as_wide = f.snapshot({{1, "price", "HUGEINT"}}, {{older, {}}});
  CHECK(f.rows("SELECT price FROM scan(0) WHERE price >= 9 AND price < 10", {as_wide}) == R"([["9"]])");
  CHECK(f.rows("SELECT count(*) FROM scan(0) WHERE price < 100000000000000000000000", {as_wide}) == "[[4]]");
}

TEST_CASE("a date that became a timestamp is compared as one") {
  EngineFixture f;
  const auto older = f.segment({{1, "at", "DATE"}}, {{"2025-04-03"}, {"2025-04-04"}});
  const auto table = f.snapshot({{1, "at", "TIMESTAMP"}}, {{older, {}}});
  CHECK(f.rows("SELECT \"at\" FROM scan(0) WHERE \"at\" < TIMESTAMP '2025-04-03 12:00:00'", {table}) ==
        R"([["2025-04-03 00:00:00"]])");
  CHECK(f.rows("SELECT \"at\" FROM scan(0) WHERE \"at\" > TIMESTAMP '2025-04-03 12:00:00'", {table}) ==
        R"([["2025-04-04 00:00:00"]])");
}

TEST_CASE("deletions, cast filters and positions hold together") {
  EngineFixture f;
  const auto older = f.segment({{1, "price", "BIGINT"}}, {{"1"}, {"2"}, {"9"}, {"10"}});
  const auto table = f.snapshot({{1, "price", "DOUBLE"}}, {{older, {1}}});
  CHECK(f.rows("SELECT price, stele_row FROM scan(0, positions := true) WHERE price > 1.5", {table}) ==
        "[[9.0,2],[10.0,3]]");
}

TEST_CASE("every type comes back as it went in, null included") {
  EngineFixture f;
  const std::vector<TypeRoundTrip> types{
      {"BOOLEAN", {"true", "false"}, "true,false"},
      {"TINYINT", {"-128", "127"}, "-128,127"},
      {"SMALLINT", {"-32768", "32767"}, "-32768,32767"},
      {"INTEGER", {"-2147483648", "2147483647"}, "-2147483648,2147483647"},
      {"BIGINT",
       {"9007199254740991", "9007199254740992", "-9223372036854775808", "9223372036854775807"},
       R"(9007199254740991,"9007199254740992","-9223372036854775808","9223372036854775807")"},
      {"UTINYINT", {"255"}, "255"},
      {"USMALLINT", {"65535"}, "65535"},
      {"UINTEGER", {"4294967295"}, "4294967295"},
      {"UBIGINT", {"0", "18446744073709551615"}, R"(0,"18446744073709551615")"},
      {"HUGEINT",
       {"1", "-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"},
       R"("1","-170141183460469231731687303715884105728","170141183460469231731687303715884105727")"},
      {"UHUGEINT", {"340282366920938463463374607431768211455"}, R"("340282366920938463463374607431768211455")"},
      {"FLOAT", {"0.1", "nan", "inf"}, R"(0.1,"NaN","Infinity")"},
      {"DOUBLE", {"0.1", "1e300", "nan", "inf", "-inf"}, R"(0.1,1e+300,"NaN","Infinity","-Infinity")"},
      {"DECIMAL(9,3)", {"1.234", "-0.001"}, R"("1.234","-0.001")"},
      {"DECIMAL(38,2)", {"-123456789012345678901234567890123456.78"}, R"("-123456789012345678901234567890123456.78")"},
      {"VARCHAR", {"", "007", "é 🦆"}, R"("","007","é 🦆")"},
      {"BLOB", {R"(\x00\xFF)"}, R"("00ff")"},
      {"DATE", {"0001-01-01", "2025-04-03", "9999-12-31"}, R"("0001-01-01","2025-04-03","9999-12-31")"},
      {"TIME", {"04:05:06.789", "23:59:59.999999"}, R"("04:05:06.789","23:59:59.999999")"},
      {"TIMESTAMP",
       {"2025-04-03 04:05:06.789", "1969-12-31 23:59:59.999999"},
       R"("2025-04-03 04:05:06.789","1969-12-31 23:59:59.999999")"},
      {"TIMESTAMP_NS", {"2025-04-03 04:05:06.123456789"}, R"("2025-04-03 04:05:06.123456789")"},
      {"TIMESTAMP WITH TIME ZONE",
       {"2025-03-30T01:00:00Z", "2025-04-01T05:30:00+05:30"},
       R"("2025-03-30T01:00:00Z","2025-04-01T00:00:00Z")"},
      {"INTERVAL",
       {"3 days", "-1 month", "14 months 3 days 04:05:06.789"},
       R"("3 days","-1 month","1 year 2 months 3 days 04:05:06.789")"},
      {"UUID", {"00000000-0000-4000-8000-00000000000a"}, R"("00000000-0000-4000-8000-00000000000a")"},
      {"BIT", {"0101"}, R"("0101")"},
      {"BIGINT[]", {"[1, NULL, 3]", "[]"}, "[1,null,3],[]"},
      {"HUGEINT[]",
       {"[1, 170141183460469231731687303715884105727]"},
       R"(["1","170141183460469231731687303715884105727"])"},
      {"DECIMAL(4,1)[]", {"[1.5, 2.5]"}, R"(["1.5","2.5"])"},
      {"STRUCT(x INTEGER, y VARCHAR[])", {"{'x': 1, 'y': [p, q]}"}, R"({"x":1,"y":["p","q"]})"},
      {"MAP(VARCHAR, INTEGER)", {"{a=1, b=NULL}", "{}"}, R"({"a":1,"b":null},{})"},
      {"MAP(INTEGER, VARCHAR)", {"{1=a}"}, R"([[1,"a"]])"},
      {"INTEGER[2]", {"[1, 2]"}, "[1,2]"},
      {"ENUM('low', 'high')", {"high"}, R"("high")"},
      {"JSON",
       {R"({"a": [1, 1.5, null], "b": {}})", "12345678901234567890", R"({"k": 1, "k": 2})"},
       R"({"a":[1,1.5,null],"b":{}},"12345678901234567890","{\"k\": 1, \"k\": 2}")"},
  };
  for (const auto& type : types) {
    CAPTURE(type.type);
    std::vector<EngineFixture::Row> rows;
    for (const char* value : type.values) rows.push_back({value});
    rows.push_back({std::nullopt});
    const std::vector<Column> columns{{1, "v", type.type}};
    const auto table = f.snapshot(columns, {{f.segment(columns, rows), {}}});
    const auto cursor = f.engine->start_own("SELECT v FROM scan(0)", {table});
    std::string expected = "[";
    Json seen = Json::array();
    for (const auto& row : EngineFixture::rows_of(*cursor)) seen.push_back(row[0]);
    CHECK(seen.dump() == "[" + std::string(type.json) + ",null]");
    CHECK(cursor->columns()[0].type == type.type);
    CHECK(f.rows("SELECT count(*) FROM scan(0) WHERE v IS NULL", {table}) == "[[1]]");
  }
}

TEST_CASE("a filter on a column stored in another form finds what it should") {
  EngineFixture f;
  const std::vector<Column> columns{{1, "h", "HUGEINT"}, {2, "i", "INTERVAL"}, {3, "e", "ENUM('low', 'high')"}};
  const auto compact = f.segment(
      columns, {{"9", "3 days", "low"}, {"10", "1 month", "high"}, {std::nullopt, std::nullopt, std::nullopt}});
  const auto as_text = f.segment(columns, {{"170141183460469231731687303715884105727", "2 days", "high"}});
  const auto table = f.snapshot(columns, {{compact, {}}, {as_text, {}}});
  CHECK(f.rows("SELECT h FROM scan(0) WHERE h > 9 ORDER BY h", {table}) ==
        R"([["10"],["170141183460469231731687303715884105727"]])");
  CHECK(f.rows("SELECT h FROM scan(0) WHERE i = INTERVAL 3 DAY", {table}) == R"([["9"]])");
  CHECK(f.rows("SELECT h FROM scan(0) WHERE e = 'high' ORDER BY h", {table}) ==
        R"([["10"],["170141183460469231731687303715884105727"]])");
  CHECK(f.rows("SELECT count(*) FROM scan(0) WHERE i IS NULL", {table}) == "[[1]]");
}

TEST_CASE("a filter into a struct finds what it should") {
  EngineFixture f;
  const std::vector<Column> columns{{1, "s", "STRUCT(x INTEGER, y VARCHAR)"}};
  const auto table = f.snapshot(columns, {{f.segment(columns, {{"{'x': 1, 'y': a}"}, {"{'x': 2, 'y': b}"}}), {}}});
  CHECK(f.rows("SELECT s.y FROM scan(0) WHERE s.x = 2", {table}) == R"([["b"]])");
}
