// Histories: random writes of every mode, restores, renames and deletions, against a model so simple that it is plainly
// right. Every version of every table must read as the model has it, by the page too, and any two must differ as the
// model's do. STELE_HISTORIES sets how many; a failure names its
// seed.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

#include "support/diff_model.hpp"
#include "support/table_world.hpp"
#include "tables/column_list.hpp"

using namespace stele;
using namespace stele::testing;

namespace {

struct ModelTable {
  std::string path;
  bool trashed = false;
  std::vector<ModelVersion> versions;  // [0] is version 1
};

class History {
 public:
  explicit History(std::uint64_t seed) : random_(seed) {}

  void run() {
    const int steps = 4 + below(12);
    for (int i = 0; i < steps; ++i) step();
    check_all();
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

  ModelTable* live(const std::string& path) {
    for (ModelTable& table : tables_) {
      if (!table.trashed && table.path == path) return &table;
    }
    return nullptr;
  }
  // The one trashed last is the last in the list.
  ModelTable* trashed(const std::string& path) {
    for (auto table = tables_.rbegin(); table != tables_.rend(); ++table) {
      if (table->trashed && table->path == path) return &*table;
    }
    return nullptr;
  }

  std::string any_path() { return below(3) == 0 ? "b/c" : "a"; }

  Json any_row(bool whole) {
    Json row = {{"id", below(12)}};
    if (whole || below(3) > 0) row["name"] = below(5) == 0 ? Json() : Json("n" + std::to_string(below(100)));
    if (whole || below(3) > 0) row["n"] = below(1000);
    if (!whole && below(6) == 0) row["extra"] = below(10);
    return row;
  }
  // A batch whose columns have a value somewhere, so that their types are known.
  Json any_batch(bool whole, bool distinct) {
    Json rows = Json::array();
    std::vector<int> ids;
    const int count = 1 + below(5);
    for (int i = 0; i < count; ++i) {
      Json row = any_row(whole);
      const int id = row["id"];
      if (distinct && std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
      ids.push_back(id);
      rows.push_back(std::move(row));
    }
    return rows;
  }

  static const ModelColumn* named(const std::vector<ModelColumn>& columns, const std::string& name) {
    for (const ModelColumn& column : columns)
      if (column.name == name) return &column;
    return nullptr;
  }
  // `known`: the columns of the version before, which stay the same ones.
  ModelVersion with_columns(ModelVersion version, const Json& batch, const std::vector<ModelColumn>& known) {
    for (const Json& row : batch) {
      for (const auto& [name, value] : row.items()) {
        if (named(version.columns, name)) continue;
        const ModelColumn* same = named(known, name);
        version.columns.push_back({name, same ? same->id : next_column_++});
        for (Json& old : version.rows) old[name] = nullptr;
      }
    }
    return version;
  }
  static Json completed(const ModelVersion& version, const Json& row, const Json& base) {
    Json whole = Json::object();
    for (const auto& [name, id] : version.columns) {
      whole[name] = row.contains(name) ? row[name] : base.contains(name) ? base[name] : Json();
    }
    return whole;
  }

  void step() {
    world_.host.advance(1);
    const int what = below(20);
    const std::string path = any_path();
    if (what < 3) return write(path, WriteMode::create);
    if (what < 7) return write(path, WriteMode::append);
    if (what < 12) return write(path, WriteMode::upsert);
    if (what < 14) return write(path, WriteMode::replace);
    if (what < 17) return restore(path);
    if (what < 18) return rename(path);
    if (what < 19) return trash(path);
    world_.reopen();
  }

  void write(const std::string& path, WriteMode mode) {
    ModelTable* table = live(path);
    const Json batch =
        any_batch(!table || mode == WriteMode::replace || mode == WriteMode::create, mode == WriteMode::upsert);
    const auto call = [&] { world_.write(TableWorld::request(path, mode, {"id"}), batch); };
    if (table && mode == WriteMode::create) {
      REQUIRE(error_kind(call) == "table_exists");
      return;
    }
    ModelVersion next = table && mode != WriteMode::replace ? table->versions.back() : ModelVersion();
    const std::vector<ModelColumn> known = table ? table->versions.back().columns : std::vector<ModelColumn>();
    next = with_columns(std::move(next), batch, known);
    bool refused = false;
    for (const Json& row : batch) {
      Json base = Json::object();
      if (mode == WriteMode::upsert) {
        const auto same_key = [&](const Json& old) { return old["id"] == row["id"]; };
        const auto matches = std::count_if(next.rows.begin(), next.rows.end(), same_key);
        refused = refused || matches > 1;
        const auto match = std::find_if(next.rows.begin(), next.rows.end(), same_key);
        if (match != next.rows.end()) {
          base = *match;
          next.rows.erase(match);
        }
      }
      pending_.push_back(completed(next, row, base));
    }
    next.rows.insert(next.rows.end(), pending_.begin(), pending_.end());
    pending_.clear();
    const std::string kind = error_kind(call);
    REQUIRE(kind == (refused ? "key_repeated" : ""));
    if (refused) return;
    if (!table) {
      tables_.push_back({path, false, {}});
      table = &tables_.back();
    }
    table->versions.push_back(std::move(next));
  }

  void restore(const std::string& path) {
    ModelTable* table = live(path);
    ModelTable* deleted = trashed(path);
    const std::int64_t version = 1 + below(6);
    const auto has = [&](ModelTable* one) { return one && version <= static_cast<std::int64_t>(one->versions.size()); };
    const std::string kind = error_kind([&] { world_.restore(path, version); });
    if (!table && !deleted) {
      REQUIRE(kind == "unknown_table");
    } else if (!has(table ? table : deleted)) {
      REQUIRE(kind == (has(deleted) ? "path_taken" : "unknown_version"));
    } else {
      REQUIRE(kind == "");
      ModelTable* restored = table ? table : deleted;
      restored->trashed = false;
      restored->versions.push_back(restored->versions[static_cast<std::size_t>(version - 1)]);
    }
  }

  void rename(const std::string& path) {
    ModelTable* table = live(path);
    if (!table) return;
    const std::string to = any_path();
    const bool taken = live(to) && live(to) != table;
    const std::string kind = error_kind([&] { world_.core->catalog.rename(world_.core->catalog.get(path), to); });
    REQUIRE(kind == (taken ? "path_taken" : ""));
    if (!taken) table->path = to;
  }

  void trash(const std::string& path) {
    ModelTable* table = live(path);
    if (!table) return;
    world_.core->catalog.trash(world_.core->catalog.get(path));
    table->trashed = true;
    // The last one trashed goes to the end.
    std::rotate(tables_.begin() + (table - tables_.data()), tables_.begin() + (table - tables_.data()) + 1,
                tables_.end());
  }

  void check_all() {
    for (const ModelTable& table : tables_) {
      if (table.trashed) continue;
      const TableRecord record = world_.core->catalog.get(table.path);
      REQUIRE(record.version == static_cast<std::int64_t>(table.versions.size()));
      for (std::size_t i = 0; i < table.versions.size(); ++i) {
        const auto version = static_cast<std::int64_t>(i + 1);
        CAPTURE(table.path, version);
        CHECK(Json(table.versions[i].rows) == world_.rows_of(record, version));
        CHECK(world_.core->versions.get(record, version).rows == table.versions[i].rows.size());
        check_pages(record, version, table.versions[i]);
      }
      for (int pair = 0; pair < 2; ++pair) check_diff(record, table);
    }
  }

  // A page as grids ask for it: some of the rows, or some of those that pass a filter, sorted.
  void check_pages(const TableRecord& record, std::int64_t version, const ModelVersion& model) {
    RowsRequest request;
    request.offset = static_cast<std::uint64_t>(below(4));
    request.limit = static_cast<std::uint64_t>(below(8));
    check_page(world_.page(record, version, request), request, model, model.rows);
    const std::vector<Column> columns = world_.core->versions.columns(record, version);
    const int least = below(12);
    request.filters.push_back({get_column(columns, "id"), ">=", least});
    std::vector<Json> rows;
    for (const Json& row : model.rows)
      if (row["id"] >= least) rows.push_back(row);
    if (find_column(columns, "n")) {
      request.order.push_back({get_column(columns, "n"), true});
      std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) {
        return !a["n"].is_null() && (b["n"].is_null() || a["n"] > b["n"]);
      });
    }
    check_page(world_.page(record, version, request), request, model, rows);
  }

