// Adoption: a Parquet file from outside becomes a segment as it is, and is then a segment like any other.
#include <catch2/catch.hpp>

#include "support/adoption.hpp"
#include "support/staging.hpp"
#include "support/table_world.hpp"

using namespace stele;
using namespace stele::testing;

namespace {

std::int64_t count(SqlStore& store, const std::string& table) {
  return std::get<std::int64_t>(store.query("SELECT count(*) FROM " + table)[0][0]);
}

}  // namespace

TEST_CASE_METHOD(TableWorld, "an adopted file is stored once, as it came") {
  const BlobInfo blob = stage_bytes(*core, case_file("37a-types.parquet"));
  const Json answer = adopt(*this, request("a", WriteMode::create), blob);
  CHECK(answer["version"] == 1);
  CHECK(answer["rows"] == 3);
  CHECK(count(sqlite, "blobs") == 1);
  const auto stored = sqlite.query("SELECT id, published FROM blobs");
  CHECK(std::get<std::int64_t>(stored[0][0]) == blob.id);
  CHECK(std::get<std::int64_t>(stored[0][1]) == 1);
  const Json rows_read = rows("a");
  REQUIRE(rows_read.size() == 3);
  CHECK(rows_read[0]["u64"] == "18446744073709551615");
  CHECK(rows_read[0]["dec38"] == "-12345678901234567890123456789.01");
}

TEST_CASE_METHOD(TableWorld, "an adopted segment is appended to, updated, replaced and restored like any other") {
  adopt(*this, request("a", WriteMode::create), numbered_parquet(*core, 0, 4));
  append("a", Json::parse(R"([{"c1": 10, "c2": "appended"}])"));
  adopt(*this, request("a", WriteMode::append), numbered_parquet(*core, 20, 2));
  const Json updated = upsert("a", {"c1"}, Json::parse(R"([{"c1": 1, "c2": "new"}, {"c1": 21}])"));
  CHECK(updated["updated"] == 2);
  CHECK(updated["rows"] == 7);
  CHECK(rows("a", 1).size() == 4);
  CHECK(rows("a", 3).size() == 7);
  adopt(*this, request("a", WriteMode::replace), numbered_parquet(*core, 30, 1));
  CHECK(rows("a") == Json::parse(R"([{"c1": 30, "c2": "row 30"}])"));
  restore("a", 4);
  std::string found;
  for (const Json& row : rows("a")) found += row["c1"].dump() + row["c2"].dump() + " ";
  for (const char* row : {"0\"row 0\"", "1\"new\"", "10\"appended\"", "20\"row 20\"", "21\"row 21\""}) {
    CAPTURE(found, row);
    CHECK(found.find(row) != std::string::npos);
  }
}

TEST_CASE_METHOD(TableWorld,
                 "a file whose types are not the table's is stored as the table's types, or refused whole") {
  create("a", Json::parse(R"([{"c1": "x1", "c2": "text"}])"));
  adopt(*this, request("a", WriteMode::append), numbered_parquet(*core, 7, 1));
  CHECK(types("a") == "c1 VARCHAR, c2 VARCHAR");
  CHECK(rows("a")[1] == Json::parse(R"({"c1": "7", "c2": "row 7"})"));

  create("b", Json::parse(R"([{"c1": 1, "c2": true}])"));
  const std::string before = store_counts(sqlite);
  CHECK(error_kind([&] { adopt(*this, request("b", WriteMode::append), numbered_parquet(*core, 7, 1)); }) ==
        "column_conflict");
  CHECK(store_counts(sqlite) == before);
}

TEST_CASE_METHOD(TableWorld, "a refused adoption leaves nothing") {
  create("a", Json::parse(R"([{"c1": 1, "c2": "x"}])"));
  const std::string before = store_counts(sqlite);
  CHECK(error_kind([&] { adopt(*this, request("a", WriteMode::create), numbered_parquet(*core, 0, 4)); }) ==
        "table_exists");
  CHECK(store_counts(sqlite) == before);
}
