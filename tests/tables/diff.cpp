// Diff: what changed between any two versions, against a comparison of all rows so simple that it is plainly right.
#include "tables/diff.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "support/diff_model.hpp"
#include "support/table_world.hpp"
#include "tables/row_difference.hpp"

using namespace stele;
using namespace stele::testing;

namespace {

struct DiffWorld : TableWorld {
  Json diff(std::int64_t from, std::int64_t to, std::optional<std::vector<std::string>> key = std::nullopt,
            std::uint64_t offset = 0, std::uint64_t limit = 1000) {
    return TableWorld::diff(core->catalog.get("t"), from, to, std::move(key), offset, limit);
  }

  ModelVersion version(std::int64_t number) {
    ModelVersion version;
    for (const Column& column : core->versions.columns(core->catalog.get("t"), number))
      version.columns.push_back({column.name, column.id});
    for (const Json& row : rows("t", number)) version.rows.push_back(row);
    return version;
  }

  RowDifference own_rows(std::int64_t from, std::int64_t to) {
    return row_difference(sqlite, core->versions, core->catalog.get("t"), from, to);
  }

  std::int64_t merges() {
    return std::get<std::int64_t>(sqlite.query("SELECT count(*) FROM segment_spans WHERE data_change = 0")[0][0]);
  }
};

Json counts(int added, int removed, int changed) {
  Json json = Json::object();
  json["added"] = added;
  json["removed"] = removed;
  json["changed"] = changed;
  return json;
}

std::vector<std::string> names(const Json& columns) {
  std::vector<std::string> found;
  for (const Json& column : columns) found.push_back(column["name"]);
  return found;
}

// A table's random life: ids stay unique, so that a key means something; rows repeat, merges come about.
class Life {
 public:
  explicit Life(std::uint64_t seed) : random_(seed) {}

  void run(int steps) {
    world_.create("t", batch(20));
    for (int i = 1; i < steps; ++i) step(i);
  }
  DiffWorld& world() { return world_; }
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

 private:
  // New ids, but few values, so that without the id many rows are the same.
  Json batch(int count) {
    Json rows = Json::array();
    for (int i = 0; i < count; ++i) rows.push_back(row(next_id_++));
    return rows;
  }
  Json row(int id) {
    Json made = Json::object();
    made["id"] = id;
    made["name"] = std::string(static_cast<std::size_t>(1 + below(3)), 'x');
    made["n"] = below(3);
    if (wide_) made["extra"] = below(2) == 0 ? Json() : Json(below(2));
    return made;
  }

  void step(int version) {
    const int what = below(10);
    if (what < 3) {
      world_.append("t", batch(1 + below(4)));
    } else if (what < 8) {
      Json rows = Json::array();
      std::vector<int> ids;
      for (int i = 0; i < 1 + below(5); ++i) {
        const int id = below(next_id_);
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) rows.push_back(row(id));
        ids.push_back(id);
      }
      world_.upsert("t", {"id"}, rows);
    } else if (what < 9) {
      world_.restore("t", 1 + below(version));
    } else {
      wide_ = wide_ || below(2) == 0;
      Json rows = Json::array();
      for (int id = 0; id < next_id_; id += 1 + below(3)) rows.push_back(row(id));
      world_.replace("t", rows);
    }
  }

  std::mt19937_64 random_;
  DiffWorld world_;
  int next_id_ = 0;
  bool wide_ = false;
};

}  // namespace

TEST_CASE("any two versions of random histories differ as their rows do, with a key and without") {
  std::int64_t merges = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Life life(seed);
    life.run(30);
    merges += life.world().merges();
    for (int pair = 0; pair < 8; ++pair) {
      const std::int64_t from = 1 + life.below(30), to = 1 + life.below(30);
      CAPTURE(seed, from, to);
      DiffWorld& world = life.world();
      const ModelVersion before = world.version(from), after = world.version(to);
      check_diff_by_values(world.diff(from, to, std::vector<std::string>()), before, after);
      check_diff_by_key(world.diff(from, to, std::vector<std::string>{"id"}), before, after, "id");
    }
  }
  CHECK(merges > 10);  // else the histories would not show that merges are seen through
}

TEST_CASE_METHOD(DiffWorld, "a row that both versions have is no one's own, whatever was merged between them") {
  create("t", Json::parse(R"([{"id": 0, "v": "first"}])"));
  for (int i = 1; i <= 60; ++i) append("t", Json::parse(R"([{"id": )" + std::to_string(i) + R"(, "v": "x"}])"));
  REQUIRE(merges() > 0);
  const RowDifference difference = own_rows(2, 61);
  CHECK(difference.before.count == 0);
  CHECK(difference.after.count == 59);
  CHECK(diff(2, 61)["counts"] == counts(59, 0, 0));
}

