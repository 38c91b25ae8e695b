// The cases of tests/cases/checks against the native core: a test for each, which names it, and an assertion for each
// lettered check; README.md beside them tells the format.
#include <catch2/catch.hpp>
#include <memory>
#include <utility>

#include "core/scenario_runner.hpp"

namespace stele {
namespace {

class CaseTest : public Catch::ITestInvoker {
 public:
  explicit CaseTest(std::filesystem::path path) : path_(std::move(path)) {}

  void invoke() const override {
    for (const auto& [check, failures] : run_case(path_)) {
      std::string told;
      for (const auto& failure : failures) told += "\n  " + failure;
      INFO(check << told);
      CHECK(failures.empty());
    }
  }

 private:
  std::filesystem::path path_;
};

// Catch2 owns what it is given.
const bool registered = [] {
  for (const auto& path : case_files()) {
    const std::string name = "case " + case_title(path);
    const Catch::AutoReg registration(new CaseTest(path), CATCH_INTERNAL_LINEINFO, {}, {name, "[case]"});
  }
  return true;
}();

}  // namespace
}  // namespace stele
