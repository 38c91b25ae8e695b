// table_history: what happened to a table, newest first.
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "tools/tools.hpp"

namespace stele {
namespace {

Json definition() {
  return tool_definition(
      "table_history", "Show a table's versions",
      "Lists a table's versions, newest first: what each change added, updated or removed in rows and columns, who "
      "made it, when "
      "and why. Use it to find the version to compare with (query \"path@version\") or to restore. Example: "
      "{\"table\": "
      "\"research/competitors\", \"limit\": 5}",
      schema::closed_object({table_parameter(), schema::defaulted("limit", schema::integer("", 1, 100), 20)}),
      schema::open_object({
          schema::optional("notice", schema::text()),
          schema::required("table", schema::text()),
          schema::required("latest", schema::integer()),
          schema::required("versions", schema::list(schema::object())),
      }),
      {.read_only = true});
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.read, "read", "table_history");
  const TableRecord table = services.catalog.get(text_of(arguments, "table"));
  const auto history = services.versions.history(table, arguments["limit"].get<std::size_t>());
  Json answer = Json::object();
  if (!history.empty() && history.back().version > 1)
    answer["notice"] = "Cut: older versions than " + std::to_string(history.back().version) +
                       " are not shown. Raise limit (at most 100).";
  answer["table"] = table.path;
  answer["latest"] = table.version;
  answer["versions"] = Json::array();
  for (const auto& version : history) answer["versions"].push_back(version_json(version));
  co_return answer;
}

}  // namespace

Tool table_history_tool() { return {definition(), run}; }

}  // namespace stele
