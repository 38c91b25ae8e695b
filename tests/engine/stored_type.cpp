// Stored types: every type that a table may have comes back from a segment as it went in, at its extremes.
#include <catch2/catch.hpp>

#include "engine/engine_fixture.hpp"

using namespace stele;

namespace {

struct Case {
  std::string type;
  std::string stored;
  std::vector<std::string> values;  // SQL, each cast to the type; NULL is added
};

const std::vector<Case> cases = {
    {"BOOLEAN", "BOOLEAN", {"true", "false"}},
    {"TINYINT", "TINYINT", {"-128", "127"}},
    {"SMALLINT", "SMALLINT", {"-32768", "32767"}},
    {"INTEGER", "INTEGER", {"-2147483648", "2147483647"}},
    {"BIGINT", "BIGINT", {"-9223372036854775808", "9223372036854775807", "9007199254740993"}},
    {"UTINYINT", "UTINYINT", {"0", "255"}},
    {"USMALLINT", "USMALLINT", {"0", "65535"}},
    {"UINTEGER", "UINTEGER", {"0", "4294967295"}},
    {"UBIGINT", "UBIGINT", {"0", "18446744073709551615"}},
    {"HUGEINT",
     "DECIMAL(38,0)",
     {"99999999999999999999999999999999999999", "-99999999999999999999999999999999999999", "0"}},
    {"HUGEINT",
     "VARCHAR",
     {"170141183460469231731687303715884105727", "-170141183460469231731687303715884105728", "1"}},
    {"UHUGEINT", "VARCHAR", {"0", "340282366920938463463374607431768211455"}},
    {"BIGNUM",
     "VARCHAR",
     {"'-1234567890123456789012345678901234567890123456789'", "'0'", "'99999999999999999999999999999999999999999999'"}},
    {"FLOAT", "FLOAT", {"'nan'", "'inf'", "'-inf'", "3.4028235e38", "1e-45", "0.0"}},
    {"DOUBLE", "DOUBLE", {"'nan'", "'inf'", "'-inf'", "1.7976931348623157e308", "5e-324", "0.1"}},
    {"DECIMAL(4,1)", "DECIMAL(4,1)", {"-999.9", "999.9"}},
    {"DECIMAL(9,2)", "DECIMAL(9,2)", {"-9999999.99", "9999999.99"}},
    {"DECIMAL(18,3)", "DECIMAL(18,3)", {"-999999999999999.999", "999999999999999.999"}},
    {"DECIMAL(38,2)",
     "DECIMAL(38,2)",
     {"'-999999999999999999999999999999999999.99'", "'12345678901234567890123456789.01'"}},
    {"VARCHAR", "VARCHAR", {"''", "'a' || chr(0) || 'b'", "'🦆 naïve 中'", "repeat('long', 1000)"}},
    {"JSON", "JSON", {"'{\"a\":[1,null,\"x\"]}'", "'null'", "'9007199254740993'"}},
    {"BLOB", "BLOB", {"''", "'\\x00\\xFF'::BLOB"}},
    {"BIT", "VARCHAR", {"'0'", "'101010101'", "repeat('01', 500)"}},
    {"UUID", "UUID", {"'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"}},
    {"DATE",
     "DATE",
     {"'0001-01-01'", "'9999-12-31'", "'infinity'", "'-infinity'", "'0044-03-15 (BC)'", "'5881580-07-10'"}},
    {"TIME", "TIME", {"'00:00:00'", "'23:59:59.999999'", "'24:00:00'"}},
    {"TIME_NS", "VARCHAR", {"'00:00:00'", "'23:59:59.999999999'"}},
    {"TIME WITH TIME ZONE", "VARCHAR", {"'00:00:00+15:59'", "'23:59:59.999999-15:59:59'"}},
    {"TIMESTAMP",
     "TIMESTAMP",
     {"'1969-12-31 23:59:59.999999'", "'0001-01-01'", "'9999-12-31 23:59:59.999999'", "'infinity'", "'-infinity'",
      "'290309-12-22 (BC) 00:00:00'", "'294247-01-10 04:00:54.775806'"}},
    {"TIMESTAMP WITH TIME ZONE",
     "TIMESTAMP WITH TIME ZONE",
     {"'1969-12-31 23:59:59.999999+00'", "'2025-03-30 01:00:00+02'", "'infinity'"}},
    {"TIMESTAMP_S", "TIMESTAMP", {"'1969-12-31 23:59:59'", "'9999-12-31 23:59:59'", "'infinity'"}},
    {"TIMESTAMP_MS", "TIMESTAMP", {"'1969-12-31 23:59:59.999'", "'9999-12-31 23:59:59.999'", "'-infinity'"}},
    {"TIMESTAMP_NS",
     "TIMESTAMP_NS",
     {"'1677-09-22'", "'2262-04-11 23:47:16.854775806'", "'1969-12-31 23:59:59.999999999'"}},
    {"INTERVAL",
     "STRUCT(interval_months INTEGER, interval_days INTEGER, interval_micros BIGINT)",
     {"'0 seconds'", "'-3 months -4 days -00:00:00.000001'", "'178956970 years 7 months'",
      "to_days(2147483647) + to_microseconds(9223372036854775807)"}},
    {"INTEGER[]", "INTEGER[]", {"[]", "[NULL]", "[1, NULL, -3]"}},
    {"HUGEINT[]", "VARCHAR[]", {"[]", "[170141183460469231731687303715884105727, NULL]"}},
    {"INTERVAL[]",
     "STRUCT(interval_months INTEGER, interval_days INTEGER, interval_micros BIGINT)[]",
     {"[]", "[INTERVAL '-1 month', NULL]"}},
    {"INTEGER[3]", "INTEGER[]", {"[1, NULL, 3]", "[0, 0, 0]"}},
    {"STRUCT(x INTEGER, y VARCHAR[])",
     "STRUCT(x INTEGER, y VARCHAR[])",
     {"{'x': 1, 'y': ['p', NULL]}", "{'x': NULL, 'y': []}"}},
    {"STRUCT(\"odd name\" TIME WITH TIME ZONE, b BIT)",
     "STRUCT(\"odd name\" VARCHAR, b VARCHAR)",
     {"{'odd name': '01:02:03+04', 'b': '01'}"}},
    {"MAP(VARCHAR, UHUGEINT)",
     "MAP(VARCHAR, VARCHAR)",
     {"map()", "map {'k': 340282366920938463463374607431768211455, 'n': NULL}"}},
};

}  // namespace

