// What a caller says of a file in place of what would be found, and what is left out only if it is told how much.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/recorded_rows.hpp"
#include "support/staging.hpp"
#include "tables/cell_rules.hpp"

using namespace stele;
using namespace stele::testing;

namespace {

using Cells = std::vector<std::string>;

std::string kind_of_refusal(Staging& staging, const std::string& bytes, const std::string& name = "t.csv") {
  try {
    staging.import(bytes, name);
  } catch (const Error& error) {
    return error.kind();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("a delimiter that is given is used, whatever fits better") {
  Staging staging;
  staging.options.delimiter = ':';
  const auto source = staging.import("a:b\n1,5:2,5\n3,5:4,5\n");
  CHECK(names_of(*source) == Cells{"a", "b"});
  CHECK(rows_of(*source)[0] == Cells{"'1,5'", "'2,5'"});
}

TEST_CASE("delimiters and encodings are known by their usual names") {
  CHECK(parse_delimiter("tab") == '\t');
  CHECK(parse_delimiter("|") == '|');
  for (const auto* wrong : {"", "||", "\"", "\n", "é"}) CHECK_THROWS_AS(parse_delimiter(wrong), Error);
  CHECK(parse_encoding("UTF-8") == Encoding::Kind::utf8);
  CHECK(parse_encoding("latin1") == Encoding::Kind::windows_1252);
  CHECK(parse_encoding("utf_16_be") == Encoding::Kind::utf16_be);
  CHECK_THROWS_AS(parse_encoding("ebcdic"), Error);
}

TEST_CASE("a header that is given or denied is not guessed") {
  Staging staging;
  staging.options.header = true;
  const auto with = staging.import("1,2\n3,4\n");
  CHECK(names_of(*with) == Cells{"1", "2"});
  CHECK(with->rows() == 1);
  staging.options.header = false;
  const auto without = staging.import("name,n\nx,1\n");
  CHECK(names_of(*without) == Cells{"column1", "column2"});
  CHECK(rows_of(*without)[0] == Cells{"'name'", "'n'"});
  CHECK(without->warnings().size() == 1);  // why the second column is text
}

TEST_CASE("exactly the rows that are to be skipped are skipped, whatever they look like") {
  Staging staging;
  staging.options.skip_rows = 2;
  const auto source = staging.import("x,y\n\"open\na,b\n1,2\n");
  CHECK(names_of(*source) == Cells{"a", "b"});
  CHECK(source->facts()["lines_skipped"] == 2);
  staging.options.skip_rows = 0;
  CHECK(names_of(*staging.import("# no comment\n1\n")) == Cells{"# no comment"});
  staging.options.skip_rows = 9;
  CHECK(kind_of_refusal(staging, "a\n1\n") == "empty_file");
}

TEST_CASE("an encoding that is given is believed") {
  Staging staging;
  staging.options.encoding = Encoding::Kind::windows_1252;
  CHECK(column_of(*staging.import("a\nZ\xC3\xBCrich\n"), "a") == Cells{"'ZÃ¼rich'"});
  staging.options.encoding = Encoding::Kind::utf16_le;
  CHECK(column_of(*staging.import(std::string("a\0\n\0x\0\n\0", 8)), "a") == Cells{"'x'"});
  staging.options.encoding = Encoding::Kind::utf8;
  CHECK(kind_of_refusal(staging, "a\nBesan\xE7on\n") == "malformed_rows");
}

TEST_CASE("null values are NULL in every text format, and are counted by marker") {
  Staging staging;
  staging.options.null_values = {"NA", "-999"};
  const auto csv = staging.import("a,b\n1,x\n NA ,\"NA\"\n-999,y\n");
  CHECK(rows_of(*csv) == std::vector<Cells>{{"1", "'x'"}, {"NULL", "NULL"}, {"NULL", "'y'"}});
  CHECK(warning_of(*csv, "null_values", "a").count == 2);
  CHECK_THAT(warning_of(*csv, "null_values", "a").message, Catch::Contains("\"NA\" × 1, \"-999\" × 1"));
  const auto json = staging.import(R"([{"a":-999,"b":"NA"},{"a":2,"b":"NAN"}])", "t.json");
  CHECK(rows_of(*json) == std::vector<Cells>{{"NULL", "NULL"}, {"2", "'NAN'"}});
}

TEST_CASE("a decimal comma is one only where the caller says so, and text stays as written") {
  Staging staging;
  staging.options.decimal_comma = true;
  const auto source = staging.import("n;m;t;d\n1.234,5;7;1,5;28.02.2025\n-0,25;1.000;x;01.03.2025\n");
  CHECK(types_of(*source) == Cells{"DOUBLE", "BIGINT", "VARCHAR", "DATE"});
  CHECK(rows_of(*source)[0] == Cells{"1234.5", "7", "'1,5'", "day 20147"});
  CHECK(rows_of(*source)[1][1] == "1000");
}

TEST_CASE("a number with a decimal comma is read exactly or not at all") {
  const std::vector<std::pair<const char*, const char*>> table = {
      {"418,20", "418.20"},
      {"1.234,5", "1234.5"},
      {"1.234.567", "1234567"},
      {"-0,5", "-0.5"},
      {"9,5e-07", "9.5e-07"},
      {"1.5", ""},
      {"1.23,4", ""},
      {"1,2,3", ""},
      {"1234.567", ""},
      {",5", ""},
      {"5,", ""},
      {"1,5e", ""},
  };
  for (const auto& [written, plain] : table) {
    INFO(written);
    CHECK(std::string(PlainNumber(written).text()) == plain);
  }
}

TEST_CASE("malformed rows are left out only if the count told is the count found") {
  Staging staging;
  const std::string lines = "{\"a\":1}\n{\"a\":\n{\"a\":2,\"b\":3}\n7\n{\"c\":1,\"c\":2}\n";
  CHECK(kind_of_refusal(staging, lines, "t.ndjson") == "malformed_rows");
  staging.options.malformed_rows_to_skip = 2;
  CHECK(kind_of_refusal(staging, lines, "t.ndjson") == "malformed_rows");
  staging.options.malformed_rows_to_skip = 3;
  const auto source = staging.import(lines, "t.ndjson");
  CHECK(names_of(*source) == Cells{"a", "b"});
  CHECK(rows_of(*source) == std::vector<Cells>{{"1", "NULL"}, {"2", "3"}});
  CHECK(source->facts()["rows_read"] == 5);
  CHECK(source->facts()["rows_stored"] == 2);
  CHECK(source->facts()["rows_skipped"] == 3);
  CHECK(source->facts()["malformed_rows"][1]["line"] == 4);
  CHECK(kind_of_refusal(staging, "{\"a\":1}\n", "t.ndjson") == "malformed_rows");
}

TEST_CASE("objects of a list that are no rows are malformed, a broken list is refused whole") {
  Staging staging;
  staging.options.malformed_rows_to_skip = 1;
  CHECK(staging.import("[{\"a\":1},\n{\"a\":NaN},{\"a\":2}]", "t.json")->rows() == 2);
  CHECK(kind_of_refusal(staging, "[{\"a\":1} {\"a\":2}]", "t.json") == "invalid_json");
}

TEST_CASE("a column that stays text tells what other types would lose") {
  Staging staging;
  const auto source = staging.import("a\n1\n2.5\nx\n3\n");
  const auto& losses = source->columns()[0].would_lose;
  REQUIRE(losses.size() == 2);
  CHECK(losses[0].type == "BIGINT");
  CHECK(losses[0].values == 2);
  CHECK(losses[0].first == "2.5");
  CHECK(losses[1].type == "DOUBLE");
  CHECK(losses[1].values == 1);
  CHECK(losses[1].row == 3);
}

TEST_CASE("an option that says nothing about a format is refused") {
  ReadOptions options;
  options.delimiter = ';';
  CHECK_NOTHROW(check_options(options, Format::csv));
  CHECK_THROWS_AS(check_options(options, Format::parquet), Error);
  ReadOptions path;
  path.records_path = "data";
  CHECK_THROWS_AS(check_options(path, Format::ndjson), Error);
}
