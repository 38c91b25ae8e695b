// Writer: each mode does what it says, says what it did, and refuses whole what it cannot keep.
#include "tables/writer.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "support/table_world.hpp"

using namespace stele;
using namespace stele::testing;

namespace {

Json parsed(const char* text) { return Json::parse(text); }

bool warns(const Json& answer, const std::string& kind) {
  for (const Json& warning : answer["warnings"]) {
    if (warning["kind"] == kind) return true;
  }
  return false;
}

}  // namespace

TEST_CASE_METHOD(TableWorld, "create answers version 1 and its rows, and refuses a path that is taken") {
  const Json answer = create("a", parsed(R"([{"id": 1, "name": "Tern"}, {"id": 2, "name": null}])"));
  CHECK(answer["version"] == 1);
  CHECK(answer["rows"] == 2);
  CHECK(answer["added"] == 2);
  CHECK(rows("a") == parsed(R"([{"id": 1, "name": "Tern"}, {"id": 2, "name": null}])"));
  std::string message;
  CHECK(error_kind([&] { create("a", parsed(R"([{"id": 3}])")); }, &message) == "table_exists");
  CHECK(message.find("append") != std::string::npos);
}

TEST_CASE_METHOD(TableWorld, "rows without any column are refused, by every mode") {
  CHECK(error_kind([&] { create("a", parsed("[{}]")); }) == "no_columns");
  create("a", parsed(R"([{"id": 1}])"));
  CHECK(error_kind([&] { append("a", parsed("[{}, {}]")); }) == "no_columns");
  CHECK(error_kind([&] { replace("a", parsed("[{}]")); }) == "no_columns");
  CHECK(rows("a") == parsed(R"([{"id": 1}])"));
}

TEST_CASE_METHOD(TableWorld, "append adds rows by name and leaves earlier versions as they were") {
  create("a", parsed(R"([{"id": 1, "n": 10}])"));
  append("a", parsed(R"([{"n": 20, "id": 2}])"));
  const Json answer = append("a", parsed(R"([{"ID": 3}])"));
  CHECK(answer["version"] == 3);
  CHECK(rows("a", 1) == parsed(R"([{"id": 1, "n": 10}])"));
  CHECK(rows("a") == parsed(R"([{"id": 1, "n": 10}, {"id": 2, "n": 20}, {"id": 3, "n": null}])"));
}

TEST_CASE_METHOD(TableWorld, "a new column is added with a warning that names a near one") {
  create("a", parsed(R"([{"id": 1, "number": 10}])"));
  const Json answer = append("a", parsed(R"([{"id": 2, "numbers": 5}])"));
  CHECK(answer["columns_added"] == Json::array({"numbers"}));
  REQUIRE(warns(answer, "column_added"));
  CHECK(answer["warnings"].dump().find("\\\"number\\\"") != std::string::npos);
  CHECK(rows("a") == parsed(R"([{"id": 1, "number": 10, "numbers": null}, {"id": 2, "number": null, "numbers": 5}])"));
  CHECK(rows("a", 1) == parsed(R"([{"id": 1, "number": 10}])"));
}

TEST_CASE_METHOD(TableWorld, "that a column stays text is said when it is made, and not at every write after") {
  CHECK(warns(create("a", parsed(R"([{"code": "007"}])")), "kept_as_text"));
  CHECK_FALSE(warns(append("a", parsed(R"([{"code": "008"}])")), "kept_as_text"));
  CHECK(warns(replace("a", parsed(R"([{"code": "009"}])")), "kept_as_text"));
}

TEST_CASE_METHOD(TableWorld, "a fraction widens an integer column, said, and old versions keep theirs") {
  create("a", parsed(R"([{"id": 1, "n": 10}])"));
  const Json answer = append("a", parsed(R"([{"id": 2, "n": 1.1}])"));
  CHECK(answer["columns_retyped"] == Json::array({"n: BIGINT to DOUBLE"}));
  CHECK(warns(answer, "column_widened"));
  CHECK(types("a") == "id BIGINT, n DOUBLE");
  CHECK(rows("a")[1]["n"] == 1.1);
  CHECK(rows("a", 1) == parsed(R"([{"id": 1, "n": 10}])"));
}

