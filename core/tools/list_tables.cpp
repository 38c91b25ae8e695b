// list_tables: where an agent begins.
#include "base/encoding.hpp"
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "tools/tools.hpp"

namespace stele {
namespace {

Json definition() {
  return tool_definition("list_tables", "List tables",
                         "Shows which tables exist: path, description, size, last change and its author. Call it first "
                         "in a session, or to find a "
                         "table whose path you do not know. Example: {\"search\": \"invoice\"}",
                         schema::closed_object({
                             schema::optional("path", schema::text("Only this folder, e.g. research")),
                             schema::optional("search", schema::text("Only where path or description contains this")),
                             schema::defaulted("limit", schema::integer("", 1, 500), 100),
                         }),
                         schema::open_object({
                             schema::optional("notice", schema::text()),
                             schema::required("tables", schema::list(schema::object())),
                             schema::required("total", schema::integer()),
                         }),
                         {.read_only = true});
}

Json table_json(const TableRecord& table, Versions& versions) {
  const VersionRecord latest = versions.get(table, table.version);
  Json shown = Json::object();
  shown["path"] = table.path;
  if (!table.description.empty()) shown["description"] = table.description;
  shown["rows"] = latest.rows;
  shown["columns"] = versions.columns(table, table.version).size();
  shown["version"] = table.version;
  shown["bytes"] = latest.bytes;
  shown["changed_at"] = iso_time(latest.made_ms);
  shown["changed_by"] = latest.note.author;
  if (!latest.note.message.empty()) shown["message"] = latest.note.message;
  return shown;
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.read, "read", "list_tables");
  const auto limit = arguments["limit"].get<std::size_t>();
  const auto listing = services.catalog.list(text_of(arguments, "path"), text_of(arguments, "search"), limit);
  Json answer = Json::object();
  if (listing.total > listing.tables.size())
    answer["notice"] = "Cut: " + std::to_string(listing.tables.size()) + " of " + std::to_string(listing.total) +
                       " tables are shown. Raise limit (at most 500), or narrow with path or search.";
  answer["tables"] = Json::array();
  for (const auto& table : listing.tables) answer["tables"].push_back(table_json(table, services.versions));
  answer["total"] = listing.total;
  co_return answer;
}

}  // namespace

Tool list_tables_tool() { return {definition(), run}; }

}  // namespace stele
