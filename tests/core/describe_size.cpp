// What describe_table answers by default is small enough to be read before every query.
#include <catch2/catch.hpp>

#include "core.hpp"
#include "store/native_sqlite_store.hpp"
#include "support/memory_host.hpp"

using namespace stele;

namespace {

// Twenty columns of the kinds that tables have: keys, categories, amounts, dates, flags and longer text.
Json rows_of_twenty_columns() {
  Json rows = Json::array();
  for (int i = 0; i < 500; ++i) {
    Json row = Json::object();
    for (int kind = 0; kind < 20; ++kind) {
      const std::string name = "a_usual_column_" + std::to_string(kind);
      const int value = (i * 7919 + kind * 104729) % 1009;
      switch (kind % 5) {
        case 0:
          row[name] = i * 20 + kind;
          break;
        case 1:
          row[name] = "category " + std::to_string(value % 6);
          break;
        case 2:
          row[name] = value * 12.75 + kind;
          break;
        case 3:
          row[name] = "2025-0" + std::to_string(1 + value % 9) + "-1" + std::to_string(value % 10);
          break;
        default:
          row[name] = "a remark of some length, number " + std::to_string(value);
          break;
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

TEST_CASE("a concise description of 20 columns is at most 6 KB, and the full one says more") {
  NativeSqlStore store(":memory:");
  MemoryHost host;
  const auto core = Core::open(store, host);
  Json arguments = Json::object();
  arguments["table"] = "wide";
  arguments["rows"] = rows_of_twenty_columns();
  REQUIRE_FALSE(core->call("write_table", arguments, {}).contains("error"));
  arguments.erase("rows");
  const Json concise = core->call("describe_table", arguments, {});
  REQUIRE(concise["columns"].size() == 20);
  CHECK(concise.dump().size() <= 6 * 1024);
  arguments["detail"] = "full";
  CHECK(core->call("describe_table", arguments, {}).dump().size() > concise.dump().size());
}

TEST_CASE(
    "a full description of many columns of doubles fits in little memory, values that are no numbers among them") {
  NativeSqlStore store(":memory:");
  MemoryHost host;
  Limits limits;
  limits.memory_bytes = std::uint64_t{45} << 20;
  const auto core = Core::open(store, host, limits);
  constexpr int columns = 120;
  std::string select = "SELECT ";
  for (int i = 0; i < columns; ++i) {
    const std::string number = std::to_string(i);
    select += "CASE WHEN i = " + number + " THEN 'Infinity'::DOUBLE ELSE (i * " + number + " % 1000) + 0.5 END AS c" +
              number + ", ";
  }
  Json query = Json::object();
  query["sql"] = select + "i AS id FROM range(2000) t(i)";
  query["save_as"] = "doubles";
  REQUIRE_FALSE(core->call("query", query, {}).contains("error"));
  Json arguments = Json::object();
  arguments["table"] = "doubles";
  arguments["detail"] = "full";
  const Json told = core->call("describe_table", arguments, {});
  INFO(told.dump().substr(0, 500));
  REQUIRE_FALSE(told.contains("error"));
  REQUIRE(told["columns"].size() == columns + 1);
  CHECK(told["columns"][7]["not_finite"] == 1);
  CHECK(told["columns"][7]["min"] == 0.5);
}
