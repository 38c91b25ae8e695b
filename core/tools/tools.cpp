#include "tools/tools.hpp"

namespace stele {

const std::vector<Tool>& all_tools() {
  static const std::vector<Tool> tools = [] {
    std::vector<Tool> made;
    for (const auto make :
         {list_tables_tool, describe_table_tool, query_tool, write_table_tool, inspect_file_tool, import_table_tool,
          table_history_tool, restore_version_tool, update_table_info_tool, share_table_tool, delete_table_tool})
      made.push_back(make());
    return made;
  }();
  return tools;
}

}  // namespace stele
