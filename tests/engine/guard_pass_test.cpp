// What the guard lets pass, and that it runs and means what it meant: ordinary analytical SQL over tables named by
// path.
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "engine/guarded_database.hpp"
#include "engine/select_guard.hpp"

using namespace stele;

namespace {

struct Query {
  const char* sql;
  const char* rows;  // cells parted by '|', rows by '\n'
};

void check_all(const std::vector<Query>& queries) {
  test::GuardedDatabase database;
  for (const auto& query : queries) {
    INFO(query.sql);
    std::string rows;
    try {
      rows = database.run(query.sql);
    } catch (const Error& error) {
      rows = error.kind() + ": " + error.message() + " / " + error.hint();
    } catch (const std::exception& error) {
      rows = error.what();
    }
    CHECK(rows == query.rows);
  }
}

std::vector<std::string> tables_of(const char* sql) { return guard_select(sql, Limits{}, test::now_ms).tables; }

}  // namespace

TEST_CASE("tables are named by path, qualified by path or alias, and numbered once each") {
  using Names = std::vector<std::string>;
  CHECK(tables_of("SELECT 1") == Names{});
  CHECK(tables_of("SELECT * FROM \"sales/2025\"") == Names{"sales/2025"});
  CHECK(tables_of("FROM a JOIN b USING (x) JOIN a AS c USING (x)") == Names{"a", "b"});
  CHECK(tables_of("FROM \"a/b@3\" AS old JOIN \"a/b\" AS new USING (x)") == Names{"a/b@3", "a/b"});
  CHECK(tables_of("SELECT (SELECT max(x) FROM b) FROM a WHERE y IN (FROM c) ORDER BY (SELECT 1 FROM d) LIMIT (SELECT 1 "
                  "FROM e)") == Names{"a", "b", "c", "d", "e"});
  CHECK(tables_of("PIVOT a ON x") == Names{"a"});
  check_all({
      {"SELECT \"sales/2025\".id FROM \"sales/2025\" ORDER BY id LIMIT 1", "1"},
      {"SELECT s.id FROM \"sales/2025\" s ORDER BY s.id DESC LIMIT 1", "4"},
      {"SELECT a, b FROM \"t\" AS x(a, b) ORDER BY a", "1|one\n2|two"},
      {"SELECT count(*) FROM \"sales/2025\" JOIN \"sales/2025@1\" ON \"sales/2025\".id = \"sales/2025@1\".id", "1"},
      {"SELECT count(*) FROM t AS a, t AS b", "4"},
      {"SELECT note FROM 't' WHERE id = 2", "two"},
      {"SELECT t.* EXCLUDE (id) FROM t ORDER BY 1", "one\ntwo"},
  });
}

TEST_CASE("a name is a CTE only where the CTE is in scope; elsewhere it is the table") {
  check_all({
      {"WITH t AS (SELECT 5 AS id) SELECT id FROM t", "5"},
      {"WITH t AS (SELECT id + 10 AS id FROM t) SELECT id FROM t ORDER BY id", "11\n12"},
      {"SELECT (WITH t AS (SELECT 5 AS id) SELECT id FROM t), id FROM t ORDER BY 2", "5|1\n5|2"},
      {"WITH a AS (SELECT id FROM t), b AS (SELECT id * 2 AS id FROM A) SELECT sum(b.id) FROM B", "6"},
      {"WITH a AS (WITH a AS (SELECT 1 AS x) SELECT x + 1 AS x FROM a) SELECT x FROM a", "2"},
      {"WITH a AS (SELECT 1 AS x) SELECT * FROM (WITH b AS (SELECT x + 1 AS y FROM a) SELECT x, y FROM a, b)", "1|2"},
      {"WITH a AS MATERIALIZED (SELECT 1 AS x), b AS NOT MATERIALIZED (SELECT 2 AS x) FROM a UNION ALL FROM b ORDER BY "
       "x",
       "1\n2"},
      {"WITH duckdb_tables AS (SELECT 'cte' AS whose) FROM duckdb_tables", "cte"},
      {"FROM duckdb_tables", "mine"},
      {"WITH a(p, q) AS (VALUES (1, 2)) SELECT q FROM a AS x", "2"},
      {"WITH a AS (SELECT 2 AS n) SELECT id FROM t ORDER BY id LIMIT (SELECT n FROM a)", "1\n2"},
      {"WITH a AS (SELECT 1 AS x) SELECT x FROM a WHERE x IN (SELECT x FROM a) AND EXISTS (FROM a)", "1"},
      {"WITH a AS (SELECT id FROM t) SELECT a.id FROM a JOIN t ON a.id = t.id ORDER BY ALL", "1\n2"},
      {"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 4) SELECT sum(n) FROM r", "10"},
      {"WITH RECURSIVE r AS (WITH u AS (SELECT 1 AS n) SELECT n FROM u UNION ALL SELECT n + 1 FROM r WHERE n < 3) FROM "
       "r",
       "1\n2\n3"},
      {"WITH RECURSIVE tree(id, path) AS (SELECT id, [id] FROM t WHERE id = 1 UNION SELECT t.id, "
       "list_append(tree.path, t.id) "
       "FROM t JOIN tree ON t.id = tree.id + 1) SELECT path FROM tree ORDER BY id",
       "[1]\n[1, 2]"},
      {"WITH RECURSIVE r(a, b) USING KEY (a) AS (SELECT 1, 1 UNION SELECT r.a, q.b + 1 FROM r, recurring.r AS q WHERE "
       "q.b < 3) "
       "SELECT b FROM r",
       "3"},
  });
}

