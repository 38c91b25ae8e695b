// The allow-list against the catalogue of the engine that is linked: what an upgrade must look at again.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "engine/function_list.hpp"

using namespace stele;

namespace {

std::vector<std::string> names(const std::string& sql) {
  duckdb::DuckDB database(nullptr);
  duckdb::Connection connection(database);
  auto result = connection.Query(sql);
  REQUIRE_FALSE(result->HasError());
  std::vector<std::string> found;
  for (auto& row : *result) found.push_back(row.GetValue<std::string>(0));
  return found;
}

}  // namespace

TEST_CASE("no function that answers differently from call to call is allowed") {
  const auto volatile_names = names(
      "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE stability <> 'CONSISTENT' AND function_name "
      "<> 'error'");
  REQUIRE(volatile_names.size() > 15);
  for (const auto& name : volatile_names) {
    INFO(name);
    CHECK_FALSE(is_allowed_function(name));
  }
}

TEST_CASE("no function of the engine's own, of its settings or of its catalogue is allowed") {
  const auto inner_names = names(
      "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_name SIMILAR TO "
      "'(__internal|icu_|pg_|has_|duckdb_|pragma_|read_|parquet_|current_|inet_|write_|get_block|col_|obj_|shobj_).*' "
      "AND function_name <> 'pg_typeof'");
  REQUIRE(inner_names.size() > 200);
  for (const auto& name : inner_names) {
    INFO(name);
    CHECK_FALSE(is_allowed_function(name));
    CHECK_FALSE(is_allowed_table_function(name));
  }
}

TEST_CASE("the table functions of the catalogue are allowed by name and by no other rule") {
  std::string allowed;
  for (const auto& name :
       names("SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('table', "
             "'table_macro') ORDER BY 1")) {
    if (is_allowed_table_function(name)) allowed += name + " ";
  }
  CHECK(allowed == "generate_series json_each json_tree range unnest ");
}

TEST_CASE("a refused function names what can be used") {
  CHECK(instead_of_function("summ").find("sum") != std::string::npos);
  CHECK(instead_of_function("random").find("hash") != std::string::npos);
  CHECK_FALSE(instead_of_function("getenv").empty());
  CHECK_FALSE(instead_of_table_function("read_csv").empty());
}
