#include "conformance/sql_store_suite.hpp"

#include <cmath>
#include <limits>

namespace stele::conformance {
namespace {

constexpr std::int64_t integer_max = SqlStore::integer_max;
constexpr std::size_t mib = SqlStore::value_bytes_max;

std::string shown(const SqlValue& value) {
  struct Show {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(std::int64_t number) const { return "integer " + std::to_string(number); }
    std::string operator()(double number) const { return "double " + std::to_string(number); }
    std::string operator()(const std::string& text) const {
      return "text of " + std::to_string(text.size()) + " bytes \"" + text.substr(0, 40) + "\"";
    }
    std::string operator()(const Bytes& bytes) const { return std::to_string(bytes.size()) + " bytes"; }
  };
  return std::visit(Show{}, value);
}

// A double that is a whole number may come back as the integer: JavaScript knows one kind of number.
bool same(const SqlValue& in, const SqlValue& out) {
  const auto* real = std::get_if<double>(&in);
  const auto* whole = std::get_if<std::int64_t>(&out);
  if (real != nullptr && whole != nullptr) {
    return std::trunc(*real) == *real && std::abs(*real) < 9.1e15 && static_cast<std::int64_t>(*real) == *whole;
  }
  return in == out;
}

Failure expect(const SqlRows& rows, const SqlRows& expected) {
  if (rows.size() != expected.size()) {
    return std::to_string(rows.size()) + " rows instead of " + std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != expected[i].size()) {
      return std::to_string(rows[i].size()) + " columns instead of " + std::to_string(expected[i].size());
    }
    for (std::size_t column = 0; column < rows[i].size(); ++column) {
      if (!same(expected[i][column], rows[i][column])) {
        return "row " + std::to_string(i) + ", column " + std::to_string(column) + ": " + shown(rows[i][column]) +
               " instead of " + shown(expected[i][column]);
      }
    }
  }
  return {};
}

// "conflict", "full", "io", or "none" if it went through.
std::string refusal_of(SqlStore& store, const std::vector<SqlStatement>& batch) {
  try {
    store.commit(batch);
    return "none";
  } catch (const StoreError& error) {
    switch (error.kind()) {
      case StoreError::Kind::conflict:
        return "conflict";
      case StoreError::Kind::full:
        return "full";
      case StoreError::Kind::io:
        return "io";
    }
  }
  return "unknown";
}

Failure expect_refusal(SqlStore& store, const std::vector<SqlStatement>& batch, const std::string& kind) {
  const auto seen = refusal_of(store, batch);
  if (seen == kind) return {};
  return "\"" + batch.back().sql + "\" was answered " + seen + " instead of " + kind;
}

void commit(SqlStore& store, const std::vector<SqlStatement>& batch) { store.commit(batch); }

// An empty table named conformance_<name>.
void make_table(SqlStore& store, const std::string& name, const std::string& columns, const std::string& options = "") {
  commit(store, {{"DROP TABLE IF EXISTS conformance_" + name, {}},
                 {"CREATE TABLE conformance_" + name + " (" + columns + ") " + options, {}}});
}

Failure round_trips(SqlStore& store, const std::string& type, const std::vector<SqlValue>& values) {
  make_table(store, "values", "id INTEGER PRIMARY KEY, value " + type);
  std::vector<SqlStatement> batch;
  SqlRows expected;
  for (const auto& value : values) {
    batch.push_back({"INSERT INTO conformance_values (value) VALUES (?)", {value}});
    expected.push_back({value});
  }
  commit(store, batch);
  if (const auto failure = expect(store.query("SELECT value FROM conformance_values ORDER BY id"), expected))
    return failure;
  for (const auto& value : values) {
    const SqlValue params[] = {value};
    if (const auto failure = expect(store.query("SELECT ?", params), {{value}})) return "as a parameter, " + *failure;
  }
  return {};
}

Bytes all_bytes(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  return bytes;
}

std::string repeated(const std::string& piece, std::size_t times) {
  std::string text;
  text.reserve(piece.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

const std::vector<SqlValue> integers{std::int64_t{0},       std::int64_t{1},       std::int64_t{-1},
                                     std::int64_t{1} << 31, std::int64_t{1} << 32, -(std::int64_t{1} << 32) - 1,
                                     integer_max,           integer_max - 1,       -integer_max};
const std::vector<SqlValue> doubles{0.1,
                                    -1.5,
                                    1.0 / 3,
                                    1e300,
                                    -1e-300,
                                    3.0,
                                    std::numeric_limits<double>::max(),
                                    std::numeric_limits<double>::min(),
                                    std::numeric_limits<double>::denorm_min()};
const std::vector<SqlValue> texts{std::string(),
                                  std::string("plain"),
                                  std::string("a\0b\0", 4),
                                  std::string("\0", 1),
                                  std::string("😀 👩‍👩‍👧 e\xCC\x81 \xC3\xA9 \xEF\xBB\xBF"),
                                  std::string("' \" \\ \r\n\t ? ?1 :a"),
                                  std::string("12"),
                                  std::string("1e5"),
                                  std::string("9007199254740993")};
const std::vector<SqlValue> blobs{
    Bytes{}, Bytes{0}, Bytes{0, 0}, Bytes{'t', 'e', 'x', 't'}, Bytes{0xff, 0xfe, 0x80}, all_bytes(256)};

Failure values_come_back(SqlStore& store) {
  for (const auto* values : {&integers, &doubles, &texts, &blobs}) {
    if (const auto failure = round_trips(store, "", *values)) return failure;
  }
  return round_trips(store, "", {std::monostate{}});
}

Failure values_come_back_typed(SqlStore& store) {
  if (const auto failure = round_trips(store, "INTEGER", integers)) return "INTEGER: " + *failure;
  if (const auto failure = round_trips(store, "REAL", doubles)) return "REAL: " + *failure;
  if (const auto failure = round_trips(store, "TEXT", texts)) return "TEXT: " + *failure;
  if (const auto failure = round_trips(store, "BLOB", blobs)) return "BLOB: " + *failure;
  return {};
}

Failure kinds_are_told_apart(SqlStore& store) {
  make_table(store, "kinds", "id INTEGER PRIMARY KEY, value BLOB");
  commit(store,
         {{"INSERT INTO conformance_kinds (value) VALUES (?), (?), (?)", {std::monostate{}, std::string(), Bytes{}}}});
  return expect(store.query("SELECT typeof(value), value IS NULL FROM conformance_kinds ORDER BY id"),
                {{std::string("null"), std::int64_t{1}},
                 {std::string("text"), std::int64_t{0}},
                 {std::string("blob"), std::int64_t{0}}});
}

Failure a_mebibyte_comes_back(SqlStore& store) {
  auto bytes = all_bytes(mib);
  bytes[mib - 1] = 42;
  return round_trips(store, "BLOB", {bytes, repeated("x", mib), repeated("😀", mib / 4)});
}

Failure a_hundred_parameters(SqlStore& store) {
  std::string marks = "?";
  SqlRow values{std::int64_t{0}};
  for (std::int64_t i = 1; i < 100; ++i) {
    marks += ", ?";
    values.emplace_back(i);
  }
  return expect(store.query("SELECT " + marks, values), {values});
}

Failure a_hundred_columns(SqlStore& store) {
  std::string columns = "c0", marks = "?";
  SqlRow values{std::int64_t{0}};
  for (std::int64_t i = 1; i < 100; ++i) {
    columns += ", c" + std::to_string(i);
    marks += ", ?";
    values.emplace_back(std::to_string(i));
  }
  make_table(store, "wide", columns);
  commit(store, {{"INSERT INTO conformance_wide VALUES (" + marks + ")", values}});
  return expect(store.query("SELECT * FROM conformance_wide"), {values});
}

Failure columns_of_one_name(SqlStore& store) {
  return expect(store.query("SELECT 1 AS id, 2 AS id, 3 AS __proto__, 4 AS length"),
                {{std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{4}}});
}

Failure many_rows_in_order(SqlStore& store) {
  make_table(store, "many", "id INTEGER PRIMARY KEY");
  std::vector<SqlStatement> batch;
  SqlRows expected;
  for (std::int64_t i = 0; i < 2'000; ++i) {
    batch.push_back({"INSERT INTO conformance_many (id) VALUES (?)", {1'999 - i}});
    expected.push_back({i});
  }
  commit(store, batch);
  return expect(store.query("SELECT id FROM conformance_many ORDER BY id"), expected);
}

Failure no_rows(SqlStore& store) {
  make_table(store, "empty", "a, b");
  return expect(store.query("SELECT a, b FROM conformance_empty"), {});
}

Failure a_failing_batch_changes_nothing(SqlStore& store) {
  make_table(store, "atomic", "id INTEGER PRIMARY KEY, value");
  commit(store, {{"INSERT INTO conformance_atomic VALUES (1, 'old'), (9, 'nine')", {}}});
  const std::vector<SqlStatement> good{{"INSERT INTO conformance_atomic VALUES (2, 'new')", {}},
                                       {"UPDATE conformance_atomic SET value = 'new' WHERE id = 1", {}},
                                       {"CREATE TABLE conformance_never (a)", {}},
                                       {"DELETE FROM conformance_atomic WHERE id = 9", {}}};
  const SqlRows before{{std::int64_t{1}, std::string("old")}, {std::int64_t{9}, std::string("nine")}};
  for (const char* bad : {"INSERT INTO conformance_atomic VALUES (1, 'twice')",
                          "INSERT INTO conformance_nowhere VALUES (1)", "this is no SQL"}) {
    for (std::size_t place = 0; place <= good.size(); ++place) {
      auto batch = good;
      batch.insert(batch.begin() + static_cast<std::ptrdiff_t>(place), SqlStatement{bad, {}});
      if (refusal_of(store, batch) == "none") return std::string("went through: ") + bad;
      if (const auto failure = expect(store.query("SELECT * FROM conformance_atomic ORDER BY id"), before)) {
        return "after \"" + std::string(bad) + "\" at " + std::to_string(place) + ": " + *failure;
      }
    }
  }
  return expect(store.query("SELECT 1 FROM sqlite_master WHERE name = 'conformance_never'"), {});
}

Failure a_refused_store_goes_on(SqlStore& store) {
  make_table(store, "on", "id INTEGER PRIMARY KEY");
  const std::vector<SqlStatement> twice{{"INSERT INTO conformance_on VALUES (1)", {}},
                                        {"INSERT INTO conformance_on VALUES (1)", {}}};
  if (const auto failure = expect_refusal(store, twice, "conflict")) return failure;
  try {
    store.query("SELECT * FROM conformance_nowhere");
    return "a query of a missing table went through";
  } catch (const StoreError&) {
  }
  commit(store, {twice[0]});
  return expect(store.query("SELECT id FROM conformance_on"), {{std::int64_t{1}}});
}

Failure conflicts_are_told(SqlStore& store) {
  make_table(store, "conflict", "id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE");
  make_table(store, "keyed", "a TEXT, b INTEGER, PRIMARY KEY (a, b)", "WITHOUT ROWID");
  commit(store, {{"INSERT INTO conformance_conflict VALUES (1, 'x')", {}},
                 {"INSERT INTO conformance_keyed VALUES ('a', 1)", {}}});
  const std::pair<const char*, const char*> cases[] = {
      {"INSERT INTO conformance_conflict VALUES (1, 'y')", "conflict"},
      {"INSERT INTO conformance_conflict VALUES (2, 'x')", "conflict"},
      {"INSERT INTO conformance_keyed VALUES ('a', 1)", "conflict"},
      {"INSERT INTO conformance_conflict VALUES (3, NULL)", "io"},
      {"INSERT INTO conformance_nowhere VALUES (1)", "io"},
  };
  for (const auto& [sql, kind] : cases) {
    if (const auto failure = expect_refusal(store, {{sql, {}}}, kind)) return failure;
  }
  return {};
}

Failure reads_see_commits(SqlStore& store) {
  make_table(store, "seen", "id INTEGER PRIMARY KEY, value INTEGER");
  for (std::int64_t i = 1; i <= 3; ++i) {
    commit(store, {{"INSERT INTO conformance_seen VALUES (?, ?)", {i, i * 10}}});
    if (const auto failure = expect(store.query("SELECT count(*), max(value) FROM conformance_seen"), {{i, i * 10}}))
      return failure;
  }
  return {};
}

Failure commits_ahead_are_commits(SqlStore& store) {
  make_table(store, "ahead", "id INTEGER PRIMARY KEY");
  store.commit_ahead(std::vector<SqlStatement>{{"INSERT INTO conformance_ahead VALUES (1)", {}}});
  try {
    store.commit_ahead(std::vector<SqlStatement>{{"INSERT INTO conformance_ahead VALUES (2)", {}},
                                                 {"INSERT INTO conformance_ahead VALUES (1)", {}}});
    return "a batch that repeats a key went through";
  } catch (const StoreError& error) {
    if (error.kind() != StoreError::Kind::conflict) return "a repeated key is no conflict";
  }
  return expect(store.query("SELECT id FROM conformance_ahead"), {{std::int64_t{1}}});
}

Failure statements_see_those_before(SqlStore& store) {
  make_table(store, "steps", "id INTEGER PRIMARY KEY, value INTEGER");
  commit(store, {{"INSERT INTO conformance_steps VALUES (1, 1)", {}},
                 {"UPDATE conformance_steps SET value = value + 1", {}},
                 {"INSERT INTO conformance_steps SELECT id + 1, value * 10 FROM conformance_steps", {}}});
  return expect(store.query("SELECT value FROM conformance_steps ORDER BY id"),
                {{std::int64_t{2}}, {std::int64_t{20}}});
}

Failure an_empty_batch_is_nothing(SqlStore& store) {
  commit(store, {});
  return expect(store.query("SELECT 1"), {{std::int64_t{1}}});
}

Failure partial_indexes_hold(SqlStore& store) {
  make_table(store, "trash", "id INTEGER PRIMARY KEY, path TEXT NOT NULL, trashed_ms INTEGER");
  commit(store,
         {{"CREATE UNIQUE INDEX conformance_trash_paths ON conformance_trash (path) WHERE trashed_ms IS NULL", {}},
          {"INSERT INTO conformance_trash VALUES (1, 'a', 5), (2, 'a', 6), (3, 'a', NULL)", {}}});
  if (const auto failure =
          expect_refusal(store, {{"INSERT INTO conformance_trash VALUES (4, 'a', NULL)", {}}}, "conflict")) {
    return failure;
  }
  return expect(store.query("SELECT id FROM conformance_trash WHERE path = 'a' AND trashed_ms IS NULL"),
                {{std::int64_t{3}}});
}

Failure keyed_tables_hold(SqlStore& store) {
  make_table(store, "spans", "t TEXT NOT NULL, e INTEGER NOT NULL, PRIMARY KEY (t, e)", "WITHOUT ROWID");
  commit(store,
         {{"INSERT INTO conformance_spans VALUES (?, ?), (?, ?), (?, ?)",
           {std::string("b"), std::int64_t{1}, std::string("a"), integer_max, std::string("a"), integer_max - 1}}});
  const SqlValue params[] = {std::string("a"), integer_max - 1};
  return expect(store.query("SELECT e FROM conformance_spans WHERE t = ? AND e > ?", params), {{integer_max}});
}

Failure upserts_hold(SqlStore& store) {
  make_table(store, "upsert", "key TEXT NOT NULL PRIMARY KEY, value", "WITHOUT ROWID");
  for (std::int64_t i = 1; i <= 2; ++i) {
    commit(store, {{"INSERT INTO conformance_upsert (key, value) VALUES ('k', ?) "
                    "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                    {i}}});
  }
  return expect(store.query("SELECT value FROM conformance_upsert"), {{std::int64_t{2}}});
}

Failure text_is_ordered_by_its_bytes(SqlStore& store) {
  make_table(store, "ordered", "t TEXT");
  commit(
      store,
      {{"INSERT INTO conformance_ordered VALUES ('é'), ('a'), ('Z'), ('😀'), ('\xEF\xBF\xBD'), ('a/b'), ('a b')", {}}});
  return expect(store.query("SELECT t FROM conformance_ordered ORDER BY t"), {{std::string("Z")},
                                                                              {std::string("a")},
                                                                              {std::string("a b")},
                                                                              {std::string("a/b")},
                                                                              {std::string("é")},
                                                                              {std::string("\xEF\xBF\xBD")},
                                                                              {std::string("😀")}});
}

Failure instr_finds_long_text(SqlStore& store) {
  const SqlValue params[] = {repeated("abc", 100) + "%_*", repeated("abc", 90) + "%_"};
  return expect(store.query("SELECT instr(?, ?)", params), {{std::int64_t{31}}});
}

Failure integers_bound_serve_as_limits(SqlStore& store) {
  make_table(store, "limits", "id INTEGER PRIMARY KEY");
  commit(store, {{"INSERT INTO conformance_limits VALUES (1), (2), (3)", {}}});
  const SqlValue params[] = {std::int64_t{1}, std::int64_t{1}};
  return expect(store.query("SELECT id FROM conformance_limits ORDER BY id LIMIT ? OFFSET ?", params),
                {{std::int64_t{2}}});
}

Failure a_statement_follows_its_table(SqlStore& store) {
  make_table(store, "altered", "a");
  const auto insert = SqlStatement{"INSERT INTO conformance_altered (a) VALUES (?)", {std::int64_t{1}}};
  commit(store, {insert});
  if (const auto failure = expect(store.query("SELECT * FROM conformance_altered"), {{std::int64_t{1}}}))
    return failure;
  commit(store, {{"ALTER TABLE conformance_altered ADD COLUMN b TEXT NOT NULL DEFAULT 'x'", {}}, insert});
  const SqlRow row{std::int64_t{1}, std::string("x")};
  return expect(store.query("SELECT * FROM conformance_altered"), {row, row});
}

constexpr Check<SqlStore> checks[] = {
    {"values come back as they went in", values_come_back},
    {"values come back as they went in from typed columns", values_come_back_typed},
    {"null, empty text and empty bytes are three things", kinds_are_told_apart},
    {"values of 1 MiB come back whole", a_mebibyte_comes_back},
    {"a statement takes 100 parameters", a_hundred_parameters},
    {"a table has 100 columns", a_hundred_columns},
    {"columns of one name are all answered, in order", columns_of_one_name},
    {"many rows come back in the order asked for", many_rows_in_order},
    {"a query without rows answers none", no_rows},
    {"a batch that fails anywhere changes nothing", a_failing_batch_changes_nothing},
    {"after a refusal the store goes on", a_refused_store_goes_on},
    {"a violated uniqueness is a conflict, and nothing else is", conflicts_are_told},
    {"reads see what was committed", reads_see_commits},
    {"a batch committed ahead is seen at once, whole or not at all", commits_ahead_are_commits},
    {"statements of a batch see those before them", statements_see_those_before},
    {"an empty batch is allowed and does nothing", an_empty_batch_is_nothing},
    {"partial unique indexes hold", partial_indexes_hold},
    {"tables without rowid are searched by their keys, up to 2^53-1", keyed_tables_hold},
    {"an upsert updates what is there", upserts_hold},
    {"text is ordered by its UTF-8 bytes", text_is_ordered_by_its_bytes},
    {"instr finds patterns that LIKE would refuse", instr_finds_long_text},
    {"bound integers serve as LIMIT and OFFSET", integers_bound_serve_as_limits},
    {"a statement used again follows a changed table", a_statement_follows_its_table},
};

}  // namespace

std::span<const Check<SqlStore>> sql_store_checks() { return checks; }

void write_before_reopening(SqlStore& store) {
  make_table(store, "durable", "id INTEGER PRIMARY KEY, bytes BLOB");
  store.commit_ahead(std::vector<SqlStatement>{{"INSERT INTO conformance_durable VALUES (1, ?)", {all_bytes(mib)}}});
  commit(store, {{"INSERT INTO conformance_durable VALUES (2, ?)", {all_bytes(3)}}});
  refusal_of(store, {{"INSERT INTO conformance_durable VALUES (3, NULL)", {}},
                     {"INSERT INTO conformance_durable VALUES (1, NULL)", {}}});
}

Failure check_after_reopening(SqlStore& store) {
  return expect(store.query("SELECT id, bytes FROM conformance_durable ORDER BY id"),
                {{std::int64_t{1}, all_bytes(mib)}, {std::int64_t{2}, all_bytes(3)}});
}

}  // namespace stele::conformance
