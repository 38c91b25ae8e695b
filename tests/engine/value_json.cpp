#include "engine/value_json.hpp"

#include <catch2/catch.hpp>

using namespace stele;

TEST_CASE("JSON text comes as JSON where nothing is lost, else as text") {
  const struct {
    const char* text;
    const char* json;
  } cases[] = {
      {R"({"a": [1, -2, 1.5, true, null, "x"]})", R"({"a":[1,-2,1.5,true,null,"x"]})"},
      {"9007199254740991", "9007199254740991"},
      {"9007199254740993", R"("9007199254740993")"},
      {"-9223372036854775809", R"("-9223372036854775809")"},
      {"340282366920938463463374607431768211456", R"("340282366920938463463374607431768211456")"},
      {"[0.1234567890123456789]", R"(["0.1234567890123456789"])"},
      {R"({"k": 1, "k": 2})", R"("{\"k\": 1, \"k\": 2}")"},
      {R"([{"k": {"k": 1}}, {"k": 2}])", R"([{"k":{"k":1}},{"k":2}])"},
      {"{not json", R"("{not json")"},
      {"1e999", R"("1e999")"},
      {"", R"("")"},
      {"[1] trailing", R"("[1] trailing")"},
  };
  for (const auto& [text, json] : cases) {
    CAPTURE(text);
    CHECK(json_of_text(text).dump() == json);
  }
}

TEST_CASE("JSON deeper than readers bear comes as text") {
  const std::string deep = std::string(20000, '[') + std::string(20000, ']');
  CHECK(json_of_text(deep).get<std::string>() == deep);
}

TEST_CASE("bytes that are no UTF-8 never break an answer") {
  CHECK(Json(valid_utf8("a\xff\xfe")).dump() == R"("a??")");
  CHECK(json_of_text("\"\xff\"").dump() == R"("\"?\"")");
}

TEST_CASE("a union shows its one member by name") {
  const duckdb::child_list_t<duckdb::LogicalType> members{{"n", duckdb::LogicalType::INTEGER},
                                                          {"t", duckdb::LogicalType::VARCHAR}};
  CHECK(value_json(duckdb::Value::UNION(members, 1, duckdb::Value("x"))).dump() == R"({"t":"x"})");
}
