#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "tools/instructions.hpp"
#include "tools/tool.hpp"

using namespace stele;

namespace {

// Every schema within a schema.
void each_schema(const Json& schema, const std::function<void(const Json&)>& visit) {
  visit(schema);
  if (schema.contains("properties"))
    for (const auto& [name, member] : schema["properties"].items()) each_schema(member, visit);
  if (schema.contains("items")) each_schema(schema["items"], visit);
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
    each_schema(schema["additionalProperties"], visit);
}

Json definition_of(const std::string& name) {
  for (const auto& tool : all_tools())
    if (tool.definition["name"] == name) return tool.definition;
  FAIL("no tool " << name);
  return {};
}

std::set<std::string> names_of(const Json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object.items()) names.insert(name);
  return names;
}

}  // namespace

// All of it is an agent's context. inspect_file, which looks without writing, has a bound of its own.
TEST_CASE("The definitions of the ten tools for tables and the instructions fit into 14 KB, inspect_file into 1.2 KB") {
  Json tables = Json::array();
  Json inspecting;
  for (const auto& tool : all_tools()) {
    if (tool.definition["name"] == "inspect_file")
      inspecting = tool.definition;
    else
      tables.push_back(tool.definition);
  }
  REQUIRE(tables.size() == 10);
  const std::size_t bytes = tables.dump().size() + std::string(agent_instructions()).size();
  CAPTURE(bytes);
  CHECK(bytes <= 14 * 1024);
  CHECK(inspecting.dump().size() <= 1200);
}

TEST_CASE("Every schema is one that every client takes") {
  for (const auto& tool : all_tools()) {
    CAPTURE(tool.definition["name"]);
    CHECK(std::regex_match(tool.definition["name"].get<std::string>(), std::regex("[a-zA-Z0-9_-]{1,64}")));
    for (const char* which : {"inputSchema", "outputSchema"}) {
      const Json& schema = tool.definition[which];
      CHECK(schema["type"] == "object");
      CHECK(schema["properties"].is_object());
      each_schema(schema, [](const Json& part) {
        CAPTURE(part.dump());
        for (const char* word : {"oneOf", "anyOf", "allOf", "not", "if", "$ref"}) CHECK_FALSE(part.contains(word));
        if (part.contains("type")) CHECK(part["type"].is_string());
        if (part.value("type", "") == "array") CHECK(part.contains("items"));
      });
    }
  }
}

TEST_CASE("Every tool has a title, a description with an example that its schema accepts, and annotations") {
  for (const auto& tool : all_tools()) {
    CAPTURE(tool.definition["name"]);
    CHECK_FALSE(tool.definition["title"].get<std::string>().empty());
    const auto description = tool.definition["description"].get<std::string>();
    const std::string mark = "Example: ";
    const auto example = description.find(mark);
    REQUIRE(example != std::string::npos);
    CHECK_NOTHROW(
        checked_arguments(tool.definition["inputSchema"], Json::parse(description.substr(example + mark.size()))));
    for (const auto& [hint, value] : tool.definition["annotations"].items()) CHECK(value.is_boolean());
  }
}

TEST_CASE("The tools take the parameters they are specified with, and no others") {
  const std::map<std::string, std::set<std::string>> parameters = {
      {"list_tables", {"path", "search", "limit"}},
      {"describe_table", {"table", "version", "detail"}},
      {"query", {"sql", "limit", "save_as", "receipt", "message", "run", "idempotency_key", "expected_version"}},
      {"write_table",
       {"table", "rows", "mode", "key_columns", "message", "run", "idempotency_key", "expected_version"}},
      {"import_table",
       {"table", "source_url", "mode", "key_columns", "delimiter", "header", "encoding", "skip_rows", "sheet",
        "records_path", "null_values", "decimal_comma", "malformed_rows_to_skip", "message", "run", "idempotency_key",
        "expected_version"}},
      {"inspect_file",
       {"source_url", "delimiter", "header", "encoding", "skip_rows", "sheet", "records_path", "null_values",
        "decimal_comma"}},
      {"table_history", {"table", "limit"}},
      {"restore_version", {"table", "version", "message", "idempotency_key", "expected_version"}},
      {"update_table_info", {"table", "description", "column_descriptions", "rename_to"}},
      {"share_table", {"table"}},
      {"delete_table", {"table"}},
  };
  CHECK(all_tools().size() == parameters.size());
  for (const auto& [name, expected] : parameters)
    CHECK(names_of(definition_of(name)["inputSchema"]["properties"]) == expected);
}

TEST_CASE("Defaults and bounds are those specified") {
  struct Bound {
    const char* tool;
    const char* parameter;
    const char* word;
    Json value;
  };
  const std::vector<Bound> bounds = {
      {"list_tables", "limit", "default", 100},
      {"list_tables", "limit", "minimum", 1},
      {"list_tables", "limit", "maximum", 500},
      {"describe_table", "detail", "default", "concise"},
      {"query", "limit", "default", 50},
      {"query", "limit", "minimum", 1},
      {"query", "limit", "maximum", 500},
      {"query", "receipt", "default", false},
      {"write_table", "mode", "default", "create"},
      {"write_table", "rows", "minItems", 1},
      {"write_table", "rows", "maxItems", 5000},
      {"import_table", "mode", "default", "create"},
      {"table_history", "limit", "default", 20},
      {"table_history", "limit", "minimum", 1},
      {"table_history", "limit", "maximum", 100},
      {"restore_version", "version", "minimum", 1},
  };
  for (const auto& bound : bounds) {
    CAPTURE(bound.tool, bound.parameter, bound.word);
    CHECK(definition_of(bound.tool)["inputSchema"]["properties"][bound.parameter][bound.word] == bound.value);
  }
}

TEST_CASE("Annotations say what reads, what destroys and what reaches outside") {
  const std::set<std::string> read_only = {"list_tables", "describe_table", "inspect_file", "table_history"};
  const std::set<std::string> open_world = {"query", "inspect_file", "import_table", "share_table"};
  for (const auto& tool : all_tools()) {
    const auto name = tool.definition["name"].get<std::string>();
    CAPTURE(name);
    CHECK(tool.definition["annotations"]["readOnlyHint"] == (read_only.count(name) == 1));
    CHECK(tool.definition["annotations"]["openWorldHint"] == (open_world.count(name) == 1));
    CHECK(tool.definition["annotations"].value("destructiveHint", false) == (name == "delete_table"));
  }
}

TEST_CASE("The tools that make versions tell how to retry safely") {
  for (const char* name : {"query", "write_table", "import_table", "restore_version"})
    CHECK(definition_of(name)["description"].get<std::string>().find("same idempotency_key") != std::string::npos);
}
