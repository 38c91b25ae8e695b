// update_table_info: what people say of a table, and its path.
#include "base/error.hpp"
#include "tables/column_list.hpp"
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "tools/tools.hpp"

namespace stele {
namespace {

Json definition() {
  return tool_definition(
      "update_table_info", "Describe or rename a table",
      "Records what a table and its columns mean (source, units, caveats), shown by list_tables and describe_table to "
      "whoever "
      "comes next, and renames tables. Rows and versions stay as they are. Example: {\"table\": "
      "\"research/competitors\", "
      "\"description\": \"Vendors from the 2025 survey\", \"column_descriptions\": {\"price\": \"USD a month\"}}",
      schema::closed_object({
          table_parameter(),
          schema::optional("description", schema::text("What it holds, from where; empty removes it")),
          schema::optional("column_descriptions",
                           schema::map(schema::text(), "Column to meaning; empty text removes one")),
          schema::optional("rename_to", schema::text("New path")),
      }),
      schema::open_object({
          schema::required("table", schema::text()),
          schema::required("version", schema::integer()),
          schema::optional("description", schema::text()),
          schema::required("column_descriptions", schema::map(schema::text())),
          schema::optional("renamed_from", schema::text()),
      }),
      {.idempotent = true});
}

std::map<int, std::string> by_column_id(const Json& descriptions, const std::vector<Column>& columns) {
  std::map<int, std::string> by_id;
  for (const auto& [name, text] : descriptions.items()) {
    const auto is_it = [&wanted = name](const Column& column) { return column.name == wanted; };
    const auto found = std::find_if(columns.begin(), columns.end(), is_it);
    if (found == columns.end()) refuse_unknown_column(columns, name);
    by_id[found->id] = text.get<std::string>();
  }
  return by_id;
}

Json info_of(const TableRecord& table, const std::vector<Column>& columns) {
  Json info = Json::object();
  info["table"] = table.path;
  info["version"] = table.version;
  if (!table.description.empty()) info["description"] = table.description;
  info["column_descriptions"] = Json::object();
  for (const auto& column : columns)
    if (const auto text = table.column_descriptions.find(column.id); text != table.column_descriptions.end())
      info["column_descriptions"][column.name] = text->second;
  return info;
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.write, "write", "update_table_info");
  const std::string path = text_of(arguments, "table");
  const TableRecord table = services.catalog.get(path);
  const auto columns = services.versions.columns(table, table.version);
  const auto descriptions = by_column_id(arguments.value("column_descriptions", Json::object()), columns);
  std::optional<std::string> description;
  if (arguments.contains("description")) description = text_of(arguments, "description");
  const std::string new_path = arguments.value("rename_to", path);
  if (!description && descriptions.empty() && new_path == path && !arguments.contains("rename_to"))
    throw Error("invalid_arguments", "There is nothing to change.",
                "Give description, column_descriptions or rename_to.");

  // The rename first: it is the one that can be refused.
  if (new_path != path) {
    check_path(new_path);
    services.catalog.rename(table, new_path);
  }
  if (description || !descriptions.empty()) services.catalog.describe(table, description, descriptions);
  Json answer = info_of(services.catalog.get(new_path), columns);
  if (new_path != path) answer["renamed_from"] = path;
  co_return answer;
}

}  // namespace

Tool update_table_info_tool() { return {definition(), run}; }

}  // namespace stele
