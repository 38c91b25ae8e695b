// LIKE, ILIKE and GLOB answer as DuckDB's own do, which the same statements in a plain database tell; and statements
// that used to keep a process busy for hours, or fill its memory, end.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "duckdb.hpp"
#include "engine/step_watch.hpp"
#include "engine/wildcards.hpp"
#include "engine_fixture.hpp"

using namespace stele;

namespace {

// All texts over `letters` of at most `length` letters.
std::vector<std::string> texts_over(const std::vector<std::string>& letters, int length) {
  std::vector<std::string> all = {""};
  for (std::size_t from = 0; length > 0; length--) {
    const std::size_t to = all.size();
    for (; from < to; from++)
      for (const auto& letter : letters) all.push_back(all[from] + letter);
  }
  return all;
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

std::string as_rows(const std::vector<std::string>& texts) {
  std::string rows;
  for (const auto& text : texts) rows += (rows.empty() ? "(" : ", (") + quoted(text) + ")";
  return "(VALUES " + rows + ")";
}

// One letter for each pair, as DuckDB's own function or ours answers.
std::string own_answers(const std::string& sql) {
  duckdb::DuckDB database(nullptr);
  duckdb::Connection connection(database);
  const auto result = connection.Query(sql);
  INFO(sql.substr(0, 200));
  REQUIRE_FALSE(result->HasError());
  return result->GetValue(0, 0).ToString();
}

std::string ended(EngineFixture& f, const std::string& sql) {
  try {
    const auto cursor = f.engine->start(f.engine->guard(sql), {});
    while (run_to_end(next_chunk(*cursor, ""))) {
    }
    return "rows";
  } catch (const Error& error) {
    return error.kind();
  }
}

}  // namespace

TEST_CASE("LIKE, ILIKE and GLOB match what DuckDB's own match") {
  EngineFixture f;
  const auto texts = texts_over({"a", "B", "é", "%"}, 4);
  const std::string statement =
      "SELECT string_agg(CASE WHEN t.x {} p.x THEN '1' ELSE '0' END, '' ORDER BY t.x, p.x) FROM " + as_rows(texts) +
      " t(x), {} p(x)";
  const auto answers_agree = [&](const std::string& how, const std::vector<std::string>& patterns) {
    std::string sql = statement;
    sql.replace(sql.find("{}"), 2, how);
    sql.replace(sql.find("{}"), 2, as_rows(patterns));
    const auto own = own_answers(sql);
    CHECK(own.find('1') != std::string::npos);
    CHECK(f.rows(sql) == "[[\"" + own + "\"]]");
  };
  const auto like = texts_over({"a", "b", "É", "%", "_"}, 4);
  for (const char* how : {"LIKE", "NOT LIKE", "ILIKE", "NOT ILIKE"}) answers_agree(how, like);
  answers_agree("GLOB", texts_over({"a", "*", "?", "[", "]", "!", "-", "\\\\"}, 4));
  auto escaped = texts_over({"a", "!", "%", "_"}, 4);
  std::erase_if(escaped, [](const std::string& pattern) {
    return (pattern.size() - (pattern.find_last_not_of('!') + 1)) % 2 == 1;  // an error where it is reached
  });
  for (const char* how : {"LIKE", "NOT LIKE", "ILIKE", "NOT ILIKE"}) {
    const std::string with_escape = std::string(how) == "LIKE"       ? "like_escape"
                                    : std::string(how) == "NOT LIKE" ? "not_like_escape"
                                    : std::string(how) == "ILIKE"    ? "ilike_escape"
                                                                     : "not_ilike_escape";
    const std::string sql = "SELECT string_agg(CASE WHEN " + with_escape +
                            "(t.x, p.x, '!') THEN '1' ELSE '0' END, '' " + "ORDER BY t.x, p.x) FROM " + as_rows(texts) +
                            " t(x), " + as_rows(escaped) + " p(x)";
    CHECK(f.rows(sql) == "[[\"" + own_answers(sql) + "\"]]");
  }
}

TEST_CASE("a pattern of constants is still prepared, and answers alike") {
  EngineFixture f;
  CHECK(f.rows("SELECT 'heating' LIKE 'h%t%g', 'heating' LIKE 'h_a%', 'Heating' ILIKE 'h%G', 'é' ILIKE 'É', 'a%' LIKE "
               "'a!%' ESCAPE '!', 'x.csv' GLOB '*.[a-d]sv', NULL LIKE 'a', 'a' ILIKE NULL") ==
        "[[true,true,true,true,true,true,null,null]]");
  CHECK(ended(f, "SELECT 'a' || i LIKE 'a!' ESCAPE '!' FROM range(2) t(i)") == "sql_error");
  CHECK(ended(f, "SELECT 'a' LIKE 'a' ESCAPE 'ab'") == "sql_error");
}

TEST_CASE("many wildcards over a long text take no longer than the text is long") {
  const std::string text(20'000, 'a');
  std::string like, glob;
  for (int i = 0; i < 40; i++) like += "%a_", glob += "*a?";
  CHECK_FALSE(matches_like(text, like + "b"));
  CHECK(matches_like(text, like));
  CHECK_FALSE(matches_like_ascii_folded(text, like + "B"));
  CHECK_FALSE(matches_glob(text, glob + "b"));
  CHECK(matches_glob(text, glob));
}

TEST_CASE("a statement that would fill the memory with lists or texts is refused") {
  Limits limits;
  limits.memory_bytes = std::uint64_t{64} << 20;
  EngineFixture f(limits);
  for (const char* sql : {
           "SELECT list_sort(list_transform(range(1000000), x -> repeat('a', 1000)))",
           "SELECT list_value(repeat('a', 1000000)) FROM range(1000000)",
           "SELECT flatten(list_transform(range(1000), x -> range(100000)))",
           "SELECT list_transform(range(1000000), x -> list_sum(range(x)))",
           "SELECT range(TIMESTAMP '2000-01-01', TIMESTAMP '2000-01-02' - INTERVAL (i) second, INTERVAL 1 second) "
           "FROM range(2048) t(i)",
       }) {
    INFO(sql);
    CHECK(ended(f, sql) == "out_of_memory");
    CHECK(f.rows("SELECT 1") == "[[1]]");
  }
  for (const char* sql : {
           "SELECT length(replace(repeat('a', 1000000), 'a', repeat('b', 1000000)))",
           "SELECT regexp_replace(repeat('a', 1000000), 'a', repeat('b', 1000000), 'g')",
           "SELECT generate_series(TIMESTAMP '1-01-01', TIMESTAMP '9999-01-01', INTERVAL 1 microsecond)",
           "SELECT range(TIMESTAMPTZ '9999-01-01', TIMESTAMPTZ '1-01-01', INTERVAL (-1) second)",
           "SELECT range(DATE '1-01-01', DATE '9999-01-01', INTERVAL 1 second)",
       }) {
    INFO(sql);
    CHECK(ended(f, sql) == "sql_error");
  }
  CHECK(f.rows("SELECT len(range(DATE '2024-01-01', DATE '2025-01-01', INTERVAL 1 day)), replace('aXa', 'X', '-'), "
               "regexp_replace('aa', 'a', 'b', 'g')") == R"([[366,"a-a","bb"]])");
}

TEST_CASE("a task that does not end is ended at the time limit") {
  Limits limits;
  limits.query_ms = 300;  // of the process's own clock too, which nothing here advances
  EngineFixture f(limits);
  for (const char* sql : {
           "SELECT list_sum(list_transform(range(1000000), x -> list_sum(range(1000000))))",
           "SELECT list_filter(range(100000), x -> list_contains(range(1000000), -x))",
           "SELECT list_intersect(range(1000000), range(1000000, 2000000))",
       }) {
    INFO(sql);
    CHECK(ended(f, sql) == "time_limit");
    CHECK(f.rows("SELECT 1") == "[[1]]");
  }
}

TEST_CASE("what an engine allocated it has freed when it is gone, by the same count") {
  const auto used = [] {
    EngineFixture f;
    const std::vector<Column> columns = {{1, "n", "BIGINT"}, {2, "s", "VARCHAR"}};
    const auto segment = f.segment_of(columns, "SELECT i, repeat(i::VARCHAR, 20) FROM range(100000) t(i)");
    for (const char* sql : {
             "SELECT count(*), max(s), string_agg(left(s, 2), ',' ORDER BY n) FROM scan(0)",
             "SELECT n % 1000 AS k, count(DISTINCT s), histogram(n % 7), mode(s), approx_quantile(n, 0.5) FROM scan(0) "
             "GROUP BY k ORDER BY k LIMIT 3",
             "SELECT a.s, sum(b.n) OVER (ORDER BY a.n) FROM scan(0) a JOIN scan(0) b ON a.n = b.n + 1 LIMIT 5",
             "SELECT * FROM scan(0) ORDER BY s DESC LIMIT 10 OFFSET 50000",
             "SELECT list_sort(list(s)), map_from_entries([(1, 2)]), list_transform(range(1000), x -> x || 'a'), "
             "replace('aXa', 'X', repeat('y', 5000)), s.a FROM (SELECT {'a': n} AS s, s AS s2 FROM scan(0) LIMIT 1), "
             "scan(0) t(n, s) GROUP BY ALL LIMIT 1",
             "SELECT cast(s AS INTEGER) FROM scan(0)",
             "SELECT nothing FROM scan(0)",
         }) {
      try {
        const auto cursor = f.engine->start_own(sql, {f.snapshot(columns, {{segment, {}}})});
        while (run_to_end(next_chunk(*cursor, ""))) {
        }
      } catch (const Error& error) {
        UNSCOPED_INFO(sql << ": " << error.message());
      }
    }
  };
  used();
  const auto before = StepWatch::bytes_held();
  used();
  CHECK(StepWatch::bytes_held() == before);
}
