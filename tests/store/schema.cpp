// Schema: a store is brought forward, a version a commit, and one that a later Stele wrote is left as it is.
#include "store/schema.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "base/error.hpp"
#include "store/native_sqlite_store.hpp"
#include "support/faulty_store.hpp"

using namespace stele;

namespace {

constexpr std::string_view three_files[] = {
    "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value) WITHOUT ROWID;  -- a comment; with a semicolon;\n",
    "-- Version 2.\nCREATE TABLE one (\n  a INTEGER  -- first\n);\nINSERT INTO one VALUES (1);\n",
    "ALTER TABLE one ADD COLUMN b TEXT NOT NULL DEFAULT 'x';\n",
};

std::vector<std::string> names(SqlStore& store) {
  std::vector<std::string> found;
  for (auto& row : store.query("SELECT name FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")) {
    found.push_back(std::get<std::string>(row[0]));
  }
  return found;
}

}  // namespace

TEST_CASE("an empty store gets the current schema, a commit each version, and a second migration does nothing") {
  NativeSqlStore sqlite(":memory:");
  FaultyStore store(sqlite);
  CHECK(schema_version(store) == 0);
  migrate(store);
  const auto files = schema_files().size();
  CHECK(store.commits() == files);
  CHECK(schema_version(store) == static_cast<std::int64_t>(files));
  const auto made = names(store);
  for (const auto* name :
       {"meta", "blobs", "blobs_unpublished", "chunks", "tables", "versions", "segments", "receipts"}) {
    CAPTURE(name);
    CHECK(std::find(made.begin(), made.end(), name) != made.end());
  }
  migrate(store);
  CHECK(store.commits() == files);
}

TEST_CASE("a store of an earlier version is led forward, keeping what it holds") {
  NativeSqlStore store(":memory:");
  const std::span files(three_files);
  migrate(store, files.first(2));
  CHECK(schema_version(store) == 2);
  migrate(store, files);
  CHECK(schema_version(store) == 3);
  CHECK(store.query("SELECT a, b FROM one") == SqlRows{{std::int64_t{1}, std::string("x")}});
}

TEST_CASE("a store of a later version is refused with both versions named, and left as it is") {
  NativeSqlStore sqlite(":memory:");
  migrate(sqlite, three_files);
  FaultyStore store(sqlite);
  try {
    migrate(store, std::span(three_files).first(1));
    FAIL("it was not refused");
  } catch (const Error& error) {
    CHECK(error.kind() == "store_newer");
    CHECK(error.message().find("version 3") != std::string::npos);
    CHECK(error.message().find("up to 1") != std::string::npos);
  }
  CHECK(store.commits() == 0);
}

TEST_CASE("a migration that dies anywhere leaves a whole version, from which the next start goes on") {
  for (const auto point : {FaultPoint::before, FaultPoint::after}) {
    bool reached = true;
    for (std::uint64_t n = 1; reached; ++n) {
      CAPTURE(n);
      NativeSqlStore sqlite(":memory:");
      FaultyStore dying(sqlite);
      dying.die(n, point);
      try {
        migrate(dying, three_files);
      } catch (const StoreError&) {
      }
      reached = dying.fault_reached();
      migrate(sqlite, three_files);
      CHECK(schema_version(sqlite) == 3);
      CHECK(sqlite.query("SELECT count(*) FROM one") == SqlRows{{std::int64_t{1}}});
    }
  }
}

TEST_CASE("a statement that fails takes its whole version with it") {
  NativeSqlStore store(":memory:");
  const std::string_view broken[] = {three_files[0], "CREATE TABLE two (a);\nCREATE TABLE meta (b);\n"};
  CHECK_THROWS_AS(migrate(store, broken), StoreError);
  CHECK(schema_version(store) == 1);
  CHECK(names(store) == std::vector<std::string>{"meta"});
}
