#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "tools/schema.hpp"
#include "tools/tool.hpp"

using namespace stele;

namespace {

const Json& example_schema() {
  static const Json example = schema::closed_object({
      schema::required("table", schema::text()),
      schema::defaulted("limit", schema::integer("", 1, 500), 50),
      schema::defaulted("mode", schema::choice({"create", "append"}), "create"),
      schema::optional("rows", schema::list(schema::map(schema::anything()), "", 1, 2)),
      schema::optional("receipt", schema::boolean()),
      schema::optional("meanings", schema::map(schema::text())),
  });
  return example;
}

Error refusal_of(const char* arguments) {
  try {
    checked_arguments(example_schema(), Json::parse(arguments));
  } catch (const Error& refused) {
    return refused;
  }
  return Error("accepted", arguments, "");
}

}  // namespace

TEST_CASE("Arguments that fit pass, with defaults filled in") {
  const Json checked = checked_arguments(example_schema(), Json::parse(R"({"table": "t", "rows": [{"a": null}]})"));
  CHECK(checked == Json::parse(R"({"table": "t", "rows": [{"a": null}], "limit": 50, "mode": "create"})"));
}

TEST_CASE("A null argument is one left out, and a whole number written with a point is an integer") {
  const Json checked =
      checked_arguments(example_schema(), Json::parse(R"({"table": "t", "receipt": null, "limit": 20.0})"));
  CHECK_FALSE(checked.contains("receipt"));
  CHECK(checked["limit"].is_number_integer());
  CHECK(checked["limit"] == 20);
}

TEST_CASE("Arguments that do not fit are refused, naming the argument, what it was and what it may be") {
  struct Refused {
    const char* arguments;
    const char* message;
    const char* hint;
  };
  const std::vector<Refused> cases = {
      {R"({})", "The argument table was missing.", "table must be a string."},
      {R"({"table": null})", "The argument table was missing.", "table must be a string."},
      {R"({"table": 7})", "The argument table was 7 (a number).", "table must be a string."},
      {R"({"table": "t", "limit": 501})", "The argument limit was 501 (a number).",
       "limit must be an integer from 1 to 500."},
      {R"({"table": "t", "limit": 0})", "The argument limit was 0 (a number).",
       "limit must be an integer from 1 to 500."},
      {R"({"table": "t", "limit": 1.5})", "The argument limit was 1.5 (a number).",
       "limit must be an integer from 1 to 500."},
      {R"({"table": "t", "limit": 18446744073709551615})", "The argument limit was 18446744073709551615 (a number).",
       "limit must be an integer from 1 to 500."},
      {R"({"table": "t", "limit": "50"})", "The argument limit was \"50\" (a string).",
       "limit must be an integer from 1 to 500."},
      {R"({"table": "t", "mode": "merge"})", "The argument mode was \"merge\" (a string).",
       "mode must be one of create, append."},
      {R"({"table": "t", "rows": []})", "The argument rows was a list of 0 items.",
       "rows must be a list of 1 to 2 items."},
      {R"({"table": "t", "rows": [{}, 3]})", "The argument rows[1] was 3 (a number).", "rows[1] must be an object."},
      {R"({"table": "t", "receipt": "yes"})", "The argument receipt was \"yes\" (a string).",
       "receipt must be true or false."},
      {R"({"table": "t", "meanings": {"a": 1}})", "The argument meanings.a was 1 (a number).",
       "meanings.a must be a string."},
      {R"({"table": "t", "limits": 3})", "There is no argument \"limits\".",
       "Did you mean \"limit\"? The arguments are: table, limit, mode, rows, receipt, meanings."},
      {R"([1])", "The arguments are not an object.", "Send one JSON object whose members are the arguments."},
  };
  for (const auto& refused : cases) {
    const Error error = refusal_of(refused.arguments);
    CHECK(error.kind() == "invalid_arguments");
    CHECK(error.message() == refused.message);
    CHECK(error.hint() == refused.hint);
  }
}