TEST_CASE("ordinary analytical SQL passes and runs") {
  check_all({
      {"SELECT 1 + 2 * 3 - 4 / 2, 7 // 2, 7 % 4, 2 ** 3, -1, NOT true, 5 & 4, 1 << 3, ~0, 4!",
       "5.0|3|3|8.0|-1|false|4|8|-1|24"},
      {"SELECT region, sum(amount) FROM \"sales/2025\" GROUP BY region ORDER BY region NULLS LAST",
       "north|40.75\nsouth|20.00\nNULL|NULL"},
      {"SELECT region, count(*) FILTER (WHERE amount > 15) FROM \"sales/2025\" GROUP BY ALL HAVING count(*) > 0 ORDER "
       "BY ALL",
       "north|1\nsouth|1\nNULL|0"},
      {"SELECT region, count(*), grouping(region) FROM \"sales/2025\" WHERE region IS NOT NULL GROUP BY ROLLUP "
       "(region) ORDER BY 2, 1",
       "south|1|0\nnorth|2|0\nNULL|3|1"},
      {"SELECT count(*) FROM (SELECT 1 FROM \"sales/2025\" GROUP BY GROUPING SETS ((region), (day), ()))", "8"},
      {"SELECT count(*) FROM (SELECT 1 FROM \"sales/2025\" GROUP BY CUBE (region, day))", "12"},
      {"SELECT id, sum(amount) OVER (PARTITION BY region ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT "
       "ROW) AS run "
       "FROM \"sales/2025\" WHERE region = 'north' ORDER BY id",
       "1|10.50\n3|40.75"},
      {"SELECT id, lag(id) OVER w, rank() OVER w, ntile(2) OVER w FROM t WINDOW w AS (ORDER BY id) ORDER BY id",
       "1|NULL|1|1\n2|1|2|2"},
      {"SELECT region, id FROM \"sales/2025\" QUALIFY row_number() OVER (PARTITION BY region ORDER BY day DESC) = 1 "
       "ORDER BY id",
       "south|2\nnorth|3\nNULL|4"},
      {"SELECT DISTINCT ON (region) region, id FROM \"sales/2025\" WHERE region IS NOT NULL ORDER BY region, day DESC",
       "north|3\nsouth|2"},
      {"SELECT s.id, p.price FROM \"sales/2025\" s ASOF JOIN prices p ON s.region = p.region AND s.day >= p.since "
       "ORDER BY s.id",
       "1|1.0\n2|3.0\n3|2.0"},
      {"SELECT t.id, x.n FROM t, LATERAL (SELECT t.id * 10 AS n) x ORDER BY 1", "1|10\n2|20"},
      {"SELECT id, (SELECT count(*) FROM \"sales/2025\" s WHERE s.id <= t.id) FROM t ORDER BY id", "1|1\n2|2"},
      {"SELECT a.id, b.note FROM t a POSITIONAL JOIN t b ORDER BY 1", "1|one\n2|two"},
      {"SELECT count(*) FROM t NATURAL JOIN t AS u", "2"},
      {"SELECT count(*) FROM t SEMI JOIN \"sales/2025\" USING (id)", "2"},
      {"SELECT count(*) FROM t FULL OUTER JOIN \"sales/2025\" s ON t.id = s.id", "4"},
      {"SELECT id FROM t UNION SELECT 3 EXCEPT SELECT 1 ORDER BY id", "2\n3"},
      {"(SELECT 1 AS x) INTERSECT (SELECT 1)", "1"},
      {"SELECT 1 AS a UNION ALL BY NAME SELECT 2 AS b", "1|NULL\nNULL|2"},
      {"SELECT id FROM \"sales/2025\" ORDER BY id LIMIT 50%", "1\n2"},
      {"SELECT id FROM \"sales/2025\" ORDER BY id LIMIT 1 OFFSET 2", "3"},
      {"FROM t SELECT note WHERE id = 1", "one"},
      {"VALUES (1, 'a'), (2, 'b')", "1|a\n2|b"},
      {"SELECT #2 FROM t ORDER BY #1", "one\ntwo"},
      {"SELECT * REPLACE (id * 2 AS id) FROM t ORDER BY id", "2|one\n4|two"},
      {"SELECT * RENAME (id AS key) FROM t ORDER BY key LIMIT 1", "1|one"},
      {"SELECT max(COLUMNS('^i')) FROM t", "2"},
      {"SELECT COLUMNS(lambda c: c LIKE 'n%') FROM t ORDER BY 1", "one\ntwo"},
      {"SELECT x: 1, y: x + 1", "1|2"},
      {"SELECT CASE WHEN id = 1 THEN 'a' ELSE 'b' END, CASE id WHEN 1 THEN 'x' END FROM t ORDER BY id", "a|x\nb|NULL"},
      {"SELECT id BETWEEN 1 AND 1, id IN (1, 3), id IS DISTINCT FROM 1 FROM t ORDER BY id",
       "true|true|false\nfalse|false|true"},
      {"SELECT id > ALL (SELECT 0), id = ANY (SELECT 2) FROM t ORDER BY id", "true|false\ntrue|true"},
      {"SELECT coalesce(NULL, 1), ifnull(NULL, 2), nullif(1, 1), if(true, 1, 2), greatest(1, 2), least(1, 2)",
       "1|2|NULL|1|2|1"},
      {"SELECT TRY_CAST('x' AS INT), CAST('5' AS BIGINT), '7'::DECIMAL(5, 2), TRY(1), 1::VARCHAR", "NULL|5|7.00|1|1"},
      {"SELECT DATE '2025-02-28' + INTERVAL 1 DAY, date_trunc('month', DATE '2025-02-28'), extract(year FROM DATE "
       "'2025-02-28')",
       "2025-03-01 00:00:00|2025-02-01|2025"},
      {"SELECT strftime(DATE '2025-02-28', '%d.%m.%Y'), strptime('01/02/2025', '%d/%m/%Y'), datediff('day', DATE "
       "'2025-01-01', DATE '2025-02-01')",
       "28.02.2025|2025-02-01 00:00:00|31"},
      {"SELECT TIMESTAMPTZ '2025-01-01 00:00:00+00' AT TIME ZONE 'Europe/Berlin', time_bucket(INTERVAL 1 WEEK, DATE "
       "'2025-01-08')",
       "2025-01-01 01:00:00|2025-01-06"},
      {"SELECT upper('a') || lower('B'), 'abc'[2], 'abc'[1:2], trim(' a '), split_part('a,b', ',', 2), left('abc', 2), "
       "lpad('1', 3, '0')",
       "Ab|b|ab|a|b|ab|001"},
      {"SELECT 'abc' LIKE 'a%', 'abc' ILIKE 'A__', 'a_c' LIKE 'a$_c' ESCAPE '$', 'abc' SIMILAR TO 'a.c', 'abc' GLOB "
       "'a*', 'abc' ~ 'a.c'",
       "true|true|true|true|true|true"},
      {"SELECT regexp_extract('a12', '(\\d+)', 1), regexp_replace('aa', 'a', 'b', 'g'), regexp_matches('abc', 'b')",
       "12|bb|true"},
      {"SELECT name.upper().lower(), ('x').concat('y'), v.name.length() FROM (SELECT 'Ab' AS name) v", "ab|xy|2"},
      {"SELECT printf('%05.2f', 3.14159), format('{:>5}', 'a'), repeat('ab', 3), bar(1, 0, 2, 4)",
       "03.14|    a|ababab|██  "},
      {"SELECT [1, 2, 3][2], list_sum(list), list_sort(list), list_transform(list, lambda x: x * 2), [x + 1 FOR x IN "
       "list IF x > 1] FROM docs",
       "2|6|[1, 2, 3]|[6, 2, 4]|[4, 3]"},
      {"SELECT list_filter(list, lambda x: x > 1), list_reduce(list, lambda a, b: a + b), list_aggregate(list, 'max'), "
       "unnest([7]) FROM docs",
       "[3, 2]|6|3|7"},
      {"SELECT pair.x, pair['y'], lookup['k'], map_keys(lookup), struct_pack(a := 1), row(1, 2), {'a': 1} FROM docs",
       "1|z|7|[k]|{'a': 1}|(1, 2)|{'a': 1}"},
      {"SELECT body->'a'->>'b', json_extract(body, '$.a.b[0]'), body::JSON->>'$.a.b[1]', json_valid(body) FROM docs",
       "[1,2]|1|2|true"},
      {"SELECT key, value FROM docs, json_each(body)", "a|{\"b\":[1,2]}"},
      {"SELECT j.fullkey FROM docs, json_tree(docs.body) AS j WHERE j.type = 'UBIGINT' ORDER BY 1",
       "$.a.b[0]\n$.a.b[1]"},
      {"SELECT to_json({'a': [1]}), json_object('k', 1), json_group_array(id) FROM t", "{\"a\":[1]}|{\"k\":1}|[1,2]"},
      {"SELECT unnest(list) AS x FROM docs ORDER BY x", "1\n2\n3"},
      {"SELECT x, ordinality FROM unnest(['a', 'b']) WITH ORDINALITY AS u(x)", "a|1\nb|2"},
      {"SELECT unnest(pair) FROM docs", "1|z"},
      {"SELECT i FROM generate_series(1, 3) AS g(i)", "1\n2\n3"},
      {"SELECT count(*) FROM range(DATE '2025-01-01', DATE '2025-02-01', INTERVAL 1 DAY)", "31"},
      {"SELECT range(3), generate_series(1, 7, 3)", "[0, 1, 2]|[1, 4, 7]"},
      {"SELECT median(id), quantile_cont(id, 0.5), mode(note), arg_max(note, id), string_agg(note, ',' ORDER BY id "
       "DESC), "
       "list(id ORDER BY id), corr(id, id), approx_count_distinct(id), any_value(7), max(id, 1) FROM t",
       "1.5|1.5|one|two|two,one|[1, 2]|1.0|2|7|[2]"},
      {"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id), histogram(note) FROM t", "1.5|{one=1, two=1}"},
      {"SELECT 'a' < 'B' COLLATE NOCASE, 'é' COLLATE NOACCENT = 'e', 'z' < 'ä' COLLATE de", "true|true|false"},
      {"DESCRIBE t", "id|INTEGER|YES|NULL|NULL|NULL\nnote|VARCHAR|YES|NULL|NULL|NULL"},
      {"DESCRIBE SELECT id FROM t", "id|INTEGER|YES|NULL|NULL|NULL"},
      {"SELECT column_name FROM (DESCRIBE t)", "id\nnote"},
      {"SELECT (VALUES (1)), ARRAY[1, 2], array_value(1, 2), typeof('a'::ENUM('a', 'b'))",
       "1|[1, 2]|[1, 2]|ENUM('a', 'b')"},
      {"SELECT union_value(k := 1), bitstring('101', 5), hash(1) = hash(1), md5('a')",
       "1|00101|true|0cc175b9c0f1b6a831c399e269772661"},
      {"SELECT count(*) FROM range(1000) USING SAMPLE 10 ROWS", "10"},
      {"SELECT count(*) BETWEEN 1 AND 999 FROM range(1000) TABLESAMPLE bernoulli(50%) REPEATABLE (7)", "true"},
      {"SELECT \"user\" FROM (SELECT 1 AS \"user\")", "1"},
      {"SELECT\u00a01", "1"},
  });
}

