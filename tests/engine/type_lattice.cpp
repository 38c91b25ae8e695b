// The type lattice: what a column becomes in a table, and which types hold all values of which.
#include <catch2/catch.hpp>

#include "engine/engine_fixture.hpp"

using namespace stele;

TEST_CASE_METHOD(EngineFixture, "a table keeps a type, or the one that holds its values") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"BIGINT", "BIGINT"},
      {"HUGEINT", "HUGEINT"},
      {"NULL", "VARCHAR"},
      {"ENUM('a', 'b')", "VARCHAR"},
      {"UNION(a INTEGER, b VARCHAR)", "JSON"},
      {"UNION(a INTEGER, b VARCHAR)[]", "JSON[]"},
      {"STRUCT(a ENUM('x'), b JSON)", "STRUCT(a VARCHAR, b JSON)"},
      {"MAP(VARCHAR, UNION(n INTEGER))", "MAP(VARCHAR, JSON)"},
      {"INTEGER[3]", "INTEGER[3]"},
      {"DECIMAL(10,2)", "DECIMAL(10,2)"},
      {"TIMESTAMP WITH TIME ZONE", "TIMESTAMP WITH TIME ZONE"},
  };
  for (const auto& [type, kept] : cases) {
    CAPTURE(type);
    CHECK(engine->kept_type(type) == kept);
  }
  CHECK(error_of([&] { engine->kept_type("NO_SUCH_TYPE"); }) == "unknown_type: \"NO_SUCH_TYPE\" is not a type.");
}

TEST_CASE_METHOD(EngineFixture, "a type widens to those that hold each of its values") {
  struct Case {
    std::string from, to;
    bool widens;
  };
  const std::vector<Case> cases = {
      {"INTEGER", "INTEGER", true},
      {"INTEGER", "BIGINT", true},
      {"BIGINT", "INTEGER", false},
      {"BIGINT", "HUGEINT", true},
      {"UBIGINT", "BIGINT", false},
      {"UINTEGER", "BIGINT", true},
      {"INTEGER", "UBIGINT", false},
      {"INTEGER", "DOUBLE", true},
      {"BIGINT", "DOUBLE", false},  // 2^53+1
      {"SMALLINT", "FLOAT", true},
      {"INTEGER", "FLOAT", false},
      {"FLOAT", "DOUBLE", true},
      {"DOUBLE", "FLOAT", false},
      {"TINYINT", "DECIMAL(4,1)", true},
      {"TINYINT", "DECIMAL(3,1)", false},
      {"BIGINT", "DECIMAL(38,3)", true},
      {"DECIMAL(10,2)", "DECIMAL(12,3)", true},
      {"DECIMAL(10,2)", "DECIMAL(10,3)", false},
      {"DECIMAL(18,0)", "BIGINT", true},
      {"DECIMAL(19,0)", "BIGINT", false},
      {"DECIMAL(10,2)", "DOUBLE", false},
      {"DECIMAL(15,0)", "DOUBLE", true},
      {"BOOLEAN", "INTEGER", false},
      {"BOOLEAN", "VARCHAR", true},
      {"DATE", "TIMESTAMP", true},
      {"TIMESTAMP", "DATE", false},
      {"TIMESTAMP", "TIMESTAMP WITH TIME ZONE", false},
      {"TIMESTAMP_S", "TIMESTAMP", true},
      {"TIMESTAMP", "TIMESTAMP_NS", false},
      {"JSON", "VARCHAR", true},
      {"VARCHAR", "JSON", false},
      {"INTEGER", "JSON", false},
      {"INTEGER[]", "BIGINT[]", true},
      {"INTEGER[3]", "BIGINT[]", true},
      {"BIGINT[]", "INTEGER[]", false},
      {"STRUCT(a INTEGER)", "STRUCT(a BIGINT)", true},
      {"STRUCT(a INTEGER)", "STRUCT(b BIGINT)", false},
      {"STRUCT(a INTEGER)", "VARCHAR", true},
      {"MAP(VARCHAR, INTEGER)", "MAP(VARCHAR, DOUBLE)", true},
  };
  for (const Case& test : cases) {
    CAPTURE(test.from, test.to);
    CHECK(engine->widens(test.from, test.to) == test.widens);
  }
}
