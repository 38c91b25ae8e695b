// Runs tests/scenarios/*.json against the native core; README.md beside them tells the format.
#include <catch2/catch.hpp>

#include "core/scenario_runner.hpp"

using namespace stele;

TEST_CASE("Every scenario holds") {
  for (const auto& path : scenario_files()) {
    DYNAMIC_SECTION(path.filename().string()) {
      const std::vector<std::string> failures = run_scenario(path);
      for (const auto& failure : failures) FAIL_CHECK(failure);
      CHECK(failures.empty());
    }
  }
}
