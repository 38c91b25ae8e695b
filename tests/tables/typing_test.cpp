// The rule by which text becomes values: a table of single values, then whole columns as write_table sends them.
#include "tables/typing.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/recorded_rows.hpp"
#include "tables/importer.hpp"
#include "tables/value_text.hpp"

using namespace stele;
using namespace stele::testing;

namespace {

using Cells = std::vector<std::string>;

// One column "c" of these strings.
std::unique_ptr<RowSource> strings(const Cells& values) {
  Json rows = Json::array();
  for (const auto& value : values) rows.push_back({{"c", value}});
  return source_of_rows(rows);
}

std::string type_of(const Cells& values) { return strings(values)->columns().at(0).type; }

// Parsed from text, since a test's literals would go through C++ numbers.
std::unique_ptr<RowSource> rows(const char* json) { return source_of_rows(Json::parse(json)); }

std::optional<RowSource::Misfit> misfit(RowSource& source, std::size_t column, const char* type) {
  return run_to_end(source.misfit(column, type));
}

}  // namespace

TEST_CASE("a column of one text gets the type that gives the text's value back") {
  const std::vector<std::pair<const char*, const char*>> table = {
      {"0", "BIGINT"},
      {"-5", "BIGINT"},
      {"9223372036854775807", "BIGINT"},
      {"-9223372036854775808", "BIGINT"},
      {"19.0", "DOUBLE"},
      {"1.50", "DOUBLE"},
      {"0.5", "DOUBLE"},
      {"-.5", "DOUBLE"},
      {"-0", "DOUBLE"},
      {"3e-08", "DOUBLE"},
      {"1.5E10", "DOUBLE"},
      {"1e+5", "DOUBLE"},
      {"0.30000000000000004", "DOUBLE"},
      {"0.10000000000000001", "DOUBLE"},
      {"123456789012345.6", "DOUBLE"},
      {"5e-324", "DOUBLE"},
      {"1.7976931348623157e308", "DOUBLE"},
      {"true", "BOOLEAN"},
      {"False", "BOOLEAN"},
      {"TRUE", "BOOLEAN"},
      {"2025-04-03", "DATE"},
      {"2024-02-29", "DATE"},
      {"0001-01-01", "DATE"},
      {"9999-12-31", "DATE"},
      {"06:45", "TIME"},
      {"23:59:59.999999", "TIME"},
      {"06:45:00.123000000", "TIME"},
      {"2025-04-03T06:45:00", "TIMESTAMP"},
      {"2025-04-03 06:45", "TIMESTAMP"},
      {"2025-04-03T06:45:00Z", "TIMESTAMP WITH TIME ZONE"},
      {"2025-04-03 06:45:00.5+05:30", "TIMESTAMP WITH TIME ZONE"},
      {"2025-04-03 06:45:00 UTC", "TIMESTAMP WITH TIME ZONE"},
      {"2025-04-03T06:45:00-0300", "TIMESTAMP WITH TIME ZONE"},
      {"007", "VARCHAR"},
      {"00", "VARCHAR"},
      {"-01", "VARCHAR"},
      {"01.5", "VARCHAR"},
      {"+1", "VARCHAR"},
      {"+1.5", "VARCHAR"},
      {"1e5", "VARCHAR"},
      {"12E3", "VARCHAR"},
      {"0031902E477001", "VARCHAR"},
      {"1.5e999", "VARCHAR"},
      {"1e-999", "VARCHAR"},
      {"9223372036854775808", "VARCHAR"},
      {"12345678901234567890", "VARCHAR"},
      {"0.1234567890123456789", "VARCHAR"},
      {"9007199254740993.5", "VARCHAR"},
      {"NaN", "VARCHAR"},
      {"-inf", "VARCHAR"},
      {"Infinity", "VARCHAR"},
      {"1,234.50", "VARCHAR"},
      {"418,20", "VARCHAR"},
      {"1'234.50", "VARCHAR"},
      {"12%", "VARCHAR"},
      {"5.", "VARCHAR"},
      {".", "VARCHAR"},
      {"-", "VARCHAR"},
      {"+", "VARCHAR"},
      {"", "VARCHAR"},
      {" 5", "VARCHAR"},
      {"1.2.3", "VARCHAR"},
      {"192.168.1.1", "VARCHAR"},
      {"0x1F", "VARCHAR"},
      {"1e", "VARCHAR"},
      {"1e5x", "VARCHAR"},
      {"yes", "VARCHAR"},
      {"tRUE", "VARCHAR"},
      {"2025-13-01", "VARCHAR"},
      {"2025-02-29", "VARCHAR"},
      {"0000-01-01", "VARCHAR"},
      {"2025-4-3", "VARCHAR"},
      {"25:00", "VARCHAR"},
      {"9:30", "VARCHAR"},
      {"06:45:60", "VARCHAR"},
      {"2025-04-03T06:45:00.1234567", "VARCHAR"},
      {"2025-04-03T06:45:00+25:00", "VARCHAR"},
      {"25/04/2025", "VARCHAR"},
      {"25-11-2025", "VARCHAR"},
  };
  for (const auto& [text, type] : table) {
    INFO(text);
    CHECK(type_of({text}) == type);
  }
}

