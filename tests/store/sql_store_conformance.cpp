// Every native store keeps what SqlStore promises.
#include <catch2/catch.hpp>

#include "conformance/sql_store_suite.hpp"
#include "store/native_sqlite_store.hpp"
#include "support/faulty_store.hpp"
#include "support/temporary_folder.hpp"

using namespace stele;

namespace {

void keeps_every_promise(SqlStore& store) {
  for (const auto& check : conformance::sql_store_checks()) {
    INFO(check.name);
    CHECK(conformance::run(check, store).value_or("") == "");
  }
}

}  // namespace

TEST_CASE("NativeSqlStore in memory keeps every promise of SqlStore") {
  NativeSqlStore store(":memory:");
  keeps_every_promise(store);
}

TEST_CASE("NativeSqlStore in a file keeps every promise of SqlStore, and keeps what was committed") {
  const TemporaryFolder folder;
  {
    NativeSqlStore store(folder.file("store.sqlite"));
    keeps_every_promise(store);
    conformance::write_before_reopening(store);
  }
  NativeSqlStore reopened(folder.file("store.sqlite"));
  CHECK(conformance::check_after_reopening(reopened).value_or("") == "");
}

TEST_CASE("FaultyStore without a fault keeps every promise of SqlStore") {
  NativeSqlStore beneath(":memory:");
  FaultyStore store(beneath);
  keeps_every_promise(store);
}
