// NativeSqlStore beyond the port: one owner at a time, nothing lost when a process is killed, and no laxer than the
// edge.
#include "store/native_sqlite_store.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <functional>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "conformance/sql_store_suite.hpp"
#include "support/temporary_folder.hpp"

using namespace stele;

namespace {

// What `work` answered in a process of its own, or -1 if a signal ended it.
int in_other_process(const std::function<int()>& work) {
  const auto child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string kind_of_opening(const std::string& path) {
  try {
    NativeSqlStore store(path);
    return "opened";
  } catch (const Error& error) {
    return error.kind();
  } catch (const StoreError&) {
    return "store error";
  }
}

}  // namespace

TEST_CASE("a store has one owner: others are refused until it is closed") {
  const TemporaryFolder folder;
  const auto path = folder.file("store.sqlite");
  {
    const NativeSqlStore owner(path);
    CHECK(kind_of_opening(path) == "store_busy");
    CHECK(in_other_process([&] { return kind_of_opening(path) == "store_busy" ? 0 : 1; }) == 0);
  }
  CHECK(kind_of_opening(path) == "opened");
}

TEST_CASE("a process killed after its commits loses none of them") {
  const TemporaryFolder folder;
  const auto path = folder.file("store.sqlite");
  CHECK(in_other_process([&] {
          NativeSqlStore store(path);
          conformance::write_before_reopening(store);
          raise(SIGKILL);
          return 0;
        }) == -1);
  NativeSqlStore store(path);
  CHECK(conformance::check_after_reopening(store).value_or("") == "");
}

TEST_CASE("what is no database, or cannot be opened, is refused and left as it is") {
  const TemporaryFolder folder;
  const auto path = folder.file("letter.txt");
  const std::string letter(5'000, 'x');
  std::ofstream(path) << letter;
  CHECK(kind_of_opening(path) == "store error");
  std::ifstream reread(path);
  CHECK(std::string(std::istreambuf_iterator<char>(reread), {}) == letter);
  CHECK(kind_of_opening(folder.file("missing/store.sqlite")) == "store error");
}

TEST_CASE("what the edge refuses is refused natively too") {
  NativeSqlStore store(":memory:");
  for (const char* sql : {"PRAGMA user_version = 1", "BEGIN", "SAVEPOINT s", "ATTACH ':memory:' AS other"}) {
    CAPTURE(sql);
    const SqlStatement batch[] = {{sql, {}}};
    CHECK_THROWS_AS(store.commit(batch), StoreError);
  }
  CHECK_THROWS_AS(store.query("SELECT 'x' LIKE '" + std::string(51, 'x') + "'"), StoreError);
  CHECK_THROWS_AS(store.query("PRAGMA journal_mode"), StoreError);
  std::string marks = "?";
  for (int i = 1; i <= 100; ++i) marks += ", ?";
  CHECK_THROWS_AS(store.query("SELECT " + marks, std::vector<SqlValue>(101)), StoreError);
}

TEST_CASE("what no store could keep is a broken invariant") {
  NativeSqlStore store(":memory:");
  const SqlValue values[] = {SqlStore::integer_max + 1, -SqlStore::integer_max - 1, std::nan(""),
                             std::string(SqlStore::value_bytes_max + 1, 'x'), Bytes(SqlStore::value_bytes_max + 1)};
  for (const auto& value : values) {
    CHECK_THROWS_AS(store.query("SELECT ?", std::span(&value, 1)), InvariantBroken);
  }
  CHECK_THROWS_AS(store.query("SELECT ?"), InvariantBroken);
  CHECK_THROWS_AS(store.query("SELECT 1; SELECT 2"), InvariantBroken);
  CHECK_THROWS_AS(store.query("CREATE TABLE t (a)"), InvariantBroken);
}
