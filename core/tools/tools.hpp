// The eleven tools, each made by its own file. Nothing is decided here.
#pragma once

#include "tools/tool.hpp"

namespace stele {

Tool list_tables_tool();
Tool describe_table_tool();
Tool query_tool();
Tool write_table_tool();
Tool inspect_file_tool();
Tool import_table_tool();
Tool table_history_tool();
Tool restore_version_tool();
Tool update_table_info_tool();
Tool share_table_tool();
Tool delete_table_tool();

}  // namespace stele
