// Views: what a home's own pages ask beside the tools, through the core's face.
#include <catch2/catch.hpp>

#include "core.hpp"
#include "store/native_sqlite_store.hpp"
#include "support/memory_host.hpp"

using namespace stele;

namespace {

struct ViewWorld {
  NativeSqlStore store{":memory:"};
  MemoryHost host;
  std::unique_ptr<Core> core = Core::open(store, host);

  Json call(const char* tool, const std::string& arguments) {
    Caller caller;
    caller.author = "tester";
    caller.origin = "http://home.example";
    Json answer = core->call(tool, Json::parse(arguments), caller);
    CAPTURE(answer.dump());
    REQUIRE_FALSE(answer.contains("error"));
    return answer;
  }
  Json view(const char* name, const std::string& arguments, Caller caller = {}) {
    return core->view(name, Json::parse(arguments), std::move(caller));
  }
  Json rows(const std::string& more) { return view("read_rows", R"({"table": "birds", )" + more + "}"); }

  void write_birds() {
    call("write_table", R"({"table": "birds", "rows": [
        {"id": 1, "name": "Tern", "mass": 0.11, "seen": "2025-04-03", "rare": false, "tags": ["sea"]},
        {"id": 2, "name": "Owl's", "mass": 0.48, "seen": "2025-01-31", "rare": true, "tags": []},
        {"id": 3, "name": null, "mass": 9.5, "seen": null, "rare": null, "tags": null},
        {"id": 9007199254740993, "name": "tern; DROP", "mass": 12, "seen": "2024-12-31", "rare": false,
         "tags": ["sea", "ice"]}]})");
  }

  std::string ids(const std::string& more) {
    const Json answer = rows(R"("columns": ["id"], )" + more);
    CAPTURE(answer.dump());
    REQUIRE(answer.contains("rows"));
    std::string text;
    for (const Json& row : answer["rows"]) text += (text.empty() ? "" : " ") + row[0].dump();
    CHECK(answer["total_rows"] == answer["rows"].size());
    return text;
  }
};

constexpr const char* big = "\"9007199254740993\"";

}  // namespace

