// What the guard does not let pass: statements that are not one SELECT, that read outside the tables, or that cannot
// end.
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "engine/guarded_database.hpp"
#include "engine/select_guard.hpp"

using namespace stele;

namespace {

std::string read_case(const std::string& name) {
  std::ifstream file(std::filesystem::path(STELE_TEST_CASES) / name);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Lines after the leading comment, in blocks that `ends_block` parts.
std::vector<std::string> blocks(const std::string& name, const std::function<bool(const std::string&)>& ends_block,
                                bool keeps_last) {
  std::istringstream text(read_case(name));
  std::string line, block;
  std::getline(text, line);  // the comment
  std::vector<std::string> found;
  while (std::getline(text, line)) {
    const bool end = ends_block(line);
    if (!end || keeps_last) block += block.empty() ? line : "\n" + line;
    if (end) found.push_back(std::exchange(block, {}));
  }
  if (!block.empty()) found.push_back(block);
  return found;
}

std::vector<std::string> lines_of(const std::string& name) {
  return blocks(
      name, [](const std::string&) { return true; }, true);
}

GuardedStatement guarded(const std::string& sql) { return guard_select(sql, Limits{}, test::now_ms); }

// The refusal as kind, message and hint; "passed" if there is none.
Error refusal(const std::string& sql) {
  try {
    guarded(sql);
  } catch (const Error& error) {
    return error;
  }
  return Error("passed", "", "");
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("a SELECT that reaches outside the tables is refused, or asks for a table of that name") {
  const auto calls = lines_of("39-select-that-escapes.sql");
  REQUIRE(calls.size() == 38);
  for (const auto& sql : calls) {
    INFO(sql);
    const bool quoted_path = sql.find("FROM '") != std::string::npos || sql.find("FROM \"/") != std::string::npos;
    if (quoted_path) {
      REQUIRE(guarded(sql).tables.size() == 1);  // a table by the path of a file: the catalog does not know it
    } else {
      const Error error = refusal(sql);
      CHECK(error.kind() == "sql_refused");
      CHECK(std::count(error.message().begin(), error.message().end(), '\n') == 0);
      CHECK(error.message().find("/tmp") == std::string::npos);
      CHECK_FALSE(error.hint().empty());
    }
  }
}

TEST_CASE("a refusal is the same for a file that exists and for one that does not") {
  const Error existing = refusal("SELECT * FROM read_text('/proc/self/environ')");
  const Error missing = refusal("SELECT * FROM read_text('/nowhere/at/all')");
  CHECK(existing.message() == missing.message());
  CHECK(existing.hint() == missing.hint());
}

TEST_CASE("whatever is not one single SELECT is refused") {
  const auto calls = blocks(
      "40-not-a-single-select.sql", [](const std::string& line) { return line == "----"; }, false);
  REQUIRE(calls.size() == 30);
  for (const auto& sql : calls) {
    INFO(sql);
    const std::string kind = refusal(sql).kind();
    CHECK((kind == "sql_refused" || kind == "sql_error"));
  }
}

TEST_CASE("statements are counted by the engine's own parser") {
  CHECK(refusal("SELECT 'a\\'; DROP TABLE t; --'").message().find("2 statements") != std::string::npos);
  CHECK(refusal("SELECT $$ x $$; DROP TABLE t").message().find("2 statements") != std::string::npos);
  CHECK(refusal("SELECT 1; SELECT 2").message().find("2 statements") != std::string::npos);
  CHECK(refusal("SELECT ';' AS a;").kind() == "passed");
  CHECK(refusal("").kind() == "sql_refused");
  CHECK(refusal("-- nothing").kind() == "sql_refused");
}

TEST_CASE("a function of settings, files, state or chance is refused wherever it stands") {
  const std::string call = GENERATE(
      "getenv('HOME')", "current_setting('threads')", "nextval('s')", "version()", "current_database()",
      "current_user()", "pg_postmaster_start_time()", "random()", "uuid()", "gen_random_uuid()", "setseed(0.5)",
      "txid_current()", "write_log('x')", "getvariable('x')", "json_serialize_sql('SELECT 1')", "stats(1)",
      "current_query()", "in_search_path('a', 'b')", "main.getenv('HOME')", "pg_catalog.current_database()",
      "\"GetEnv\"('HOME')", "('HOME').getenv()", "finalize('x')", "reservoir_quantile(1, 0.5)");
  const std::string place = GENERATE(
      "SELECT {}", "SELECT 1 WHERE {} IS NULL", "SELECT 1 ORDER BY {}", "SELECT 1 GROUP BY {}", "SELECT 1 LIMIT {}",
      "SELECT 1 OFFSET {}", "SELECT max(1) HAVING {} IS NULL", "SELECT row_number() OVER (ORDER BY {}) AS r",
      "SELECT sum(1) OVER (PARTITION BY {})", "SELECT sum(1) FILTER (WHERE {} IS NULL)", "SELECT 1 QUALIFY {} IS NULL",
      "SELECT list_transform([1], lambda x: {})", "SELECT [{} FOR x IN [1]]", "SELECT CASE WHEN true THEN {} END",
      "SELECT (SELECT {})", "SELECT 1 WHERE EXISTS (SELECT {})", "SELECT 1 IN (SELECT {})",
      "WITH a AS (SELECT {}) SELECT 1", "WITH a AS MATERIALIZED (SELECT {}) FROM a",
      "WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT {}) FROM r", "VALUES ({})", "FROM (VALUES ({}))",
      "SELECT 1 UNION SELECT {}", "SELECT * FROM t JOIN t AS u ON {} IS NULL", "SELECT * FROM range({})",
      "SELECT * FROM t, LATERAL (SELECT {})", "SELECT * REPLACE ({} AS id) FROM t",
      "SELECT COLUMNS(lambda c: {} IS NULL) FROM t", "SELECT {'a': {}}", "SELECT [{}]", "SELECT {}::VARCHAR",
      "SELECT DISTINCT ON ({}) 1", "PIVOT t ON note USING max({})", "SELECT string_agg(note ORDER BY {}) FROM t",
      "DESCRIBE SELECT {}", "FROM t ASOF JOIN t AS u ON {} >= u.id",
      "SELECT first_value(id) OVER (ROWS BETWEEN {} PRECEDING AND CURRENT ROW) FROM t");
  std::string sql = place;
  sql.replace(place.find("{}"), 2, call);
  INFO(sql);
  CHECK(refusal(sql).kind() == "sql_refused");
}

TEST_CASE("a table function that is not listed is refused") {
  const std::string call =
      GENERATE("read_csv('x')", "read_parquet('x')", "parquet_scan('x')", "read_json('x')", "glob('*')",
               "sniff_csv('x')", "query('SELECT 1')", "query_table('t')", "duckdb_tables()", "pragma_table_info('t')",
               "summary((SELECT 1))", "histogram(t, id)", "json_execute_serialized_sql('x')", "checkpoint()",
               "sql_auto_complete('S')", "stele_scan(0)", "main.range(3)", "repeat_row(1, num_rows = 3)",
               "test_all_types()", "parquet_kv_metadata('x')", "enable_logging()");
  const std::string place =
      GENERATE("SELECT * FROM {}", "FROM {}", "FROM t, {}", "FROM t CROSS JOIN LATERAL {}", "SELECT (FROM {})",
               "WITH a AS (FROM {}) FROM a", "PIVOT (FROM {}) ON x", "DESCRIBE FROM {}", "UNPIVOT (FROM {}) ON x");
  std::string sql = place;
  sql.replace(place.find("{}"), 2, call);
  INFO(sql);
  CHECK(refusal(sql).kind() == "sql_refused");
}

TEST_CASE("names, parameters, types and clauses that mean nothing here are refused with what would work") {
  struct Refused {
    const char* sql;
    const char* hint;
  };
  const Refused refused = GENERATE(
      Refused{"SELECT * FROM main.t", "double quotes"}, Refused{"SELECT * FROM memory.main.t", "double quotes"},
      Refused{"SELECT * FROM \"a\".\"b\"", "\"research/competitors\""},
      Refused{"SELECT * FROM t AT (VERSION => 3)", "competitors@3"}, Refused{"SELECT ?", "values"},
      Refused{"SELECT $1", "values"}, Refused{"SELECT $name", "values"}, Refused{"SELECT 1::regclass", "BIGINT"},
      Refused{"SELECT 1::mood[]", "BIGINT"}, Refused{"SELECT {'a': 1}::STRUCT(a mood)", "BIGINT"},
      Refused{"SELECT 'a' COLLATE \"../x\"", "NOCASE"}, Refused{"SUMMARIZE t", "describe_table"},
      Refused{"SHOW TABLES", "list_tables"}, Refused{"SELECT summ(1)", "sum"}, Refused{"SELECT random()", "hash"},
      Refused{"SELECT current_user", "double quotes"}, Refused{"PIVOT t ON note IN mood", "IN ('a', 'b')"},
      Refused{"DELETE FROM t", "write_table"}, Refused{"DROP TABLE t", "delete_table"},
      Refused{"CREATE TABLE x AS SELECT 1", "save_as"}, Refused{"EXPLAIN SELECT 1", "Only SELECT"});
  INFO(refused.sql);
  const Error error = refusal(refused.sql);
  INFO(error.message() << " / " << error.hint());
  CHECK(error.kind() == "sql_refused");
  CHECK(error.hint().find(refused.hint) != std::string::npos);
}

TEST_CASE("a syntax error is DuckDB's own, with its place") {
  const Error error = refusal("SELECT 1 FORM t WHERE");
  CHECK(error.kind() == "sql_error");
  CHECK(error.message().find("syntax error") != std::string::npos);
  CHECK(error.message().find("LINE 1") != std::string::npos);
}

TEST_CASE("text that is not text, and more text than the limit, is refused before it is parsed") {
  CHECK(refusal(std::string("SELECT 1\0; DROP TABLE t", 23)).kind() == "sql_error");
  CHECK(refusal("SELECT '\xff\xfe'").kind() == "sql_error");
  CHECK(refusal("SELECT '" + std::string(100 << 10, 'x') + "'").kind() == "sql_refused");
}

TEST_CASE("deep nesting ends at once") {
  const std::string sql =
      GENERATE_COPY(read_case("42b-deep-nesting.sql"), "SELECT " + repeated("[", 20000),
                    "SELECT " + repeated("{a:", 20000), "SELECT " + repeated("NOT ", 20000) + "true",
                    "SELECT " + repeated("- ", 20000) + "1", "SELECT 1" + repeated("+1", 989),
                    "SELECT 1" + repeated(" UNION ALL SELECT 1", 4000), "SELECT 1 FROM a" + repeated(", a", 30000),
                    "SELECT " + repeated("CASE WHEN a THEN ", 3000) + "1" + repeated(" END", 3000),
                    "SELECT 1" + repeated("::INT", 15000), "SELECT 1" + repeated(" || 'a'", 10000),
                    repeated("SELECT * FROM (", 150) + "SELECT 1" + repeated(")", 150));
  const double took = seconds([&] { CHECK(refusal(sql).kind() == "sql_refused"); });
  CHECK(took < 1);
}

TEST_CASE("brackets within quotes and comments are not nesting") {
  const std::string open = repeated("(", 500);
  CHECK(refusal("SELECT '" + open + "' AS a, $$" + open + "$$ /* " + open + " */ AS \"" + open + "\" -- " + open)
            .kind() == "passed");
  CHECK(refusal("SELECT 1 IN (" + repeated("(1),", 5000) + "2)").kind() == "passed");
}

TEST_CASE("WITH in WITH, which the parser copies without end, is refused before it is parsed") {
  const double took = seconds([] {
    CHECK(refusal(repeated("WITH a AS (", 11) + "SELECT 1" + repeated(") SELECT 1", 11)).kind() == "sql_refused");
    std::string many = "WITH a AS (SELECT 1)";
    for (int i = 0; i < 3000; ++i) many += ", a" + std::to_string(i) + " AS (SELECT 1)";
    CHECK(refusal(many + " SELECT 1").kind() == "sql_refused");
    CHECK(refusal(repeated("FROM (PIVOT (", 20) + "t" + repeated(") ON x, y, z)", 20)).kind() != "passed");
  });
  CHECK(took < 1);
}

TEST_CASE("aliases and CTEs that double at each step are refused") {
  std::string aliases = "SELECT 1 AS a0", tables = "WITH c0 AS (SELECT * FROM t)";
  for (int i = 1; i <= 20; ++i) {
    const std::string before = std::to_string(i - 1), now = std::to_string(i);
    aliases += ", a" + before + " + a" + before + " AS a" + now;
    tables += ", c" + now + " AS (SELECT 1 FROM c" + before + ", c" + before + " AS other)";
  }
  CHECK(refusal(aliases).message().find("aliases") != std::string::npos);
  CHECK(refusal(tables + " SELECT count(*) FROM c20").message().find("times") != std::string::npos);
}

TEST_CASE("constants that make one value huge are refused") {
  const std::string sql = GENERATE(
      "SELECT repeat('x', 2000000000)", "SELECT repeat('x', 2000 * 1000000)",
      "SELECT repeat('xxxxxxxxxxxxxxxxxxxx', 100000)", "SELECT repeat('x', 2e9::BIGINT)", "SELECT repeat('x', 2 ** 31)",
      "SELECT lpad('x', 2000000000, 'y')", "SELECT rpad('x', 2000000000, 'y')", "SELECT range(4000000000)",
      "SELECT generate_series(1, 4000000000)", "SELECT range(0, 10, 0.000000001)", "SELECT range(0, -4000000000, -1)",
      "SELECT list_resize([1], 2000000000)", "SELECT printf('%2000000000d', 1)", "SELECT format('{:2000000000}', 1)",
      "SELECT format('{:{}}', 1, 2000000000)", "SELECT bitstring('1', 2000000000)", "SELECT max(id, 2000000000) FROM t",
      "SELECT ('x').repeat(2000000000)");
  INFO(sql);
  CHECK(refusal(sql).kind() == "sql_refused");
}

TEST_CASE("a huge count that only a row knows is an error of that row") {
  test::GuardedDatabase database;
  CHECK_THROWS_WITH(database.run("SELECT length(repeat('x', i * 2000000000)) FROM range(1, 3) r(i)"),
                    Catch::Contains("A row asks for 2000000000 characters"));
  CHECK(database.run("SELECT repeat('#', i) FROM range(1, 3) r(i)") == "#\n##");
}

TEST_CASE("texts too long to be compared in time are an error of their row, and shorter ones are compared") {
  test::GuardedDatabase database;
  const std::string compare =
      GENERATE("levenshtein", "editdist3", "damerau_levenshtein", "jaro_similarity", "jaro_winkler_similarity");
  CHECK_THROWS_WITH(database.run("SELECT " + compare + "(repeat('ab', 500000), repeat('ba', 500000))"),
                    Catch::Contains("A row compares a text of 1000000 bytes"));
  CHECK(database.run("SELECT levenshtein(note, 'once') FROM t ORDER BY id") == "1\n4");
}

TEST_CASE("a bounded argument does not show in a column's name") {
  test::GuardedDatabase database;
  CHECK(database.run("SELECT \"repeat('#', i)\" FROM (SELECT repeat('#', i) FROM range(1, 2) r(i))") == "#");
}

TEST_CASE("statements that only take long are the engine's to stop: the guard lets them pass") {
  for (const auto& sql : lines_of("42-runaway.sql")) {
    INFO(sql);
    CHECK(refusal(sql).kind() == (sql.find("repeat") != std::string::npos ? "sql_refused" : "passed"));
  }
}
