// share_table: the latest version, for anyone with the link.
#include "base/error.hpp"
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "tools/tools.hpp"

namespace stele {
namespace {

Json definition() {
  return tool_definition("share_table", "Share a table publicly",
                         "Publishes a table's latest version: whoever has the links reads it without signing in, url "
                         "as a page, api_url as rows for "
                         "programs. Earlier versions stay private. Share only what the user wants public; give them "
                         "url, and say that they can "
                         "end it in the app. Example: {\"table\": \"research/competitors\"}",
                         schema::closed_object({table_parameter()}),
                         schema::open_object({
                             schema::required("table", schema::text()),
                             schema::required("url", schema::text()),
                             schema::required("api_url", schema::text()),
                             schema::required("public_version", schema::integer()),
                         }),
                         {.idempotent = true, .open_world = true});
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.share, "share", "share_table");
  const TableRecord table = services.catalog.get(text_of(arguments, "table"));
  if (caller.origin.empty())
    throw Error("share_unavailable", "This home has no web address, so a link to it would open nowhere.",
                "Without a server: `stele bundle TABLE FOLDER` writes a folder for any static host, and in the app a "
                "table's menu has \"Put into a link\" for small tables and \"Bundle for a website\". For a link that "
                "follows the table, connect an edge under Shares in the app, or run `stele serve` and share it there.");
  const std::string url = caller.origin + "/s/" + services.catalog.share(table);
  Json answer = Json::object();
  answer["table"] = table.path;
  answer["url"] = url;
  answer["api_url"] = url + "/rows";
  answer["public_version"] = table.version;
  co_return answer;
}

}  // namespace

Tool share_table_tool() { return {definition(), run}; }

}  // namespace stele
