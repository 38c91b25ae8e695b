// Scenario runner: plays a scenario against a native core on an empty store, being its home and its web.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stele {

std::vector<std::filesystem::path> scenario_files();

// What did not hold, each a sentence that names the step.
std::vector<std::string> run_scenario(const std::filesystem::path& path);

}  // namespace stele
