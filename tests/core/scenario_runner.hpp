// Scenario runner: plays a scenario, or a case's checks, against a native core on an empty store, being its home and
// its web.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stele {

std::vector<std::filesystem::path> scenario_files();

// What did not hold, each a sentence that names the step.
std::vector<std::string> run_scenario(const std::filesystem::path& path);

// The files of tests/cases/checks that have a check to run natively.
std::vector<std::filesystem::path> case_files();
std::string case_title(const std::filesystem::path& path);

struct CheckOutcome {
  std::string check;  // "a: zip and depot are text"
  std::vector<std::string> failures;
};
// All checks of a case that run natively, in order on one store.
std::vector<CheckOutcome> run_case(const std::filesystem::path& path);

}  // namespace stele