TEST_CASE_METHOD(EngineFixture, "a value of each type comes back from a segment as it went in") {
  for (const Case& test : cases) {
    CAPTURE(test.type, test.stored);
    std::string sql = "SELECT v FROM (VALUES (0, NULL::" + test.type + ")";
    for (std::size_t i = 0; i < test.values.size(); ++i) {
      sql += ", (" + std::to_string(i + 1) + ", (" + test.values[i] + ")::" + test.type + ")";
    }
    sql += ") t(i, v) ORDER BY i";
    const std::vector<Column> columns = {{7, "v", test.type}};
    const auto written = segment_of(columns, sql);
    REQUIRE(written->rows == test.values.size() + 1);
    CHECK(written->columns == std::vector<StoredColumn>{{7, "c7", test.stored}});
    const auto snap = snapshot(columns, {{written, {}}});
    const std::string read = "SELECT v, v::VARCHAR, typeof(v) FROM scan(0)";
    const std::string before = "SELECT v, v::VARCHAR, typeof(v) FROM (" + sql + ")";
    CHECK(rows(read, {snap}) == rows(before));
  }
}

TEST_CASE_METHOD(EngineFixture,
                 "a value that its stored type does not hold turns its column to text, rows before it too") {
  const std::vector<Column> columns = {{1, "n", "HUGEINT"}, {2, "other", "HUGEINT"}};
  const std::string sql =
      "SELECT CASE WHEN i = 299999 THEN 170141183460469231731687303715884105727 ELSE i::HUGEINT END, -i::HUGEINT "
      "FROM range(300000) t(i)";
  const auto written = segment_of(columns, sql);
  CHECK(written->columns == std::vector<StoredColumn>{{1, "c1", "VARCHAR"}, {2, "c2", "DECIMAL(38,0)"}});
  const auto snap = snapshot(columns, {{written, {}}});
  CHECK(rows("SELECT count(*), count(DISTINCT n), max(n), min(other) FROM scan(0)", {snap}) ==
        R"([[300000,300000,"170141183460469231731687303715884105727","-299999"]])");
  // The segment that was given up is gone.
  CHECK(std::get<std::int64_t>(store.query("SELECT count(*) FROM blobs").at(0).at(0)) == 1);
}

TEST_CASE_METHOD(EngineFixture, "an interval that became text reads as the interval's text") {
  const std::vector<Column> before = {{1, "v", "INTERVAL"}};
  const std::vector<Column> after = {{1, "v", "VARCHAR"}};
  const auto written = segment_of(before, "SELECT INTERVAL '-1 month 2 days'");
  CHECK(rows("SELECT v FROM scan(0)", {snapshot(after, {{written, {}}})}) == R"([["-1 month 2 days"]])");
}
