// Values of CSV files as they really are: each case is a failure that others reported, with the outcome a careful user
// expects.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/recorded_rows.hpp"
#include "support/staging.hpp"

using namespace stele;
using namespace stele::testing;

namespace {

using Cells = std::vector<std::string>;

}  // namespace

TEST_CASE("case 01ab: codes with leading zeros stay text, a lone 0 and 0.5 do not make a column text") {
  Staging staging;
  const auto source = staging.import_case("01-leading-zero.csv");
  CHECK(names_of(*source) == Cells{"zip", "depot", "qty", "ratio", "plain_zero"});
  CHECK(types_of(*source) == Cells{"VARCHAR", "VARCHAR", "BIGINT", "DOUBLE", "BIGINT"});
  CHECK(column_of(*source, "zip") == Cells{"'00501'", "'02134'", "'94107'"});
  CHECK(column_of(*source, "depot") == Cells{"'007'", "'012'", "'100'"});
  CHECK(column_of(*source, "ratio") == Cells{"0.5", "0.25", "1.0"});
  CHECK(warning_of(*source, "kept_as_text", "zip").value == "00501");
}

TEST_CASE("case 02a: the last of 25,001 values decides too") {
  Staging staging;
  const auto source = staging.import_case("02a-late-text.csv");
  CHECK(source->rows() == 25'001);
  const auto codes = column_of(*source, "code");
  CHECK(codes.front() == "'1001'");
  CHECK(codes.back() == "'12b'");
  CHECK(warning_of(*source, "kept_as_text", "code").value == "12b");
  CHECK(warning_of(*source, "kept_as_text", "code").row == 25'001);
}

TEST_CASE("case 02b: the first quote may come after 25,000 rows") {
  Staging staging;
  const auto source = staging.import_case("02b-late-quote.csv");
  CHECK(source->columns().size() == 2);
  const auto firms = rows_of(*source);
  REQUIRE(firms.size() == 25'002);
  CHECK(firms[25'000][1] == "'Oak, Elm\nand Sons'");
  CHECK(firms[25'001][1] == "'say \"hi\"'");
}

TEST_CASE("case 04: markers of missing values stay as written, empty cells are NULL, and both are told") {
  Staging staging;
  const auto source = staging.import_case("04-null-markers.csv");
  CHECK(column_of(*source, "iso2") == Cells{"'NA'", "'NE'", "NULL", "'NC'"});
  CHECK(column_of(*source, "surname") == Cells{"'Null'", "'None'", "'Adeyemi'", "NULL"});
  CHECK(column_of(*source, "temp") == Cells{"'NA'", "'21.5'", "'19.0'", "'-'"});
  CHECK_THAT(warning_of(*source, "kept_as_text", "temp").message, Catch::Contains("\"NA\" × 1, \"-\" × 1"));
  CHECK_THAT(warning_of(*source, "kept_as_text", "sales").message, Catch::Contains("\"-\" × 1, \"N/A\" × 1"));
  CHECK(source->facts()["nulls"] == Json{{"iso2", 1}, {"surname", 1}});
}

TEST_CASE("case 06: days and months are read in one order or not at all") {
  Staging staging;
  const auto settled = staging.import_case("06a-dmy-settled-by-one-row.csv");
  CHECK(settled->columns()[1].type == "DATE");
  CHECK(column_of(*settled, "day") ==
        Cells{"day 20181", "day 20203", "day 20212"});  // 2025-04-03, 2025-04-25, 2025-05-04
  CHECK(warning_of(*settled, "dates_read", "day").value == "25/04/2025");
  CHECK(rows_of(*settled, {"BIGINT", "VARCHAR"})[0][1] == "'03/04/2025'");
  for (const auto& [name, first, value, row] :
       {std::tuple("06b-all-ambiguous.csv", "'03/04/2025'", "03/04/2025", 1u),
        std::tuple("06c-contradicting.csv", "'25/04/2025'", "04/26/2025", 2u),
        std::tuple("06d-iso-and-short.csv", "'2025-04-03'", "2025-13-01", 2u)}) {
    INFO(name);
    const auto source = staging.import_case(name);
    CHECK(column_of(*source, "day")[0] == first);
    CHECK(warning_of(*source, "kept_as_text", "day").value == value);
    CHECK(warning_of(*source, "kept_as_text", "day").row == row);
  }
}

TEST_CASE("case 07: an E between digits is a code, an exponent has a point or a sign") {
  Staging staging;
  const auto source = staging.import_case("07-e-codes.csv");
  CHECK(types_of(*source) == Cells{"VARCHAR", "VARCHAR", "DOUBLE"});
  CHECK(column_of(*source, "sku") == Cells{"'12E3'", "'40E2'", "'7E5'"});
  CHECK(column_of(*source, "lot")[0] == "'0031902E477001'");
  CHECK(column_of(*source, "tiny") == Cells{"9.5e-07", "1.25e-06", "3e-08"});
}

TEST_CASE("case 08: words for no number stay words, with a warning") {
  Staging staging;
  const auto source = staging.import_case("08-nan-inf.csv");
  CHECK(column_of(*source, "surname") == Cells{"'Nan'", "'Inf'", "'Infinity'", "'Ono'"});
  CHECK(column_of(*source, "reading") == Cells{"'1.5'", "'NaN'", "'inf'", "'-2.5'"});
  CHECK(column_of(*source, "flag") == Cells{"'nan'", "'inf'", "'-inf'", "'nan'"});
  CHECK(warning_of(*source, "kept_as_text", "reading").value == "NaN");
  CHECK(warning_of(*source, "kept_as_text", "flag").count == 4);
}

TEST_CASE("case 09: integers keep every digit") {
  Staging staging;
  CHECK(
      column_of(*staging.import_case("09-big-integers.csv"), "id") ==
      Cells{"9007199254740991", "9007199254740992", "9007199254740993", "-6203947711220984413", "9223372036854775807"});
  const auto beyond = staging.import_case("09b-beyond-int64.csv");
  CHECK(column_of(*beyond, "serial")[2] == "'340282366920938463463374607431768211455'");
  CHECK(warning_of(*beyond, "kept_as_text", "serial").row == 1);
}

TEST_CASE("case 11: amounts with end zeros are numbers") {
  Staging staging;
  CHECK(types_of(*staging.import_case("11-sum-decimal.csv")) == Cells{"VARCHAR", "BIGINT", "DOUBLE"});
}

TEST_CASE("case 12: decimal commas and thousands marks stay as written, with a warning") {
  Staging staging;
  const auto semicolons = staging.import_case("12a-semicolon-decimal-comma.csv");
  CHECK(semicolons->facts()["delimiter"] == ";");
  CHECK(rows_of(*semicolons)[0] == Cells{"'28.02.2025 06:45:00'", "'418,20'", "'3,07'"});
  CHECK(warning_of(*semicolons, "kept_as_text", "pegel").value == "418,20");
  CHECK(column_of(*staging.import_case("12b-quoted-decimal-comma.csv"), "price") ==
        Cells{"'418,20'", "'0,75'", "'18,5'"});
  CHECK(rows_of(*staging.import_case("12c-thousands.csv"))[0] == Cells{"1", "'1,234.50'", "'1.234,50'", "'1'234.50'"});
  CHECK(column_of(*staging.import_case("12d-eu-thousands.csv"), "betrag") ==
        Cells{"'2.418,75'", "'31.000,00'", "'640'"});
}

TEST_CASE("case 54: instants are held to the microsecond, and times with and without zone stay as written") {
  Staging staging;
  const auto offsets = staging.import_case("54-offsets.csv");
  CHECK(offsets->columns()[1].type == "TIMESTAMP WITH TIME ZONE");
  CHECK(column_of(*offsets, "at")[2] == "µs 1743465600069866");
  CHECK(warning_of(*offsets, "digits_cut", "at").row == 3);
  CHECK(warning_of(*offsets, "digits_cut", "at").value == "2025-04-01T00:00:00.069866160Z");
  const auto mixed = staging.import_case("54b-naive-and-aware.csv");
  CHECK(column_of(*mixed, "at")[0] == "'2025-04-01T00:00:00'");
  CHECK(warning_of(*mixed, "kept_as_text", "at").column == "at");
}

TEST_CASE("quoted empty text is text in a column of text and no value in any other, which is told") {
  Staging staging;
  const auto source = staging.import("n,s\n\"1\",\"a\"\n\"\",\"\"\n\"3\",\n");
  CHECK(types_of(*source) == Cells{"BIGINT", "VARCHAR"});
  CHECK(column_of(*source, "n") == Cells{"1", "NULL", "3"});
  CHECK(column_of(*source, "s") == Cells{"'a'", "''", "NULL"});
  CHECK(source->columns()[0].nulls == 1);
  CHECK(warning_of(*source, "empty_as_null", "n").row == 2);
}

TEST_CASE("blanks around an unquoted number mean nothing, around text they are kept") {
  Staging staging;
  const auto source = staging.import("a, b, c\n1, 2, x\n3, 4.5, y\n");
  CHECK(types_of(*source) == Cells{"BIGINT", "DOUBLE", "VARCHAR"});
  CHECK(rows_of(*source)[0] == Cells{"1", "2.0", "' x'"});
}
