// Calls that do not run to their end: cancelled, out of time, or over a store that is full. Each says so and leaves
// nothing.
#include <catch2/catch.hpp>

#include "core.hpp"
#include "store/native_sqlite_store.hpp"
#include "support/faulty_store.hpp"
#include "support/memory_host.hpp"

using namespace stele;

namespace {

struct CoreWorld {
  NativeSqlStore sqlite{":memory:"};
  FaultyStore store{sqlite};
  MemoryHost host;
  std::unique_ptr<Core> core = Core::open(store, host);

  CallId start(const char* tool, const char* arguments) { return core->start(tool, Json::parse(arguments), {}); }
  Json call(const char* tool, const char* arguments) { return core->call(tool, Json::parse(arguments), {}); }

  // Up to `slices` steps, as long as the call works on. Whether it does.
  bool works_for(CallId id, int slices) {
    for (int i = 0; i < slices; ++i)
      if (core->step(id).state != Step::State::working) return false;
    return true;
  }

  Json ended(CallId id) {
    const Step last = core->step(id);
    CHECK(last.state == Step::State::done);
    CHECK(last.is_error);
    return last.value;
  }

  StagedId stage(const std::string& text) {
    const StagedId id = core->stage();
    core->stage_append(id, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    core->stage_end(id);
    return id;
  }

  std::int64_t count(const std::string& table) {
    return std::get<std::int64_t>(sqlite.query("SELECT count(*) FROM " + table)[0][0]);
  }

  void check_empty() {
    for (const char* table : {"blobs", "chunks", "tables", "versions", "segments"}) {
      CAPTURE(table);
      CHECK(count(table) == 0);
    }
  }
};

constexpr const char* endless =
    R"json({"sql": "SELECT sum(a.i * b.i) AS s FROM range(1000000) a(i), range(1000000) b(i)"})json";

}  // namespace

TEST_CASE_METHOD(CoreWorld, "a cancelled query ends at its next step, and the next call is answered") {
  const CallId id = start("query", endless);
  REQUIRE(works_for(id, 5));
  core->cancel(id);
  CHECK(ended(id)["error"] == "cancelled");
  CHECK(call("query", R"json({"sql": "SELECT 1 AS one"})json")["rows"] == Json::parse("[[1]]"));
}

TEST_CASE_METHOD(CoreWorld, "a query that is cancelled while its rows are being saved leaves no table and no bytes") {
  const CallId id = start(
      "query", R"json({"sql": "SELECT i, sha256(i::VARCHAR) AS s FROM range(2000000) t(i)", "save_as": "big"})json");
  while (count("chunks") == 0) {
    const Step step = core->step(id);
    CAPTURE(step.value.dump());
    REQUIRE(step.state == Step::State::working);
  }
  core->cancel(id);
  CHECK(ended(id)["error"] == "cancelled");
  check_empty();
}

TEST_CASE_METHOD(CoreWorld, "an import that is cancelled, wherever it is, leaves no table and no bytes") {
  // The last row shows that the first ones misled, so that the file is read a second time.
  std::string csv = "id,name\n";
  for (int i = 0; i < 250'000; ++i) csv += std::to_string(i) + ",name of " + std::to_string(i) + "\n";
  csv += "none,nobody\n";
  for (const int slices : {0, 1, 4, 10, 50}) {
    CAPTURE(slices);
    const CallId id = start("import_table", R"json({"table": "t", "source_url": "https://files.example/a.csv"})json");
    REQUIRE(core->step(id).state == Step::State::asking);
    Json reply = Json::object();
    reply["staged"] = stage(csv);
    reply["url"] = "https://files.example/a.csv";
    reply["content_type"] = "text/csv";
    core->answer(id, reply);
    REQUIRE(works_for(id, slices));
    core->cancel(id);
    CHECK(ended(id)["error"] == "cancelled");
    check_empty();
  }
}

TEST_CASE_METHOD(CoreWorld, "a call can be cancelled before it begins and while it asks") {
  const CallId fresh = start("write_table", R"json({"table": "t", "rows": [{"a": 1}]})json");
  core->cancel(fresh);
  CHECK(ended(fresh)["error"] == "cancelled");
  const CallId asking = start("import_table", R"json({"table": "t", "source_url": "https://files.example/a.csv"})json");
  REQUIRE(core->step(asking).state == Step::State::asking);
  core->cancel(asking);
  CHECK(ended(asking)["error"] == "cancelled");
  check_empty();
}

TEST_CASE_METHOD(CoreWorld, "a query that runs past the time limit is told the limit") {
  const CallId id = start("query", endless);
  REQUIRE(works_for(id, 3));
  host.advance(Limits().query_ms + 1);
  const Json answer = ended(id);
  CHECK(answer["error"] == "time_limit");
  CHECK(answer["message"].get<std::string>().find(std::to_string(Limits().query_ms)) != std::string::npos);
}

TEST_CASE("a store that is full or fails at any operation of a write is told so, and nothing is stored") {
  const auto [failure, error] = GENERATE(Catch::Generators::table<StoreError::Kind, std::string>(
      {{StoreError::Kind::full, "storage_full"}, {StoreError::Kind::io, "storage_failed"}}));
  constexpr const char* rows = R"json({"table": "t", "rows": [{"id": 1, "name": "Tern"}]})json";
  std::uint64_t operations = 0;
  {
    CoreWorld world;
    const std::uint64_t before = world.store.operations();
    REQUIRE_FALSE(world.call("write_table", rows).contains("error"));
    operations = world.store.operations() - before;
  }
  for (std::uint64_t at = 1; at <= operations; ++at) {
    CAPTURE(at);
    CoreWorld world;
    world.store.fail(at, failure);
    const Json answer = world.call("write_table", rows);
    REQUIRE(answer.value("error", "") == error);
    world.check_empty();
    CHECK(world.call("write_table", rows)["version"] == 1);
  }
}