TEST_CASE("PIVOT takes its columns from a list or from the data, and UNPIVOT turns them back") {
  check_all({
      {"PIVOT \"sales/2025\" ON region IN ('north', 'south') USING sum(amount) GROUP BY day ORDER BY day LIMIT 2",
       "2025-01-03|10.50|NULL\n2025-01-04|NULL|20.00"},
      {"PIVOT (SELECT region, amount FROM \"sales/2025\") ON region USING sum(amount)", "40.75|20.00"},
      {"SELECT south FROM (PIVOT (SELECT region, amount FROM \"sales/2025\") ON region USING sum(amount))", "20.00"},
      {"FROM (PIVOT (SELECT region, amount FROM \"sales/2025\") ON region USING sum(amount)) UNION ALL "
       "FROM (PIVOT (SELECT note, id FROM t) ON note USING max(id))",
       "40.75|20.00\n1.00|2.00"},
      {"WITH s AS (SELECT region, amount FROM \"sales/2025\" WHERE id > 1) PIVOT s ON region USING count(*), "
       "max(amount)",
       "1|30.25|1|20.00"},
      {"PIVOT (PIVOT (SELECT id, note FROM t) ON note USING max(id)) ON one USING max(two)", "2"},
      {"PIVOT (SELECT id, note FROM t) ON note IN (SELECT note FROM t ORDER BY id DESC) USING max(id)", "2|1"},
      {"PIVOT t ON id, note USING count(*)", "1|0|0|1"},
      {"SELECT * FROM (SELECT region, amount FROM \"sales/2025\") PIVOT (sum(amount) FOR region IN ('south', 'north'))",
       "20.00|40.75"},
      {"UNPIVOT (SELECT 1 AS a, 2 AS b) ON a, b INTO NAME k VALUE v", "a|1\nb|2"},
      {"UNPIVOT (SELECT 1 AS id, 5 AS a, 6 AS b) ON COLUMNS(* EXCLUDE id)", "1|a|5\n1|b|6"},
  });
}