TEST_CASE_METHOD(ViewWorld, "rows are read whole, in the table's order, with their columns and their count") {
  write_birds();
  const Json answer = rows(R"("limit": 2, "columns": ["name", "tags"])");
  CHECK(answer["table"] == "birds");
  CHECK(answer["version"] == 1);
  CHECK(answer["columns"] == Json::parse(R"([{"name": "name", "type": "VARCHAR"}, {"name": "tags", "type": "JSON"}])"));
  CHECK(answer["rows"] == Json::parse(R"([["Tern", ["sea"]], ["Owl's", []]])"));
  CHECK(answer["total_rows"] == 4);
  CHECK(answer["truncated"] == false);
}

TEST_CASE_METHOD(ViewWorld, "a limit of 0 answers columns and count alone") {
  write_birds();
  const Json answer = rows(R"("limit": 0, "filters": [{"column": "rare", "op": "=", "value": false}])");
  CHECK(answer["columns"].size() == 6);
  CHECK(answer["rows"] == Json::array());
  CHECK(answer["total_rows"] == 2);
}

TEST_CASE_METHOD(ViewWorld, "each operator compares by the column's type") {
  write_birds();
  struct Case {
    const char* column;
    const char* op;
    const char* value;
    std::string ids;
  };
  const Case cases[] = {
      {"id", "=", "2", "2"},
      {"id", "=", "\"9007199254740993\"", big},
      {"id", "<", "2.5", "1 2"},
      {"id", ">=", "3", std::string("3 ") + big},
      {"mass", ">", "0.11", std::string("2 3 ") + big},
      {"mass", "<=", "\"1.1e-1\"", "1"},
      {"name", "=", "\"Owl's\"", "2"},
      {"name", "!=", "\"Tern\"", std::string("2 ") + big},
      {"name", "contains", "\"ER\"", std::string("1 ") + big},
      {"name", "starts_with", "\"owl'\"", "2"},
      {"name", "is_null", "null", "3"},
      {"name", "is_not_null", "null", std::string("1 2 ") + big},
      {"seen", ">", "\"2025-01-31\"", "1"},
      {"seen", "contains", "\"2025-\"", "1 2"},
      {"rare", "=", "true", "2"},
      {"rare", "!=", "\"true\"", std::string("1 ") + big},
      {"tags", "contains", "\"ice\"", big},
      {"tags", "=", "\"[]\"", "2"},
      {"mass", "contains", "\".4\"", "2"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.column, one.op, one.value);
    CHECK(ids(std::string(R"("filters": [{"column": ")") + one.column + R"(", "op": ")" + one.op + R"(", "value": )" +
              one.value + "}]") == one.ids);
  }
}

TEST_CASE_METHOD(ViewWorld, "a value is never read as SQL, and a wrong one is named") {
  write_birds();
  CHECK(ids(R"("filters": [{"column": "name", "op": "=", "value": "' OR true --"}])").empty());
  CHECK(ids(R"("filters": [{"column": "name", "op": "contains", "value": "'||(SELECT 1)||'"}])").empty());
  CHECK(ids(R"("search": "' OR 1=1 --")").empty());
  struct Case {
    const char* filter;
    const char* error;
  };
  const Case cases[] = {
      {R"({"column": "id", "op": "=", "value": "1 OR true"})", "invalid_filter"},
      {R"({"column": "id", "op": "="})", "invalid_filter"},
      {R"({"column": "seen", "op": "<", "value": "tomorrow"})", "invalid_filter"},
      {R"({"column": "rare", "op": "=", "value": "perhaps"})", "invalid_filter"},
      {R"({"column": "name", "op": "=", "value": {"a": 1}})", "invalid_filter"},
      {R"({"column": "name", "op": "=", "value": "a\u0000b"})", "invalid_filter"},
      {R"({"column": "name", "op": "~", "value": "a"})", "invalid_arguments"},
      {R"({"column": "nam", "op": "=", "value": "a"})", "unknown_column"},
      {R"({"column": "c1", "op": "=", "value": "a"})", "unknown_column"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.filter);
    const Json answer = rows(std::string(R"("filters": [)") + one.filter + "]");
    CHECK(answer.value("error", "") == one.error);
    CHECK_FALSE(answer.value("hint", "").empty());
  }
}

TEST_CASE_METHOD(ViewWorld, "a search looks into every column, whatever the case") {
  write_birds();
  CHECK(ids(R"("search": "TERN")") == std::string("1 ") + big);
  CHECK(ids(R"("search": "2025-01")") == "2");
  CHECK(ids(R"("search": "tern", "filters": [{"column": "id", "op": "<", "value": 5}])") == "1");
}

TEST_CASE_METHOD(ViewWorld, "rows are sorted by several columns, nulls last, ties in the table's order") {
  write_birds();
  CHECK(ids(R"("order_by": [{"column": "seen"}])") == std::string(big) + " 2 1 3");
  CHECK(ids(R"("order_by": [{"column": "seen", "descending": true}])") == std::string("1 2 ") + big + " 3");
  CHECK(ids(R"("order_by": [{"column": "rare"}, {"column": "mass", "descending": true}])") ==
        std::string(big) + " 1 2 3");
  CHECK(ids(R"("order_by": [{"column": "tags"}])").size() == ids(R"("limit": 10)").size());
}

TEST_CASE_METHOD(ViewWorld, "pages of any reading make up the whole, over segments with deleted rows") {
  std::string all = R"({"table": "t", "key_columns": ["id"], "mode": "upsert", "rows": [)";
  for (int i = 0; i < 50; ++i) all += std::string(i ? "," : "") + R"({"id": )" + std::to_string(i) + R"(, "v": "old"})";
  call("write_table", all + "]}");
  call("write_table", R"({"table": "t", "key_columns": ["id"], "mode": "upsert", "rows": [
      {"id": 0, "v": "new"}, {"id": 7, "v": "new"}, {"id": 49, "v": "new"}, {"id": 50, "v": "new"}]})");
  for (const char* reading : {"", R"("order_by": [{"column": "v"}, {"column": "id", "descending": true}],)",
                              R"("filters": [{"column": "id", "op": ">", "value": 5}],)"}) {
    CAPTURE(reading);
    const auto read = [&](int offset, int limit) {
      return view("read_rows", R"({"table": "t", )" + std::string(reading) + R"("offset": )" + std::to_string(offset) +
                                   R"(, "limit": )" + std::to_string(limit) + "}");
    };
    const Json whole = read(0, 1000);
    REQUIRE(whole["rows"].size() == whole["total_rows"]);
    Json pages = Json::array();
    for (int offset = 0; offset < 70; offset += 7) {
      const Json page = read(offset, 7);
      CHECK(page["total_rows"] == whole["total_rows"]);
      for (const Json& row : page["rows"]) pages.push_back(row);
    }
    CHECK(pages == whole["rows"]);
  }
}

TEST_CASE_METHOD(ViewWorld, "a page that would be too large has fewer rows and says so") {
  call("query", R"x({"sql": "SELECT i, repeat('x', 500000) AS t FROM range(40) r(i)", "save_as": "wide"})x");
  const Json page = view("read_rows", R"({"table": "wide", "limit": 40})");
  CHECK(page["truncated"] == true);
  CHECK(page["rows"].size() >= 5);
  CHECK(page["rows"].size() < 20);
  CHECK(page["total_rows"] == 40);
  CHECK(page["rows"][0][1].get<std::string>().size() == 500'000);
}

TEST_CASE_METHOD(ViewWorld, "earlier versions are read and compared by number") {
  write_birds();
  call("write_table",
       R"({"table": "birds", "mode": "upsert", "key_columns": ["id"], "rows": [{"id": 2, "name": "Owl"}]})");
  CHECK(rows(R"("version": 1, "columns": ["name"], "filters": [{"column": "id", "op": "=", "value": 2}])")["rows"] ==
        Json::parse(R"([["Owl's"]])"));
  CHECK(rows(R"("version": 3)")["error"] == "unknown_version");
  const Json diff = view("diff_versions", R"({"table": "birds", "from": 1, "to": 2})");
  CAPTURE(diff.dump());
  CHECK(diff["key_columns"] == Json::parse(R"(["id"])"));
  CHECK(diff["counts"] == Json::parse(R"({"added": 0, "removed": 0, "changed": 1})"));
  CHECK(diff["rows"][0]["before"][1] == "Owl's");
  CHECK(diff["rows"][0]["after"][1] == "Owl");
}

TEST_CASE_METHOD(ViewWorld, "receipts, shares, trash and totals are listed") {
  write_birds();
  call("write_table", R"({"table": "old", "rows": [{"a": 1}]})");
  call("query", R"({"sql": "SELECT count(*) AS n FROM birds", "receipt": true, "message": "how many"})");
  const std::string url = call("share_table", R"({"table": "birds"})")["url"];
  host.advance(1000);
  call("delete_table", R"({"table": "old"})");

  const Json receipts = view("list_receipts", "{}");
  REQUIRE(receipts["receipts"].size() == 1);
  const Json receipt = receipts["receipts"][0];
  CHECK(receipt["sql"] == "SELECT count(*) AS n FROM birds");
  CHECK(receipt["author"] == "tester");
  CHECK(receipt["message"] == "how many");
  CHECK(receipt["row_count"] == 1);
  CHECK(receipt["tables"] == Json::parse(R"([{"path": "birds", "version": 1}])"));
  CHECK(core->receipt(receipt["id"].get<std::string>()).has_value());
  CHECK(view("list_receipts", R"({"offset": 1})")["receipts"] == Json::array());
  CHECK(receipts["total"] == 1);

  const Json share = view("list_shares", "{}")["shares"][0];
  CHECK(share["path"] == "birds");
  CHECK(url == "http://home.example/s/" + share["token"].get<std::string>());
  CHECK(share["since"] == "2023-11-14T22:13:20.000Z");
  CHECK(share["version"] == 1);

  const Json trash = view("list_trash", "{}")["tables"];
  REQUIRE(trash.size() == 1);
  CHECK(trash[0]["path"] == "old");
  CHECK(trash[0]["rows"] == 1);
  CHECK(trash[0]["trashed_at"] == "2023-11-14T22:13:21.000Z");

  const Json totals = view("workspace", "{}");
  CHECK(totals["tables"] == 1);
  CHECK(totals["trashed"] == 1);
  CHECK(totals["versions"] == 2);
  CHECK(totals["rows"] == 4);
  CHECK(totals["bytes"].get<int>() > 500);
  CHECK(totals["receipts"] == 1);
  CHECK(totals["shares"] == 1);
}

TEST_CASE_METHOD(
    ViewWorld,
    "a query is run again over the versions it read, however it named them and whatever they are called now") {
  call("write_table", R"({"table": "birds", "rows": [{"n": 1}]})");
  call("write_table", R"({"table": "birds", "mode": "append", "rows": [{"n": 2}]})");
  const std::string sql = "SELECT birds.n, old.n FROM birds LEFT JOIN \"birds@1\" AS old USING (n) ORDER BY 1";
  const Json made = call("query", R"({"receipt": true, "sql": )" + Json(sql).dump() + "}");
  Json reads = Json::array();
  const Json document =
      Json::parse(core->receipt(made["receipt"]["id"].get<std::string>()).value()["document"].get<std::string>());
  for (const Json& read : document["reads"])
    reads.push_back(
        {{"name", read["table"]}, {"version", read["version"]}, {"digest", read["digest"]}, {"path", "fowl"}});
  call("write_table", R"({"table": "birds", "mode": "append", "rows": [{"n": 3}]})");
  call("update_table_info", R"({"table": "birds", "rename_to": "fowl"})");
  call("write_table", R"({"table": "birds", "rows": [{"n": 99}]})");

  const auto again = [&](const Json& over) { return view("run_again", Json({{"sql", sql}, {"reads", over}}).dump()); };
  const Json answer = again(reads);
  CAPTURE(answer.dump());
  CHECK(answer["rows"] == made["rows"]);
  CHECK(answer["rows"].size() == 2);

  Json other = reads;
  other[0]["digest"] = std::string(64, '0');
  CHECK(again(other)["error"] == "unknown_version");
  CHECK(again(Json::array())["error"] == "unknown_version");
  other = reads;
  other[0]["path"] = "gone";
  CHECK(again(other)["error"] == "unknown_table");
  CHECK(view("run_again", R"({"sql": "DELETE FROM birds", "reads": []})")["error"] == "sql_refused");
  CHECK(view("run_again", R"({"sql": "SELECT 42", "reads": []})")["rows"] == Json::parse("[[42]]"));
  Caller nobody;
  nobody.read = false;
  CHECK(view("run_again", R"({"sql": "SELECT 42", "reads": []})", nobody)["error"] == "forbidden");
}

TEST_CASE_METHOD(ViewWorld, "a view needs the scope to read, knows its name and its arguments, and is no tool") {
  Caller nobody;
  nobody.read = false;
  for (const char* name : {"list_receipts", "list_shares", "list_trash", "workspace"}) {
    CAPTURE(name);
    CHECK(view(name, "{}", nobody)["error"] == "forbidden");
    CHECK(core->call(name, Json::object(), {})["error"] == "unknown_tool");
  }
  CHECK(view("read_row", "{}")["error"] == "unknown_view");
  CHECK(view("read_rows", R"({"tabel": "birds"})")["error"] == "invalid_arguments");
  CHECK(view("read_rows", R"({"table": "birds", "limit": 10001})")["error"] == "invalid_arguments");
  CHECK(view("read_rows", R"({"table": "birds"})")["error"] == "unknown_table");
}
