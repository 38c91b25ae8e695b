// CSV files as they really are, what parts and names their rows: each case is a failure that others reported, with the
// outcome a careful user expects.
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "support/recorded_rows.hpp"
#include "support/staging.hpp"

using namespace stele;
using namespace stele::testing;

namespace {

using Cells = std::vector<std::string>;

// The error that importing ends with.
Error refusal(Staging& staging, const std::string& bytes, const std::string& name = "t.csv") {
  try {
    staging.import(bytes, name);
  } catch (const Error& error) {
    return error;
  }
  return {"nothing", "was refused", ""};
}

}  // namespace

TEST_CASE("case 13: a byte-order mark is no part of the first name") {
  Staging staging;
  CHECK(names_of(*staging.import_case("13a-bom.csv"))[0] == "id");
  const auto quoted = staging.import_case("13b-bom-quoted.csv");
  CHECK(names_of(*quoted)[0] == "id");
  CHECK(rows_of(*quoted) == std::vector<Cells>{{"1", "'Ada'"}});
}

TEST_CASE("case 14: UTF-16 and Windows-1252 are read, and an assumed encoding is told") {
  Staging staging;
  for (const auto* name : {"14a-utf16le-bom.csv", "14b-utf16be-bom.csv"}) {
    INFO(name);
    const auto source = staging.import_case(name);
    CHECK(column_of(*source, "city") == Cells{"'Zürich'", "'Málaga'", "'Łódź'"});
    CHECK(column_of(*source, "price")[0] == "'5€'");
  }
  const auto latin = staging.import_case("14c-windows1252.csv");
  CHECK(column_of(*latin, "city") == Cells{"'Zürich'", "'Málaga'", "'Plain'"});
  CHECK_THAT(warning_of(*latin, "encoding_assumed").message, Catch::Contains("Line 2"));
  const auto late = staging.import_case("14d-late-latin1.csv");
  CHECK(late->rows() == 3'001);
  CHECK(column_of(*late, "city").back() == "'Besançon'");
}

TEST_CASE("UTF-16 without a mark is known by its zero bytes") {
  Staging staging;
  const std::string little("n\0a\0m\0e\0\n\0A\0d\0a\0\n\0", 18);
  std::string big = little;
  for (std::size_t i = 0; i + 1 < big.size(); i += 2) std::swap(big[i], big[i + 1]);
  for (const auto& bytes : {little, big}) {
    const auto source = staging.import(bytes);
    CHECK(column_of(*source, "name") == Cells{"'Ada'"});
    CHECK_THAT(warning_of(*source, "encoding_assumed").message, Catch::Contains("UTF-16"));
  }
}

TEST_CASE("lines that are not UTF-8 in a file that is so elsewhere are malformed") {
  Staging staging;
  const std::string mixed = "a\nZ\xC3\xBCrich\nBesan\xE7on\n";
  const auto error = refusal(staging, mixed);
  CHECK(error.kind() == "malformed_rows");
  CHECK_THAT(error.message(), Catch::Contains("Line 3"));
  CHECK(refusal(staging, "caf\xE9\nZ\xC3\xBCrich\n").kind() == "malformed_header");
  staging.options.malformed_rows_to_skip = 1;
  CHECK(column_of(*staging.import(mixed), "a") == Cells{"'Zürich'"});
}

TEST_CASE("case 15a: every column keeps a name of its own, and the file's own total_1 keeps its") {
  Staging staging;
  const auto source = staging.import_case("15a-collisions.csv");
  CHECK(names_of(*source) == Cells{"id", "ID_2", "column3", "total", "total_2", "total_1", "column7"});
  CHECK(rows_of(*source)[0] == Cells{"1", "'A'", "'x'", "10", "20", "30", "'p'"});
  CHECK(source->warnings().size() == 4);
}

TEST_CASE("case 15b: reserved words and quotes are names like others") {
  Staging staging;
  CHECK(names_of(*staging.import_case("15b-reserved.csv")) ==
        Cells{"select", "order", "group", "has \"quote\"", "semi;colon", "a.b", "rowid"});
}

TEST_CASE("case 16: rows of any length are kept, whole and told") {
  Staging staging;
  SECTION("a: missing cells are NULL") {
    const auto source = staging.import_case("16a-short-rows.csv");
    CHECK(names_of(*source) == Cells{"lane", "flag", "crew", "remark"});
    CHECK(rows_of(*source)[2] == Cells{"3", "NULL", "NULL", "NULL"});
    CHECK_THAT(warning_of(*source, "short_rows").message,
               Catch::Contains("2 rows have") && Catch::Contains("lines 2, 4"));
  }
  SECTION("b: cells beyond the header get a column") {
    const auto source = staging.import_case("16b-long-rows.csv");
    CHECK(names_of(*source) == Cells{"id", "tick", "way", "column4"});
    CHECK(rows_of(*source)[1] == Cells{"2", "101", "'out'", "0"});
    CHECK(warning_of(*source, "long_rows").count == 3);
  }
  SECTION("c: a comma at the header's end is no column") {
    const auto source = staging.import_case("16c-header-trailing-comma.csv");
    CHECK(names_of(*source) == Cells{"a", "b", "c"});
    CHECK(rows_of(*source) == std::vector<Cells>{{"1", "2", "3"}, {"4", "5", "6"}});
    CHECK(source->warnings().empty());
  }
  SECTION("d: a comma at the rows' ends is no column") {
    const auto source = staging.import_case("16d-row-trailing-comma.csv");
    CHECK(names_of(*source) == Cells{"id", "spot", "east", "north"});
    CHECK(source->rows() == 2);
    CHECK(source->warnings().empty());
  }
  SECTION("e: one long row is kept whole") {
    const auto source = staging.import_case("16e-one-long-row.csv");
    CHECK(names_of(*source) == Cells{"id", "name", "column3"});
    CHECK(rows_of(*source)[1] == Cells{"2", "'Smith'", "' John'"});
    CHECK_THAT(warning_of(*source, "long_rows").message, Catch::Contains("line 3"));
  }
}

TEST_CASE("case 17: what stands above the table is skipped and told, what stands in it is kept") {
  Staging staging;
  const auto comments = staging.import_case("17a-comments.csv");
  CHECK(names_of(*comments) == Cells{"time", "temp", "flow"});
  CHECK(types_of(*comments) == Cells{"BIGINT", "DOUBLE", "BIGINT"});
  CHECK(comments->facts()["lines_skipped"] == 2);
  const auto units = staging.import_case("17b-units-row.csv");
  CHECK(units->rows() == 3);
  CHECK(warning_of(*units, "kept_as_text", "time").value == "s");
  CHECK(warning_of(*units, "kept_as_text", "temp").value == "degC");
  CHECK(warning_of(*units, "kept_as_text", "flow").value == "L/min");
  const auto titles = staging.import_case("17c-title-lines.csv");
  CHECK(names_of(*titles) == Cells{"region", "units"});
  CHECK(titles->rows() == 2);
  CHECK_THAT(warning_of(*titles, "lines_skipped").message, Catch::Contains("Monthly report"));
  CHECK(column_of(*staging.import_case("17d-hash-data.csv"), "tag") == Cells{"'#one'", "'#two'", "'three'"});
  CHECK(column_of(*staging.import_case("17e-total-row.csv"), "units") == Cells{"10", "12", "22"});
}

TEST_CASE("case 19: any line end ends a row, and none is part of a value unless quoted") {
  Staging staging;
  CHECK(column_of(*staging.import_case("19a-mixed-crlf-lf.csv"), "v") == Cells{"10", "20", "30", "40"});
  CHECK(column_of(*staging.import_case("19b-lone-cr.csv"), "v") == Cells{"10", "20", "30"});
  CHECK(column_of(*staging.import_case("19c-lf-inside-crlf.csv"), "note") ==
        Cells{"'line one\nline two'", "'crlf\r\ninside'", "'plain'"});
  CHECK(column_of(*staging.import_case("19d-no-final-newline-blank-tail.csv"), "v") == Cells{"10", "20"});
}

TEST_CASE("case 20: gzip is known by its bytes, and a cut one is refused with nothing left") {
  Staging staging;
  for (const auto* name : {"20a-plain.csv.gz", "20b-gz-bytes-named.csv", "20c-plain-bytes-named.csv.gz"}) {
    INFO(name);
    CHECK(column_of(*staging.import_case(name), "v") == Cells{"10", "20", "30"});
  }
  const auto before = staging.blobs_left();
  const auto error = refusal(staging, case_file("20d-truncated.csv.gz"), "20d.csv.gz");
  CHECK(error.kind() == "incomplete_gzip");
  CHECK(staging.blobs_left() == before + 1);  // the staged file itself
}

TEST_CASE("case 20: gzip in several members is one file, and a wrong check sum is no file") {
  Staging staging;
  const auto member = case_file("20a-plain.csv.gz");
  CHECK(staging.import(member + member)->rows() == 7);  // the second header is a row like others
  auto damaged = member;
  damaged[damaged.size() - 6] ^= 1;
  CHECK(refusal(staging, damaged).kind() == "invalid_gzip");
}

TEST_CASE("case 20e: what unpacks beyond the limit is refused") {
  Staging staging;
  staging.limits.import_bytes = 1'000'000;
  CHECK(refusal(staging, case_file("20e-bomb-20MB.csv.gz")).kind() == "too_large");
  staging.limits.import_bytes = 30'000'000;
  CHECK(staging.import_case("20e-bomb-20MB.csv.gz")->rows() == 5'000'000);
}

TEST_CASE("case 22: small files are what they are") {
  Staging staging;
  const auto header = staging.import_case("22a-header-only.csv");
  CHECK(names_of(*header) == Cells{"a", "b"});
  CHECK(header->rows() == 0);
  CHECK(header->columns()[0].all_null);
  CHECK(names_of(*staging.import_case("22b-header-only-one-col.csv")) == Cells{"solo"});
  CHECK(refusal(staging, case_file("22c-zero-bytes.csv")).kind() == "empty_file");
  CHECK(refusal(staging, case_file("22d-only-newlines.csv")).kind() == "empty_file");
  CHECK(column_of(*staging.import_case("22e-one-column-text.csv"), "shade") == Cells{"'ochre'", "'teal'", "'umber'"});
  CHECK(names_of(*staging.import_case("22f-all-text.csv")) == Cells{"company", "contact"});
  CHECK(column_of(*staging.import_case("22g-one-column-blank-values.csv"), "v") == Cells{"1", "NULL", "3"});
}

TEST_CASE("blank lines above the first row of one column are no rows, with a header or without") {
  Staging staging;
  const auto numbers = staging.import("\n\n1\n2\n\n3\n", "x.csv");
  CHECK(numbers->rows() == 4);
  CHECK(numbers->columns()[0].nulls == 1);
  CHECK(column_of(*numbers, "column1") == Cells{"1", "2", "NULL", "3"});
  // The first row counts for the type as any other.
  CHECK(column_of(*staging.import("\n\n007\n1\n2\n", "x.csv"), "column1") == Cells{"'007'", "'1'", "'2'"});
  CHECK(column_of(*staging.import("\n\nshade\n1\n", "x.csv"), "shade") == Cells{"1"});
}

TEST_CASE("case 23: 10,000 columns are read, more are refused with the limit named") {
  Staging staging;
  const auto source = staging.import_case("23-wide-10000.csv");
  CHECK(source->columns().size() == 10'000);
  CHECK(source->columns()[9'999].name == "c9999");
  CHECK(source->rows() == 3);
  staging.limits.columns_max = 9'999;
  const auto error = refusal(staging, case_file("23-wide-10000.csv"));
  CHECK(error.kind() == "too_many_columns");
  CHECK_THAT(error.message(), Catch::Contains("9999"));
}

TEST_CASE("case 55: names are what one sees, and what cannot be seen is told") {
  Staging staging;
  const auto source = staging.import_case("55-unicode-headers.csv");
  CHECK(names_of(*source) == Cells{"🦆 count", "sensitivity", "café", "cafe\u0301", "naïve name", "zerowidth"});
  CHECK(rows_of(*source)[0] == Cells{"1", "0.5", "3", "4", "5", "6"});
  CHECK_THAT(warning_of(*source, "look_alike_name").message, Catch::Contains("cafe\\u{301}"));
  CHECK_THAT(warning_of(*source, "column_renamed", "zerowidth").message, Catch::Contains("zero\\u{200B}width"));
  CHECK(warning_of(*source, "column_renamed", "sensitivity").value == " sensitivity ");
}

TEST_CASE("a file without a header keeps its first row and numbers its columns") {
  Staging staging;
  const auto source = staging.import("1,Ada,2020-01-01\n2,Bo,2021-01-01\n");
  CHECK(names_of(*source) == Cells{"column1", "column2", "column3"});
  CHECK(source->rows() == 2);
  CHECK(rows_of(*source)[0] == Cells{"1", "'Ada'", "day 18262"});
  CHECK(warning_of(*source, "no_header").kind == "no_header");
  const auto late = staging.import("1,2\n3,x\n");
  CHECK(warning_of(*late, "kept_as_text", "column2").row == 2);
}

TEST_CASE("years and marks of missing values do not mislead the search for the header") {
  Staging staging;
  CHECK(names_of(*staging.import("region,2019,2020\nNorth,5,6\n")) == Cells{"region", "2019", "2020"});
  CHECK(staging.import("n/a,5\n3,6\n")->rows() == 2);
}

TEST_CASE("delimiters are found by what parts most rows alike") {
  Staging staging;
  for (const auto& [text, delimiter] : {std::pair("a;b\n1,5;2,5\n3,5;4,5\n", ";"), std::pair("a\tb\n1,2\t3\n", "\t"),
                                        std::pair("a|b|c\n1|2|3\n", "|"), std::pair("sep=;\na;b,c\n1;2,3\n", ";")}) {
    INFO(text);
    CHECK(staging.import(text)->facts()["delimiter"] == delimiter);
  }
  CHECK(column_of(*staging.import("shade\nred, dark\nblue\n"), "shade") == Cells{"'red, dark'", "'blue'"});
}

TEST_CASE("stray quotes stay part of the text, an open one is refused with its line") {
  Staging staging;
  const auto source = staging.import("id,note\n1,\"Big\" Tom\n2,5\" pipe\n3,\"ok\"\n");
  CHECK(column_of(*source, "note") == Cells{"'\"Big\" Tom'", "'5\" pipe'", "'ok'"});
  CHECK_THAT(warning_of(*source, "stray_quotes").message, Catch::Contains("line 2"));
  const auto error = refusal(staging, "id,note\n1,a\n2,\"open\n3,b\n");
  CHECK(error.kind() == "malformed_rows");
  CHECK_THAT(error.message(), Catch::Contains("Line 3 opens a quote"));
  staging.options.malformed_rows_to_skip = 1;
  CHECK(column_of(*staging.import("id,note\n1,a\n2,\"open\n3,b\n"), "id") == Cells{"1", "3"});
}

TEST_CASE("formats are known by their bytes, else by name and content type") {
  Staging staging;
  CHECK(staging.format_of("PAR1....", "x.csv") == Format::parquet);
  CHECK(staging.format_of("PK\x03\x04....", "x") == Format::xlsx);
  CHECK(staging.format_of("a\tb\n", "https://x.test/y.tsv?download=1") == Format::tsv);
  CHECK(staging.format_of("a,b\n", "https://x.test/export", "text/csv; charset=utf-8") == Format::csv);
  CHECK(staging.format_of("[{\"a\":1}]", "x") == Format::json);
  CHECK(staging.format_of("{\"a\":1}\n{\"a\":2}\n", "x.json") == Format::ndjson);
  CHECK(staging.format_of("[id],[name]\n1,2\n", "x.csv") == Format::csv);
  for (const auto& [bytes, name] :
       {std::pair("<!DOCTYPE html><html>", "x.csv"), std::pair("\n<?xml version=\"1.0\"?><Error/>", "x.csv"),
        std::pair("{\"message\": \"Not Found\"}", "x.json"), std::pair("%PDF-1.7", "x"),
        std::pair("a,b\n", "x.parquet")}) {
    INFO(bytes);
    CHECK_THROWS_AS(staging.format_of(bytes, name), Error);
  }
}

TEST_CASE("a record longer than a block is read whole") {
  Staging staging;
  const std::string big(3'000'000, 'x');
  const auto source = staging.import("id,text\n1,\"" + big + "\"\"\"\n2,b\n");
  CHECK(column_of(*source, "text") == Cells{"'" + big + "\"'", "'b'"});
}

TEST_CASE("any table written by RFC 4180 is read back equal") {
  Staging staging;
  std::mt19937 random(4180);
  const Cells pieces = {"a", "\"", ",", "\n", "\r\n", "\r", ";", "\t", " ",    "é",
                        "1", "-",  "0", ".",  "#",    "'",  "€", "|",  "true", "\\"};
  for (int round = 0; round < 200; ++round) {
    const std::size_t columns = 2 + random() % 4, rows = 1 + random() % 20;
    std::string csv = "name0";
    for (std::size_t c = 1; c < columns; ++c) csv += ",name" + std::to_string(c);
    csv += "\r\n";
    std::vector<Cells> written;
    for (std::size_t r = 0; r < rows; ++r) {
      Cells row;
      for (std::size_t c = 0; c < columns; ++c) {
        std::string cell = "x";  // keeps the columns text, so that the cells come back as written
        for (auto left = random() % 6; left > 0; --left) cell += pieces[random() % pieces.size()];
        std::string quoted = "\"";
        for (const char character : cell) quoted += character == '"' ? std::string("\"\"") : std::string(1, character);
        csv += (c ? "," : "") + quoted + "\"";
        row.push_back("'" + cell + "'");
      }
      csv += "\r\n";
      written.push_back(row);
    }
    INFO(csv);
    const auto source = staging.import(csv);
    CHECK(source->columns().size() == columns);
    CHECK(rows_of(*source) == written);
  }
}
