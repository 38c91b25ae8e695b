// Every native store keeps what SqlStore promises, and the suite notices stores that do not.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

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

std::vector<std::string> broken_promises(SqlStore& store) {
  std::vector<std::string> broken;
  for (const auto& check : conformance::sql_store_checks()) {
    if (conformance::run(check, store)) broken.emplace_back(check.name);
  }
  return broken;
}

// Stores with one fault each, of the kinds that a new home is likely to have.
class WrongStore : public SqlStore {
 public:
  enum class Fault { commits_one_by_one, loses_empty_bytes, cuts_text_at_nul, calls_all_conflicts };
  explicit WrongStore(Fault fault) : fault_(fault) {}

  SqlRows query(std::string_view sql, std::span<const SqlValue> params) override {
    auto rows = right_.query(sql, params);
    for (auto& row : rows) std::for_each(row.begin(), row.end(), [this](SqlValue& value) { spoil(value); });
    return rows;
  }
  void commit(std::span<const SqlStatement> batch) override {
    const std::size_t step = fault_ == Fault::commits_one_by_one ? 1 : std::max<std::size_t>(batch.size(), 1);
    try {
      for (; !batch.empty(); batch = batch.subspan(step)) right_.commit(batch.first(step));
    } catch (const StoreError& error) {
      throw StoreError(fault_ == Fault::calls_all_conflicts ? StoreError::Kind::conflict : error.kind(), error.what());
    }
  }

 private:
  void spoil(SqlValue& value) const {
    const auto* bytes = std::get_if<Bytes>(&value);
    if (fault_ == Fault::loses_empty_bytes && bytes != nullptr && bytes->empty()) value = std::monostate{};
    auto* text = std::get_if<std::string>(&value);
    if (fault_ == Fault::cuts_text_at_nul && text != nullptr) *text = text->substr(0, text->find('\0'));
  }

  NativeSqlStore right_{":memory:"};
  Fault fault_;
};

}  // namespace

TEST_CASE("the suite names the promise that a wrong store breaks") {
  using Fault = WrongStore::Fault;
  const std::pair<Fault, std::string> cases[] = {
      {Fault::commits_one_by_one, "a batch that fails anywhere changes nothing"},
      {Fault::loses_empty_bytes, "values come back as they went in"},
      {Fault::cuts_text_at_nul, "values come back as they went in"},
      {Fault::calls_all_conflicts, "a violated uniqueness is a conflict, and nothing else is"},
  };
  for (const auto& [fault, promise] : cases) {
    WrongStore store(fault);
    CHECK_THAT(broken_promises(store), Catch::VectorContains(promise));
  }
}

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