TEST_CASE_METHOD(DiffWorld, "an upsert's changes are told cell by cell, by its own key") {
  create("t", Json::parse(R"([{"id": 1, "v": "a"}, {"id": 2, "v": "b"}, {"id": 3, "v": "c"}])"));
  upsert("t", {"id"}, Json::parse(R"([{"id": 2, "v": "B"}, {"id": 3, "v": "c"}, {"id": 4, "v": "d"}])"));
  const Json answer = diff(1, 2);
  CHECK(answer["key_columns"] == Json::parse(R"(["id"])"));
  CHECK(answer["counts"] == counts(1, 0, 1));
  CHECK(answer["rows"] == Json::parse(R"([{"change": "changed", "before": [2, "b"], "after": [2, "B"]},
                                          {"change": "added", "after": [4, "d"]}])"));
}

TEST_CASE_METHOD(DiffWorld, "the same two versions the other way round tell the opposite") {
  create("t", Json::parse(R"([{"id": 1, "v": "a"}, {"id": 2, "v": "b"}])"));
  upsert("t", {"id"}, Json::parse(R"([{"id": 2, "v": "B"}, {"id": 4, "v": "d"}])"));
  CHECK(diff(2, 1)["counts"] == counts(0, 1, 1));
  CHECK(diff(2, 2)["counts"] == counts(0, 0, 0));
}

TEST_CASE_METHOD(DiffWorld, "columns that were added, removed, retyped or renamed are told, and make no row a change") {
  create("t", Json::parse(R"([{"id": 1, "old": "a", "n": 1}])"));
  replace("t", Json::parse(R"([{"id": 1, "n": 1.5, "new": null}, {"id": 2, "n": 2.5, "new": "x"}])"));
  const Json answer = diff(1, 2, std::vector<std::string>{"id"});
  CHECK(names(answer["columns"]["added"]) == std::vector<std::string>{"new"});
  CHECK(names(answer["columns"]["removed"]) == std::vector<std::string>{"old"});
  CHECK(answer["columns"]["retyped"] == Json::parse(R"([{"name": "n", "from": "BIGINT", "to": "DOUBLE"}])"));
  CHECK(names(answer["columns_shown"]) == std::vector<std::string>{"id", "n", "new", "old"});
  CHECK(answer["rows"] == Json::parse(R"([
      {"change": "changed", "before": [1, 1, null, "a"], "after": [1, 1.5, null, null]},
      {"change": "added", "after": [2, 2.5, "x", null]}])"));
}

TEST_CASE_METHOD(DiffWorld, "a table written anew with the same rows has not changed") {
  create("t", Json::parse(R"([{"id": 1, "v": "a"}, {"id": 2, "v": null}, {"id": 2, "v": null}])"));
  replace("t", Json::parse(R"([{"id": 2, "v": null}, {"id": 1, "v": "a"}, {"id": 2, "v": null}])"));
  CHECK(diff(1, 2)["counts"] == counts(0, 0, 0));
  CHECK(diff(1, 2, std::vector<std::string>{"id"})["counts"] == counts(0, 0, 0));
}

TEST_CASE_METHOD(DiffWorld, "pages of a diff make up the whole") {
  create("t", Json::parse(R"([{"id": 1, "v": "a"}, {"id": 2, "v": "b"}, {"id": 3, "v": "c"}])"));
  upsert("t", {"id"}, Json::parse(R"([{"id": 1, "v": "A"}, {"id": 2, "v": "B"}, {"id": 3, "v": "C"}])"));
  append("t", Json::parse(R"([{"id": 4, "v": "d"}, {"id": 5, "v": "e"}])"));
  const Json whole = diff(1, 3);
  REQUIRE(whole["rows"].size() == 5);
  Json pages = Json::array();
  for (std::uint64_t offset = 0; offset < 6; offset += 2) {
    const Json page = diff(1, 3, std::nullopt, offset, 2);
    for (const Json& row : page["rows"]) pages.push_back(row);
  }
  CHECK(pages == whole["rows"]);
  CHECK(diff(2, 3, std::nullopt, 1, 5)["rows"] == Json::parse(R"([{"change": "added", "after": [5, "e"]}])"));
}

TEST_CASE_METHOD(DiffWorld, "values of every kind of type are compared by what they are") {
  create("t", Json::parse(R"([{"id": 1, "j": {"a": [1, {"b": null}]}, "d": "2025-01-31", "t": "2025-01-31T06:45:00Z"},
                              {"id": 2, "j": [1, 2], "d": "2025-02-01", "t": "2025-01-31T07:45:00Z"}])"));
  replace("t", Json::parse(R"([{"id": 1, "j": {"a": [1, {"b": null}]}, "d": "2025-01-31", "t": "2025-01-31T06:45:00Z"},
                               {"id": 2, "j": [1, 3], "d": "2025-02-01", "t": "2025-01-31T07:45:00Z"}])"));
  CHECK(diff(1, 2, std::vector<std::string>{"id"})["counts"] == counts(0, 0, 1));
  CHECK(diff(1, 2, std::vector<std::string>{"j"})["counts"] == counts(1, 1, 0));
}

TEST_CASE_METHOD(DiffWorld, "a diff names a version or a key column that is not there") {
  create("t", Json::parse(R"([{"id": 1}])"));
  CHECK(error_kind([&] { diff(1, 9); }) == "unknown_version");
  CHECK(error_kind([&] { diff(1, 1, std::vector<std::string>{"idd"}); }) == "unknown_column");
}
