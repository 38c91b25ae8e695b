// JSON and NDJSON files, and sheets as homes hand them over: digits, odd keys, envelopes and broken lines.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/recorded_rows.hpp"
#include "support/staging.hpp"

using namespace stele;
using namespace stele::testing;

namespace {

using Cells = std::vector<std::string>;

Error refusal(Staging& staging, const std::string& bytes, const std::string& name = "t.json") {
  try {
    staging.import(bytes, name);
  } catch (const Error& error) {
    return error;
  }
  return {"nothing", "was refused", ""};
}

}  // namespace

TEST_CASE("case 13c: a byte-order mark is no part of the first line") {
  Staging staging;
  const auto source = staging.import_case("13c-bom.ndjson");
  CHECK(source->rows() == 2);
  CHECK(names_of(*source)[0] == "id");
}

TEST_CASE("case 22h: an empty list says that no columns are known") {
  Staging staging;
  const auto error = refusal(staging, case_file("22h-empty-array.json"));
  CHECK(error.kind() == "no_rows");
  CHECK_THAT(error.message(), Catch::Contains("no columns are known"));
}

TEST_CASE("case 25: a key that appears after 21,000 rows is a column like others") {
  Staging staging;
  const auto source = staging.import_case("25-late-key.ndjson");
  CHECK(source->rows() == 21'050);
  CHECK(names_of(*source) == Cells{"a", "n", "b"});
  CHECK(source->columns()[2].nulls == 21'000);
  const auto rows = rows_of(*source);
  CHECK(rows[20'999][2] == "NULL");
  CHECK(rows[21'000][2] == "'late21000'");
  CHECK(rows[21'049] == Cells{"21049", "'{\"x\":21049,\"y\":21049}'", "'late21049'"});
}

TEST_CASE("case 27: in a file too, strings that would be written differently afterwards stay as they are") {
  Staging staging;
  const auto source = staging.import_case("27-stringy-ids.json");
  CHECK(types_of(*source) == Cells{"VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR", "BIGINT", "BIGINT"});
  CHECK(rows_of(*source)[0] == Cells{"'0030'", "'0a1b2c3d4e5f60718293a4b5c6d7e8f9'", "'25-11-2025'",
                                     "'4D1F0A6E-76E5-4F1C-8A2B-0C1D2E3F4A5B'", "5", "5"});
}

TEST_CASE("case 28: rows under a key are found, and what is left out is told") {
  Staging staging;
  const auto envelope = staging.import_case("28a-envelope.json");
  CHECK(rows_of(*envelope) == std::vector<Cells>{{"1", "'a'"}, {"2", "'b'"}, {"3", "'c'"}});
  CHECK_THAT(warning_of(*envelope, "left_out").message, Catch::Contains("\"data\"") && Catch::Contains("\"meta\""));
  const auto two = refusal(staging, case_file("28b-two-arrays.json"));
  CHECK(two.kind() == "ambiguous_rows");
  CHECK_THAT(two.message(), Catch::Contains("\"users\", \"orders\""));
  const auto map = staging.import_case("28c-map-of-rows.json");
  CHECK(map->rows() == 1);
  CHECK(warning_of(*map, "shape_found").count == 2);
  const auto lists = staging.import_case("28d-columns-and-values.json");
  CHECK(names_of(*lists) == Cells{"id", "v"});
  CHECK(rows_of(*lists) == std::vector<Cells>{{"1", "'a'"}, {"2", "'b'"}});
}

TEST_CASE("case 29: odd keys are columns like others") {
  Staging staging;
  const auto source = staging.import_case("29-odd-keys.json");
  CHECK(names_of(*source) == Cells{"a.b", "a", "__proto__", "constructor", "length", "toString", "column7"});
  CHECK(rows_of(*source)[1] == Cells{"4", "'{\"b\":[5,6]}'", "'too'", "'d'", "7", "'u'", "'e2'"});
}

TEST_CASE("case 30: what is not JSON is refused with its line") {
  Staging staging;
  const std::vector<std::tuple<const char*, const char*, const char*>> table = {
      {"30a-trailer.ndjson", "malformed_rows", "Line 2"},
      {"30b-duplicate-key.ndjson", "malformed_rows", "Line 1 has the key \"v\" twice"},
      {"30c-scalar-lines.ndjson", "malformed_rows", "Line 2 is no object; line 3 is no object; line 4"},
      {"30d-cut-off.ndjson", "malformed_rows", "Line 3"},
      {"30e-bare-nan.json", "malformed_rows", "\"NaN\""},
  };
  for (const auto& [name, kind, words] : table) {
    INFO(name);
    const auto error = refusal(staging, case_file(name), name);
    CHECK(error.kind() == kind);
    CHECK_THAT(error.message(), Catch::Contains(words));
  }
}

TEST_CASE("JSON text that breaks the grammar is refused") {
  Staging staging;
  for (const auto* text : {R"([{"a":01}])",    R"([{"a":1.}])",       R"([{"a":1e}])",
                           R"([{"a":.5}])",    R"([{"a":+1}])",       R"([{"a":tru}])",
                           R"([{"a":"\x"}])",  R"([{"a":"\ud800"}])", R"([{"a":"\udc00\ud800"}])",
                           R"([{"a":1,}])",    R"([{"a" 1}])",        R"([{"a":1} {"a":2}])",
                           R"([{"a":1},])",    R"([{"a":1}] x)",      R"([{"a":1})",
                           R"([{"a":1)",       R"([{a:1}])",          R"([{"a":{"b":}}])",
                           R"([{"a":[1 2]}])", "[{\"a\":\"\n\"}]",    R"({"data":[{"a":1}],)",
                           R"([{"a":'x'}])",   R"([{"a":1}}])",       R"([{"a":1,"b"}])",
                           R"([{"a":-}])"}) {
    INFO(text);
    const auto kind = refusal(staging, text).kind();
    CHECK((kind == "invalid_json" || kind == "malformed_rows"));
  }
  const std::string deep = "[{\"a\":" + std::string(300, '[') + std::string(300, ']') + "}]";
  CHECK_THAT(refusal(staging, deep).message(), Catch::Contains("nested deeper"));
}

TEST_CASE("digits, escapes and nested values come through as they are") {
  Staging staging;
  const auto source = staging.import(
      R"([{"i":9007199254740993,"d":1e5,"big":123456789012345678901234567890,"s":"\u00e9\ud83e\udd86\n\"",
      "n": {"x" : [1.0, 2 ], "y":"a b\" c"} , "t":true, "z":null}])",
      "t.json");
  CHECK(types_of(*source) == Cells{"BIGINT", "DOUBLE", "VARCHAR", "VARCHAR", "JSON", "BOOLEAN", "VARCHAR"});
  CHECK(rows_of(*source)[0] == Cells{"9007199254740993", "100000.0", "'123456789012345678901234567890'", "'é🦆\n\"'",
                                     "'{\"x\":[1.0,2],\"y\":\"a b\\\" c\"}'", "true", "NULL"});
  CHECK(warning_of(*source, "kept_as_text", "big").row == 1);
}

TEST_CASE("a key that a row leaves out is told from null, in any order of keys") {
  Staging staging;
  const auto source = staging.import("{\"a\":1,\"b\":null}\n\n{\"b\":2}\n{\"b\":3,\"a\":4}\n", "t.ndjson");
  CHECK(rows_of(*source) == std::vector<Cells>{{"1", "NULL"}, {"NULL", "2"}, {"4", "3"}});
  RecordedRows buffer(2);
  source->rewind(types_of(*source));
  REQUIRE(source->fill(buffer));
  CHECK_FALSE(source->left_out(0, 1));
  CHECK(source->left_out(1, 0));
}

TEST_CASE("a list longer than a block is read row by row") {
  Staging staging;
  std::string json = "[";
  for (int i = 0; i < 30'000; ++i)
    json += std::string(i ? ",\n" : "") + R"({"id":)" + std::to_string(i) + R"(,"text":"some \"text\" of a row"})";
  const auto source = staging.import(json + "]\n", "t.json");
  CHECK(source->rows() == 30'000);
  const auto enveloped = staging.import("{\"rows\":" + json + "], \"next\": null}", "t.json");
  CHECK(column_of(*enveloped, "id").back() == "29999");
}

TEST_CASE("the cells of a sheet are typed by the same rule") {
  Staging staging;
  const auto source = staging.import_cells(
      "[\"zip\",\"rate\",\"day\",\"mixed\",null,null]\n"
      "[\"00123\",0.1223,{\"date\":\"2024-01-01\"},1,null,null]\n"
      "[null,null,null,null,null,null]\n"
      "[\"02134\",1,{\"date\":\"1900-03-01\"},\"100%\",\"x\",null]\n");
  CHECK(names_of(*source) == Cells{"zip", "rate", "day", "mixed", "column5"});
  CHECK(types_of(*source) == Cells{"VARCHAR", "DOUBLE", "DATE", "VARCHAR", "VARCHAR"});
  CHECK(rows_of(*source)[0] == Cells{"'00123'", "0.1223", "day 19723", "'1'", "NULL"});
  CHECK(source->rows() == 2);
  CHECK(warning_of(*source, "blank_rows").count == 1);
  CHECK(warning_of(*source, "kept_as_text", "mixed").value == "100%");
}

TEST_CASE("case 35c: text beside dates keeps a sheet's column text") {
  Staging staging;
  const auto source =
      staging.import_cells("[\"d\"]\n[{\"date\":\"2024-01-01\"}]\n[\"13/01/2024\"]\n[45294]\n[\"n/a\"]\n");
  CHECK(column_of(*source, "d") == Cells{"'2024-01-01'", "'13/01/2024'", "'45294'", "'n/a'"});
  CHECK(warning_of(*source, "kept_as_text", "d").value == "13/01/2024");
}
