// View: one of the things a home's own pages ask of the core beside the tools. A view reads and never writes; its file
// holds the shape of its arguments and their translation, the work is done in tables/.
#pragma once

#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/task.hpp"
#include "tools/tool.hpp"

namespace stele {

struct View {
  std::string_view name;
  Json arguments;  // a schema, checked as a tool's input is
  Task<Json> (*run)(Services& services, Json arguments, Caller caller);
};

const std::vector<View>& all_views();

View read_rows_view();
View diff_versions_view();
View run_again_view();
View list_receipts_view();
View list_shares_view();
View list_trash_view();
View workspace_view();

}  // namespace stele