TEST_CASE("a column has a type only if every value has it") {
  const std::vector<std::pair<Cells, const char*>> table = {
      {{"1", "2.5"}, "DOUBLE"},
      {{"9007199254740992", "0.5"}, "DOUBLE"},
      {{"9007199254740993", "0.5"}, "VARCHAR"},  // 2^53+1 is no double
      {{"true", "false"}, "BOOLEAN"},
      {{"true", "False"}, "VARCHAR"},
      {{"true", "1"}, "VARCHAR"},
      {{"2025-04-03", "2025-04-03 06:45"}, "VARCHAR"},
      {{"2025-04-01T00:00:00", "2025-04-01T00:00:00Z"}, "VARCHAR"},
      {{"1", ""}, "VARCHAR"},
      {{"1", "x"}, "VARCHAR"},
  };
  for (const auto& [values, type] : table) {
    INFO(values[0] << " and " << values[1]);
    CHECK(type_of(values) == type);
    if (std::string(type) == "VARCHAR") {
      CHECK(column_of(*strings(values), "c") == Cells{"'" + values[0] + "'", "'" + values[1] + "'"});
      CHECK(warning_of(*strings(values), "kept_as_text", "c").value.has_value());
    }
  }
}

TEST_CASE("a warning names the column, the first value that keeps it text, its row and how many there are") {
  const auto warning = warning_of(*strings({"5", "6", "n/a", "7", "007", "n/a"}), "kept_as_text");
  CHECK(warning.column == "c");
  CHECK(warning.value == "n/a");
  CHECK(warning.row == 3);
  CHECK(warning.count == 3);
  CHECK(warning.message ==
        "Column \"c\" stays text, exactly as written: \"n/a\" (row 3) is not a number; 3 of 6 values, among them "
        "\"n/a\" × 2, "
        "\"007\".");
}

TEST_CASE("a column of words needs no warning") { CHECK(strings({"Ada", "Bo", "true enough"})->warnings().empty()); }

TEST_CASE("numbers, days and times are delivered exactly") {
  CHECK(column_of(*strings({"0.1", "1.7976931348623157e308", "9007199254740991.0"}), "c") ==
        Cells{"0.1", "1.7976931348623157e+308", "9.007199254740991e+15"});
  CHECK(column_of(*strings({"1970-01-01", "2024-02-29", "0001-01-01"}), "c") ==
        Cells{"day 0", "day 19782", "day -719162"});
  CHECK(column_of(*strings({"1969-12-31T23:59:59.999999", "1970-01-01 00:00"}), "c") == Cells{"µs -1", "µs 0"});
  CHECK(column_of(*strings({"1970-01-01T05:30:00+05:30", "1969-12-31T21:00:00-03:00"}), "c") == Cells{"µs 0", "µs 0"});
}

TEST_CASE("doubles are read as strtod reads them") {
  for (const char* text : {"0.1", "123456.789", "1e23", "8.41e21", "9007199254740993", "2.2250738585072014e-308",
                           "179769313486231570000000000000000000000.5", "0.000001", "6.02214076e23", "-1.1e-7"}) {
    INFO(text);
    CHECK(parse_double(text) == std::strtod(text, nullptr));
  }
}

TEST_CASE("case 01c: codes with leading zeros sent as strings stay text, numbers become numbers") {
  const auto source = rows(R"([{"zip":"00501","depot":"007","qty":"3","ratio":"0.5","plain_zero":"0"},
                               {"zip":"94107","depot":"100","qty":"7","ratio":"1","plain_zero":"1"}])");
  CHECK(types_of(*source) == Cells{"VARCHAR", "VARCHAR", "BIGINT", "DOUBLE", "BIGINT"});
  CHECK(column_of(*source, "zip") == Cells{"'00501'", "'94107'"});
}

TEST_CASE("case 09b: integers beyond 64 bits stay text with a warning") {
  const auto source =
      strings({"9223372036854775808", "18446744073709551615", "340282366920938463463374607431768211455", "1"});
  CHECK(column_of(*source, "c")[2] == "'340282366920938463463374607431768211455'");
  CHECK(warning_of(*source, "kept_as_text").value == "9223372036854775808");
  CHECK(warning_of(*source, "kept_as_text").count == 3);
}

TEST_CASE("case 27: strings that would be written differently afterwards stay as they are") {
  const auto source = rows(R"([{"order_id":"0030","hash":"11111111111111111111111111111111","day":"25-11-2025",
                                "uid":"4D1F0A6E-76E5-4F1C-8A2B-0C1D2E3F4A5B","n":5,"s":"5"}])");
  CHECK(types_of(*source) == Cells{"VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR", "BIGINT", "BIGINT"});
  CHECK(rows_of(*source)[0][3] == "'4D1F0A6E-76E5-4F1C-8A2B-0C1D2E3F4A5B'");
}