TEST_CASE_METHOD(TableWorld, "what does not fit a typed column is refused whole, with the column and value named") {
  create("m", parsed(R"([{"id": 1, "n": 10, "day": "2025-04-03", "ok": true}])"));
  const std::string before = store_counts(sqlite);
  const std::pair<const char*, const char*> cases[] = {
      {R"([{"id": 3, "n": "N/A"}])", "N/A"},
      {R"([{"id": 4, "day": "05/04/2025"}])", "05/04/2025"},
      {R"([{"id": 7, "ok": 2}])", "2"},
      {R"([{"id": 8, "n": 8}, {"id": 9, "n": "nine"}])", "nine"},
  };
  for (const auto& refused : cases) {
    const auto* batch = refused.first;
    CAPTURE(batch);
    std::string message;
    CHECK(error_kind([&] { append("m", parsed(batch)); }, &message) == "column_conflict");
    CHECK(message.find(refused.second) != std::string::npos);
    CHECK(store_counts(sqlite) == before);
  }
}

TEST_CASE_METHOD(TableWorld, "integers past 2^53 are not turned into doubles") {
  create("a", parsed(R"([{"n": 9007199254740993}])"));
  CHECK(error_kind([&] { append("a", parsed(R"([{"n": 1.5}])")); }) == "column_conflict");
}

TEST_CASE_METHOD(TableWorld, "upsert keeps what a row leaves out and takes null as a value") {
  create("boats", parsed(R"([{"id": 1, "name": "Tern", "age": 5}, {"id": 2, "name": "Gannet", "age": 6}])"));
  const Json answer =
      upsert("boats", {"id"}, parsed(R"([{"id": 1, "age": 7}, {"id": 2, "name": "Gannet II"}, {"id": 3, "age": 1}])"));
  CHECK(answer["added"] == 1);
  CHECK(answer["updated"] == 2);
  CHECK(answer["rows"] == 3);
  CHECK(rows("boats") == parsed(R"([{"id": 1, "name": "Tern", "age": 7}, {"id": 2, "name": "Gannet II", "age": 6},
                                    {"id": 3, "name": null, "age": 1}])"));
  upsert("boats", {"id"}, parsed(R"([{"id": 2, "name": null}])"));
  CHECK(rows("boats")[2] == parsed(R"({"id": 2, "name": null, "age": 6})"));
  CHECK(rows("boats", 1).size() == 2);
  CHECK(rows("boats", 2)[1]["name"] == "Gannet II");
}

TEST_CASE_METHOD(TableWorld, "upsert refuses keys that say nothing or too much, and names the rows") {
  create("a", parsed(R"([{"id": 1, "n": 1}, {"id": 1, "n": 2}, {"id": 2, "n": 3}])"));
  const std::string before = store_counts(sqlite);
  std::string message;
  CHECK(error_kind([&] { upsert("a", {}, parsed(R"([{"id": 1}])")); }) == "key_missing");
  CHECK(error_kind([&] { upsert("a", {"ib"}, parsed(R"([{"id": 1}])")); }, &message) == "key_missing");
  CHECK(message.find("\"id\"") != std::string::npos);
  CHECK(error_kind([&] { upsert("a", {"id"}, parsed(R"([{"id": 3, "n": 1}, {"id": null, "n": 2}])")); }, &message) ==
        "key_null");
  CHECK(message.find("row 2") != std::string::npos);
  CHECK(error_kind([&] { upsert("a", {"id"}, parsed(R"([{"id": 5}, {"id": 6}, {"id": 5}])")); }, &message) ==
        "key_repeated");
  CHECK(message.find("Rows 1 and 3") != std::string::npos);
  CHECK(error_kind([&] { upsert("a", {"id"}, parsed(R"([{"id": 2, "n": 9}, {"id": 1, "n": 9}])")); }, &message) ==
        "key_repeated");
  CHECK(message.find("Row 2") != std::string::npos);
  CHECK(store_counts(sqlite) == before);
}

TEST_CASE_METHOD(TableWorld, "upsert by several columns tells ('ab','c') from ('a','bc')") {
  create("a", parsed(R"([{"x": "ab", "y": "c", "n": 1}, {"x": "a", "y": "bc", "n": 2}])"));
  const Json answer = upsert("a", {"x", "y"}, parsed(R"([{"x": "a", "y": "bc", "n": 3}])"));
  CHECK(answer["updated"] == 1);
  CHECK(rows("a") == parsed(R"([{"x": "ab", "y": "c", "n": 1}, {"x": "a", "y": "bc", "n": 3}])"));
}

TEST_CASE_METHOD(TableWorld, "upsert finds rows after their key column was widened") {
  create("a", parsed(R"([{"id": 1, "n": 1}])"));
  upsert("a", {"id"}, parsed(R"([{"id": 1, "n": 2}])"));
  append("a", parsed(R"([{"id": 2.5, "n": 3}])"));
  const Json answer = upsert("a", {"id"}, parsed(R"([{"id": 1, "n": 4}, {"id": 2.5, "n": 5}])"));
  CHECK(answer["updated"] == 2);
  CHECK(answer["added"] == 0);
}