  static void check_page(const Json& page, const RowsRequest& request, const ModelVersion& model,
                         const std::vector<Json>& rows) {
    Json expected = Json::array();
    for (std::size_t i = request.offset; i < std::min<std::size_t>(rows.size(), request.offset + request.limit); ++i)
      expected.push_back(cells_by(rows[i], model, model));
    CHECK(page["rows"] == expected);
    CHECK(page["total_rows"] == rows.size());
  }

  void check_diff(const TableRecord& record, const ModelTable& table) {
    const auto any_version = [&] { return 1 + below(static_cast<int>(table.versions.size())); };
    const int from = any_version(), to = any_version();
    CAPTURE(table.path, from, to);
    const ModelVersion& before = table.versions[static_cast<std::size_t>(from - 1)];
    const ModelVersion& after = table.versions[static_cast<std::size_t>(to - 1)];
    check_diff_by_values(world_.diff(record, from, to, std::vector<std::string>()), before, after);
    check_diff_by_key(world_.diff(record, from, to, std::vector<std::string>{"id"}), before, after, "id");
  }

  std::mt19937_64 random_;
  TableWorld world_;
  std::vector<ModelTable> tables_;
  std::vector<Json> pending_;
  int next_column_ = 1;
};

int histories() {
  const char* wanted = std::getenv("STELE_HISTORIES");
  return wanted ? std::atoi(wanted) : 200;
}

}  // namespace

TEST_CASE("random histories read as the model has them, at every version") {
  const int count = histories();
  for (int seed = 1; seed <= count; ++seed) {
    CAPTURE(seed);
    History history(static_cast<std::uint64_t>(seed));
    history.run();
  }
}