TEST_CASE("case 29: odd keys are columns like others, an empty one gets a name and a warning") {
  const auto source =
      rows(R"([{"a.b":1,"a":{"b":2},"__proto__":"kept","constructor":"c","length":3,"toString":"t","":"empty"},
                               {"a.b":4,"a":{"b":[5,6]},"__proto__":"too","constructor":"d","length":7,"toString":"u","":"e2"}])");
  CHECK(names_of(*source) == Cells{"a.b", "a", "__proto__", "constructor", "length", "toString", "column7"});
  CHECK(rows_of(*source)[1] == Cells{"4", "'{\"b\":[5,6]}'", "'too'", "'d'", "7", "'u'", "'e2'"});
  CHECK(source->columns()[1].type == "JSON");
  CHECK(warning_of(*source, "column_renamed").column == "column7");
}

TEST_CASE("a key that a row leaves out is told from null") {
  const auto source = rows(R"([{"id":1,"v":null},{"id":2},{"id":3,"w":true}])");
  CHECK(types_of(*source) == Cells{"BIGINT", "VARCHAR", "BOOLEAN"});
  CHECK(source->columns()[1].all_null);
  CHECK(source->columns()[2].nulls == 2);
  CHECK(rows_of(*source)[0] == Cells{"1", "NULL", "NULL"});
  RecordedRows buffer(3);
  source->rewind(types_of(*source));
  REQUIRE(source->fill(buffer));
  CHECK_FALSE(source->left_out(0, 1));
  CHECK(source->left_out(1, 1));
  CHECK_FALSE(source->left_out(2, 2));
}

TEST_CASE("numbers of JSON keep what they are: 1.0 is no integer, mixed values are text as written") {
  CHECK(types_of(*rows(R"([{"a":1.0,"b":1,"c":1,"d":true}])")) == Cells{"DOUBLE", "BIGINT", "BIGINT", "BOOLEAN"});
  const auto mixed = rows(R"([{"v":1},{"v":"x"},{"v":true},{"v":[1, 2]}])");
  CHECK(column_of(*mixed, "v") == Cells{"'1'", "'x'", "'true'", "'[1,2]'"});
  CHECK(warning_of(*mixed, "kept_as_text", "v").row == 2);
}

TEST_CASE("a whole number past 2^53 that arrives as a double is doubted") {
  const auto source = rows(R"([{"id":1e20},{"id":1.5}])");
  CHECK(warning_of(*source, "digits_in_doubt", "id").row == 1);
  CHECK(warning_of(*rows(R"([{"id":9007199254740993}])"), "digits_in_doubt").kind.empty());
}

TEST_CASE("case 46: a misfit is the first value that the table's type cannot hold") {
  const auto source =
      rows(R"([{"n":1,"day":"2025-04-03","s":"300","d":"1.25","u":"4d1f0a6e-76e5-4f1c-8a2b-0c1d2e3f4a5b","b":2},
                               {"n":1.1,"day":"05/04/2025","s":"-1","d":"100.1","u":"X","b":0}])");
  CHECK(misfit(*source, 0, "BIGINT")->value == "1.1");
  CHECK(misfit(*source, 0, "BIGINT")->row == 2);
  CHECK_FALSE(misfit(*source, 0, "DOUBLE"));
  CHECK_FALSE(misfit(*source, 0, "VARCHAR"));
  CHECK_FALSE(misfit(*source, 0, "DECIMAL(4,2)"));
  CHECK(misfit(*source, 1, "DATE")->value == "05/04/2025");
  CHECK_FALSE(misfit(*source, 2, "INTEGER"));
  CHECK(misfit(*source, 2, "TINYINT")->value == "300");
  CHECK(misfit(*source, 2, "UBIGINT")->value == "-1");
  CHECK_FALSE(misfit(*source, 2, "HUGEINT"));
  CHECK(misfit(*source, 3, "DECIMAL(4,2)")->value == "100.1");
  CHECK_FALSE(misfit(*source, 3, "DECIMAL(5,2)"));
  CHECK(misfit(*source, 3, "FLOAT")->value == "100.1");
  CHECK(misfit(*source, 4, "UUID")->value == "X");
  CHECK(misfit(*source, 5, "BOOLEAN")->value == "2");
  CHECK(misfit(*source, 5, "INTEGER[]")->row == 1);
  CHECK(rows_of(*source, {"DOUBLE", "VARCHAR", "HUGEINT", "DECIMAL(5,2)", "VARCHAR", "SMALLINT"})[1] ==
        Cells{"1.1", "'05/04/2025'", "cast -1", "cast 100.1", "'X'", "0"});
}

TEST_CASE("rows that are no objects are refused by their number") {
  const auto refused = [](const char* text) {
    try {
      rows(text);
    } catch (const Error& error) {
      return error.kind() + ": " + error.what();
    }
    return std::string("taken");
  };
  CHECK(refused(R"([{"a":1},[1]])") == "invalid_rows: Row 2 is array, not an object.");
  CHECK(refused(R"({"a":1})") == "invalid_rows: rows is object, not a list.");
}

TEST_CASE("keys that differ in case alone become two columns, and each rename is told") {
  const auto source = rows(R"([{"id":1,"ID":2," id":3}])");
  CHECK(names_of(*source) == Cells{"id", "ID_2", "id_3"});
  CHECK(source->warnings().size() == 2);
}