TEST_CASE_METHOD(TableWorld, "replace begins anew with the columns it brings, and the old ones stay in old versions") {
  create("a", parsed(R"([{"id": 1, "n": 10}])"));
  const Json answer = replace("a", parsed(R"([{"id": "x", "m": true}, {"id": "y", "m": false}])"));
  CHECK(answer["removed"] == 1);
  CHECK(answer["rows"] == 2);
  CHECK(answer["columns_removed"] == Json::array({"n"}));
  CHECK(types("a") == "id VARCHAR, m BOOLEAN");
  CHECK(rows("a", 1) == parsed(R"([{"id": 1, "n": 10}])"));
}

TEST_CASE_METHOD(TableWorld, "an idempotency key makes a repeated call harmless and a different one refused") {
  create("a", parsed(R"([{"e": "start"}])"));
  WriteRequest once = request("a", WriteMode::append);
  once.idempotency_key = "k";
  once.request_digest = "d";
  const Json rows_sent = parsed(R"([{"e": "done"}])");
  const Json first = write(once, rows_sent);
  const Json second = write(once, rows_sent);
  CHECK_FALSE(first.contains("repeated"));
  CHECK(second["repeated"] == true);
  CHECK(second["version"] == first["version"]);
  CHECK(rows("a").size() == 2);
  once.request_digest = "other";
  CHECK(error_kind([&] { write(once, rows_sent); }) == "idempotency_conflict");
}

TEST_CASE_METHOD(TableWorld, "the same rows appended again within minutes are told of, later ones are not") {
  create("a", parsed(R"([{"e": "start"}])"));
  const Json rows_sent = parsed(R"([{"e": "done"}])");
  CHECK_FALSE(warns(append("a", rows_sent), "identical_recent_append"));
  CHECK(warns(append("a", rows_sent), "identical_recent_append"));
  host.advance(11 * 60 * 1000);
  CHECK_FALSE(warns(append("a", rows_sent), "identical_recent_append"));
}

TEST_CASE_METHOD(TableWorld, "a stale write is refused with the current version named") {
  create("a", parsed(R"([{"n": 1}])"));
  append("a", parsed(R"([{"n": 2}])"));
  WriteRequest stale = request("a", WriteMode::replace);
  stale.expected_version = 1;
  std::string message;
  CHECK(error_kind([&] { write(stale, parsed(R"([{"n": 3}])")); }, &message) == "version_conflict");
  CHECK(message.find("version 2") != std::string::npos);
  CHECK(rows("a").size() == 2);
}

TEST_CASE_METHOD(TableWorld, "twenty appends in turns all arrive, each as a version of its own") {
  create("a", parsed(R"([{"n": 0}])"));
  std::vector<std::unique_ptr<Routine>> calls;
  for (int i = 1; i <= 20; ++i) {
    calls.push_back(std::make_unique<Routine>(
        core->writer.write(request("a", WriteMode::append), source_of_rows(Json::array({{{"n", i}}})))));
  }
  std::vector<bool> done(calls.size());
  for (int round = 0; round < 10'000; ++round) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (!done[i]) done[i] = calls[i]->step();
    }
  }
  std::set<std::int64_t> versions;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    REQUIRE(done[i]);
    versions.insert(calls[i]->take()["version"].get<std::int64_t>());
  }
  CHECK(versions.size() == 20);
  CHECK(rows("a").size() == 21);
}

TEST_CASE_METHOD(TableWorld, "a full store is told and keeps nothing of the call") {
  create("a", parsed(R"([{"n": 1}])"));
  const std::string before = store_counts(sqlite);
  store.fail(1 + 6, StoreError::Kind::full);
  const std::string kind = error_kind([&] { append("a", parsed(R"([{"n": 2}])")); });
  REQUIRE(store.fault_reached());
  CHECK(kind == "storage_full");
  CHECK(store_counts(sqlite) == before);
}

