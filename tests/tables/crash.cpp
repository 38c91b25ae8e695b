// Crashes: a store that refuses or dies at any single operation of any write leaves the table at the old version or the
// new one, never between, keeps what was acknowledged, and leaves nothing unpublished once it is opened again.
#include <catch2/catch.hpp>
#include <functional>

#include "support/adoption.hpp"
#include "support/table_world.hpp"

using namespace stele;
using namespace stele::testing;

namespace {

Json numbered(int from, int count) {
  Json rows = Json::array();
  for (int i = from; i < from + count; ++i) rows.push_back({{"id", i}, {"name", "row " + std::to_string(i)}});
  return rows;
}

struct Write {
  const char* name;
  std::function<void(TableWorld&)> set_up;
  std::function<void(TableWorld&)> run;
};

void two_versions(TableWorld& world) {
  world.create("a", numbered(0, 5));
  world.append("a", numbered(5, 5));
}

std::vector<Write> all_writes() {
  return {
      {"create", [](TableWorld&) {}, [](TableWorld& world) { world.create("a", numbered(0, 5)); }},
      {"append", two_versions, [](TableWorld& world) { world.append("a", numbered(10, 5)); }},
      {"upsert", two_versions,
       [](TableWorld& world) {
         world.upsert("a", {"id"}, Json::parse(R"([{"id": 3}, {"id": 8, "name": "x"}, {"id": 77}])"));
       }},
      {"replace", two_versions, [](TableWorld& world) { world.replace("a", numbered(50, 2)); }},
      {"restore", two_versions, [](TableWorld& world) { world.restore("a", 1); }},
      {"append that merges",
       [](TableWorld& world) {
         world.create("a", numbered(0, 1));
         for (int i = 1; i < 30; ++i) world.append("a", numbered(i, 1));
       },
       [](TableWorld& world) { world.append("a", numbered(30, 1)); }},
      {"adopt", [](TableWorld& world) { world.create("a", Json::parse(R"([{"c1": 0, "c2": "first"}])")); },
       [](TableWorld& world) {
         adopt(world, TableWorld::request("a", WriteMode::append), numbered_parquet(*world.core, 1, 3));
       }},
      {"rename", two_versions,
       [](TableWorld& world) { world.core->catalog.rename(world.core->catalog.get("a"), "b"); }},
      {"trash", two_versions, [](TableWorld& world) { world.core->catalog.trash(world.core->catalog.get("a")); }},
      {"restore from the trash",
       [](TableWorld& world) {
         two_versions(world);
         world.core->catalog.trash(world.core->catalog.get("a"));
       },
       [](TableWorld& world) { world.restore("a", 2); }},
  };
}

// All tables with the rows of all their versions.
std::string contents(TableWorld& world) {
  std::string text;
  for (const char* path : {"a", "b"}) {
    const auto table = world.core->catalog.find(path);
    const auto trashed = world.core->catalog.find_trashed(path);
    for (const auto& one : {table, trashed}) {
      if (!one) continue;
      text += std::string(path) + (one->trashed_ms ? " in the trash" : "") + "\n";
      for (std::int64_t version = 1; version <= one->version; ++version)
        text += world.rows_of(*one, version).dump() + "\n";
    }
  }
  return text;
}

std::int64_t count(SqlStore& store, const std::string& sql) { return std::get<std::int64_t>(store.query(sql)[0][0]); }

void check_no_leftovers(SqlStore& store) {
  CHECK(count(store, "SELECT count(*) FROM blobs WHERE published = 0") == 0);
  CHECK(count(store, "SELECT count(*) FROM blobs WHERE id NOT IN (SELECT blob FROM segments)") == 0);
  CHECK(count(store, "SELECT count(*) FROM chunks WHERE blob NOT IN (SELECT id FROM blobs)") == 0);
  CHECK(count(store, "SELECT count(*) FROM segments WHERE blob NOT IN (SELECT segment FROM segment_spans)") == 0);
}

struct Expected {
  std::string before, after;
  std::uint64_t operations = 0;
};

Expected expected(const Write& write) {
  Expected expected;
  TableWorld world;
  write.set_up(world);
  expected.before = contents(world);
  const std::uint64_t begun = world.store.operations();
  write.run(world);
  expected.operations = world.store.operations() - begun;
  expected.after = contents(world);
  return expected;
}

bool acknowledged(TableWorld& world, const Write& write) {
  try {
    write.run(world);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

TEST_CASE("a store that dies at any operation of a write leaves the old version or the new one") {
  for (const Write& write : all_writes()) {
    const Expected wanted = expected(write);
    REQUIRE(wanted.before != wanted.after);
    for (const FaultPoint point : {FaultPoint::before, FaultPoint::after}) {
      for (std::uint64_t at = 1; at <= wanted.operations; ++at) {
        CAPTURE(write.name, at, point == FaultPoint::before);
        TableWorld world;
        write.set_up(world);
        world.store.die(at, point);
        const bool answered = acknowledged(world, write);
        world.reopen();
        const std::string found = contents(world);
        CHECK((found == wanted.after || (!answered && found == wanted.before)));
        check_no_leftovers(world.sqlite);
      }
    }
  }
}

TEST_CASE("a store that refuses any one operation of a write leaves nothing of it, and the next call succeeds") {
  for (const Write& write : all_writes()) {
    const Expected wanted = expected(write);
    for (std::uint64_t at = 1; at <= wanted.operations; ++at) {
      CAPTURE(write.name, at);
      TableWorld world;
      write.set_up(world);
      const std::string before = store_counts(world.sqlite);
      world.store.fail(at, StoreError::Kind::full);
      if (!acknowledged(world, write)) {
        CHECK(contents(world) == wanted.before);
        CHECK(store_counts(world.sqlite) == before);
        write.run(world);
      } else {
        // What was refused was a clean-up: the next start does it.
        world.reopen();
      }
      CHECK(contents(world) == wanted.after);
      check_no_leftovers(world.sqlite);
    }
  }
}
