#include "tables/types.hpp"

namespace stele {

namespace {

// An answer is read by someone: beyond this many, warnings are counted and not told.
constexpr std::size_t warnings_told_max = 100;

void add_unless_empty(Json& answer, const char* name, const std::vector<std::string>& values) {
  if (!values.empty()) answer[name] = values;
}

}  // namespace

Json WriteOutcome::to_json() const {
  Json answer = {{"table", path},          {"version", version.version}, {"rows", version.rows},
                 {"added", version.added}, {"updated", version.updated}, {"removed", version.removed}};
  add_unless_empty(answer, "columns_added", version.columns_added);
  add_unless_empty(answer, "columns_removed", version.columns_removed);
  add_unless_empty(answer, "columns_retyped", version.columns_retyped);
  Json told = Json::array();
  for (const Warning& warning : warnings) {
    if (told.size() < warnings_told_max) told.push_back(warning.to_json());
  }
  answer["warnings"] = std::move(told);
  if (warnings.size() > warnings_told_max) answer["warnings_left_out"] = warnings.size() - warnings_told_max;
  if (facts.is_object()) {
    for (const auto& [name, value] : facts.items()) answer[name] = value;
  }
  if (repeated) answer["repeated"] = true;
  return answer;
}

}  // namespace stele