TEST_CASE_METHOD(TableWorld, "restore copies nothing, brings the columns back and can be undone") {
  create("a", parsed(R"([{"id": 1, "n": 10}])"));
  upsert("a", {"id"}, parsed(R"([{"id": 1, "n": 11, "m": 1}])"));
  replace("a", parsed(R"([{"z": 1}])"));
  const SqlRows before = sqlite.query("SELECT count(*) FROM segments");
  CHECK(restore("a", 1)["version"] == 4);
  CHECK(restore("a", 2)["version"] == 5);
  CHECK(sqlite.query("SELECT count(*) FROM segments") == before);
  CHECK(rows("a", 4) == parsed(R"([{"id": 1, "n": 10}])"));
  CHECK(rows("a", 5) == parsed(R"([{"id": 1, "n": 11, "m": 1}])"));
  CHECK(rows("a", 3) == parsed(R"([{"z": 1}])"));
  const TableRecord table = core->catalog.get("a");
  CHECK(core->versions.get(table, 5).digest == core->versions.get(table, 2).digest);
  CHECK(core->versions.get(table, 5).restored_from == 2);
  CHECK(error_kind([&] { restore("a", 9); }) == "unknown_version");
}

TEST_CASE_METHOD(TableWorld, "restore tells how many rows leave and come back") {
  create("a", parsed(R"([{"id": 1, "n": 10}, {"id": 2, "n": 20}])"));
  upsert("a", {"id"}, parsed(R"([{"id": 1, "n": 11}, {"id": 3, "n": 30}])"));
  const Json undone = restore("a", 1);
  CHECK(undone["added"] == 1);    // id 1 as it was
  CHECK(undone["removed"] == 2);  // id 1 as it became, and id 3
  const Json redone = restore("a", 2);
  CHECK(redone["added"] == 2);
  CHECK(redone["removed"] == 1);
  const Json same = restore("a", 4);
  CHECK(same["added"] == 0);
  CHECK(same["removed"] == 0);
}

TEST_CASE_METHOD(TableWorld, "a table comes back from the trash where its path is free") {
  create("a", parsed(R"([{"n": 1}])"));
  append("a", parsed(R"([{"n": 2}])"));
  core->catalog.trash(core->catalog.get("a"));
  create("a", parsed(R"([{"n": 9}])"));
  std::string message;
  CHECK(error_kind([&] { restore("a", 2); }, &message) == "path_taken");
  CHECK(message.find("rename") != std::string::npos);
  core->catalog.rename(core->catalog.get("a"), "b");
  CHECK(restore("a", 2)["version"] == 3);
  CHECK(rows("a").size() == 2);
}

TEST_CASE_METHOD(TableWorld, "a query's rows are typed by what they are, into a table by name") {
  create("a", parsed(R"([{"id": 1, "n": 10}])"));
  const auto save = [&](const std::string& path, WriteMode mode, const std::string& sql) {
    const TableRecord table = core->catalog.get("a");
    return run_to_end(
        core->writer.write(request(path, mode), select(sql, core->versions.snapshot(table, 1)), {}, Json::object()));
  };
  save("b", WriteMode::create, "SELECT id, n / 4 AS quarter, id AS ID FROM scan(0)");
  CHECK(types("b") == "id BIGINT, quarter DOUBLE, ID_2 BIGINT");
  save("a", WriteMode::append, "SELECT 7::DOUBLE AS n, 2::INTEGER AS id FROM scan(0)");
  CHECK(types("a") == "id BIGINT, n BIGINT");
  CHECK(rows("a") == parsed(R"([{"id": 1, "n": 10}, {"id": 2, "n": 7}])"));
  CHECK(error_kind([&] { save("a", WriteMode::append, "SELECT true AS n FROM scan(0)"); }) == "column_conflict");
}

TEST_CASE_METHOD(TableWorld, "many small appends are merged in order, marked as no change, and every version stays") {
  create("a", parsed(R"([{"n": 0}])"));
  for (int i = 1; i < 60; ++i) append("a", Json::array({{{"n", i}}}));
  const TableRecord table = core->catalog.get("a");
  CHECK(core->versions.snapshot(table, 60)->segments.size() < 40);
  CHECK(std::get<std::int64_t>(sqlite.query("SELECT count(*) FROM segment_spans WHERE data_change = 0")[0][0]) > 0);
  for (const std::int64_t version : {1, 9, 30, 59, 60}) {
    const Json read = rows("a", version);
    REQUIRE(read.size() == static_cast<std::size_t>(version));
    for (int i = 0; i < version; ++i) CHECK(read[static_cast<std::size_t>(i)]["n"] == i);
  }
  const SqlRows bytes = sqlite.query("SELECT merged_bytes, written_bytes FROM tables");
  CHECK(std::get<std::int64_t>(bytes[0][0]) * 10 <= std::get<std::int64_t>(bytes[0][1]) * 5);
}
