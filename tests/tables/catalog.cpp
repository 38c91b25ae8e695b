// Catalog: paths are checked, found, listed and told apart; what is not there is answered with what may be meant.
#include "tables/catalog.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "store/native_sqlite_store.hpp"
#include "store/schema.hpp"
#include "support/memory_host.hpp"

using namespace stele;

namespace {

struct CatalogFixture {
  NativeSqlStore store{":memory:"};
  MemoryHost host;
  Catalog catalog{store, host};

  CatalogFixture() { migrate(store); }

  TableRecord add(const std::string& path, const std::string& description = "") {
    const SqlStatement batch[] = {
        {"INSERT INTO tables (id, path, description, version, next_column, created_ms) VALUES (?, ?, ?, 1, 1, 0)",
         {"id of " + path, path, description}}};
    store.commit(batch);
    return catalog.get(path);
  }
  std::vector<std::string> listed(std::string_view folder, std::string_view search = "", std::size_t limit = 100) {
    std::vector<std::string> paths;
    for (const TableRecord& table : catalog.list(folder, search, limit).tables) paths.push_back(table.path);
    return paths;
  }
  std::string hint_for(std::string_view path) {
    try {
      catalog.get(path);
    } catch (const Error& error) {
      CHECK(error.kind() == "unknown_table");
      return error.message() + " " + error.hint();
    }
    return "";
  }
};

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("a path is refused for what readers or SQL would stumble over") {
  for (const char* good : {"a", "research/competitors", "Ärzte/2024 (neu)", "a.b/c-d", "🦆"})
    CHECK_NOTHROW(check_path(good));
  const std::string longest(200, 'x');
  CHECK_NOTHROW(check_path(longest));
  for (const std::string& bad :
       {std::string(), longest + "x", std::string("a//b"), std::string("/a"), std::string("a/"), std::string("a@1"),
        std::string("a\"b"), std::string("a\\b"), std::string(" a"), std::string("a "), std::string("a\nb"),
        std::string("a\0b", 3), std::string("a\xc2\x85")}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(check_path(bad), Error);
  }
}

TEST_CASE_METHOD(CatalogFixture, "a folder lists what lies under it and not what begins like it") {
  for (const char* path : {"a", "a/x", "a/y/z", "ab/x", "A/x", "b"}) add(path);
  CHECK(listed("a") == Paths{"a/x", "a/y/z"});
  CHECK(listed("a/") == Paths{"a/x", "a/y/z"});
  CHECK(listed("a/y") == Paths{"a/y/z"});
  CHECK(listed("") == Paths{"A/x", "a", "a/x", "a/y/z", "ab/x", "b"});
  CHECK(listed("", "", 2) == Paths{"A/x", "a"});
  CHECK(catalog.list("", "", 2).total == 6);
}

TEST_CASE_METHOD(CatalogFixture,
                 "a search looks at paths and descriptions, whatever the case, and takes no wildcards") {
  add("research/competitors", "Firms like ours");
  add("sales/2024", "100% of orders");
  CHECK(listed("", "COMPET") == Paths{"research/competitors"});
  CHECK(listed("", "firms LIKE") == Paths{"research/competitors"});
  CHECK(listed("", "100%") == Paths{"sales/2024"});
  CHECK(listed("", "_").empty());
  CHECK(listed("sales", "firms").empty());
}

TEST_CASE_METHOD(CatalogFixture, "a misspelt path is answered with near ones, a trashed one with the way back") {
  add("research/competitors");
  add("zebra");
  CHECK(hint_for("research/competitor").find("research/competitors") != std::string::npos);
  CHECK(hint_for("competitors").find("research/competitors") != std::string::npos);
  CHECK(hint_for("competitors").find("zebra") == std::string::npos);
  catalog.trash(catalog.get("zebra"));
  CHECK(hint_for("zebra").find("trash") != std::string::npos);
  CHECK(hint_for("zebra").find("restore_version") != std::string::npos);
}

TEST_CASE_METHOD(CatalogFixture, "a table keeps its id through a rename and takes no path that is taken") {
  const TableRecord table = add("a");
  add("b");
  catalog.rename(table, "c/d");
  CHECK(catalog.get("c/d").id == table.id);
  CHECK_FALSE(catalog.find("a"));
  CHECK_THROWS_AS(catalog.rename(table, "b"), Error);
  CHECK_THROWS_AS(catalog.rename(table, "x@1"), Error);
  CHECK_NOTHROW(catalog.rename(table, "c/d"));
}

TEST_CASE_METHOD(CatalogFixture, "trash frees the path and ends the share, and the last trashed one is found") {
  const TableRecord first = add("a");
  catalog.share(first);
  catalog.trash(first);
  CHECK_FALSE(catalog.find("a"));
  host.advance(5);
  const SqlStatement again[] = {
      {"INSERT INTO tables (id, path, version, next_column, created_ms) VALUES ('second', 'a', 1, 1, 0)", {}}};
  store.commit(again);
  catalog.trash(catalog.get("a"));
  CHECK(catalog.find_trashed("a")->id == "second");
  CHECK(catalog.find_trashed("a")->share_token.empty());
}

TEST_CASE_METHOD(CatalogFixture, "descriptions are set, kept and removed one by one") {
  const TableRecord table = add("a", "old");
  catalog.describe(table, std::nullopt, {{1, "metres"}, {2, "who"}});
  CHECK(catalog.get("a").description == "old");
  catalog.describe(table, "new", {{1, ""}});
  CHECK(catalog.get("a").description == "new");
  CHECK(catalog.get("a").column_descriptions == std::map<int, std::string>{{2, "who"}});
}

TEST_CASE_METHOD(CatalogFixture, "a share keeps its token until it ends, and a new one gets another") {
  add("a");
  const std::string token = catalog.share(catalog.get("a"));
  CHECK(catalog.share(catalog.get("a")) == token);
  CHECK(catalog.find_shared(token)->path == "a");
  catalog.unshare(catalog.get("a"));
  CHECK_FALSE(catalog.find_shared(token));
  CHECK(catalog.share(catalog.get("a")) != token);
}