TEST_CASE("the clock is the host's, however it is asked") {
  check_all({
      {"SELECT now()", "2025-04-03 04:05:06.789+00"},
      {"SELECT current_timestamp = now(), get_current_timestamp() = transaction_timestamp()", "true|true"},
      {"SELECT current_date, today(), current_date(), CURRENT_DATE - 1", "2025-04-03|2025-04-03|2025-04-03|2025-04-02"},
      {"SELECT localtime, localtimestamp, current_time", "04:05:06.789|2025-04-03 04:05:06.789|04:05:06.789+00"},
      {"SELECT age(TIMESTAMP '2025-03-01 00:00:00')", "1 month 2 days"},
      {"SELECT \"current_date\" FROM (SELECT 5 AS \"current_date\")", "5"},
      {"SELECT column_name FROM (DESCRIBE SELECT now(), current_date)", "now()\ncurrent_date"},
      {"SELECT count(*) FROM \"sales/2025\" WHERE day > today() - INTERVAL 90 DAY", "3"},
  });
}

TEST_CASE("a sample without a seed answers the same rows each time") {
  test::GuardedDatabase database;
  const std::string sql = "SELECT * FROM range(1000) USING SAMPLE 3 ROWS";
  CHECK(database.run(sql) == database.run(sql));
}

TEST_CASE("a PIVOT without values, or with too many, is refused") {
  test::GuardedDatabase database;
  CHECK_THROWS_WITH(database.run("PIVOT (FROM t WHERE id > 9) ON note USING max(id)"), Catch::Contains("no values"));
  CHECK_THROWS_WITH(database.run("PIVOT (SELECT i FROM range(3000) r(i)) ON i USING max(i)"),
                    Catch::Contains("3000 columns"));
}

TEST_CASE("a statement of 100 KB is guarded in a fraction of a second") {
  std::string sql = "SELECT id FROM t WHERE id IN (0";
  for (int i = 0; sql.size() < (99 << 10); ++i) sql += ", abs(" + std::to_string(i) + ")";
  const auto start = std::chrono::steady_clock::now();
  guard_select(sql + ")", Limits{}, test::now_ms);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  CHECK(took.count() < 2);
}
