// Scenario matcher: whether an answer is as a scenario expects. It runs nothing.
#pragma once

#include <string>

#include "base/json.hpp"

namespace stele {

// Empty if `answer` (null where nothing is there) matches, or the first place where it does not, and why.
std::string mismatch_of(const Json& expected, const Json* answer, const std::string& where = "answer");

}  // namespace stele
