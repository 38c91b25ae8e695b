// delete_table: into the trash, from which restore_version brings it back.
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "tools/tools.hpp"

namespace stele {
namespace {

Json definition() {
  return tool_definition("delete_table", "Move a table to the trash",
                         "Takes a table off its path and ends its public link. All its versions are kept: the answer "
                         "names the restore_version call "
                         "that brings it back. Ask the user first. Example: {\"table\": \"scratch/old\"}",
                         schema::closed_object({table_parameter()}),
                         schema::open_object({
                             schema::required("table", schema::text()),
                             schema::required("deleted_version", schema::integer()),
                             schema::required("restore_with", schema::object()),
                             schema::required("share_ended", schema::boolean()),
                         }),
                         {.destructive = true, .idempotent = true});
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.write, "write", "delete_table");
  const TableRecord table = services.catalog.get(text_of(arguments, "table"));
  const bool shared = !table.share_token.empty();
  if (shared) services.catalog.unshare(table);
  services.catalog.trash(table);
  Json restore = Json::object();
  restore["tool"] = "restore_version";
  restore["arguments"]["table"] = table.path;
  restore["arguments"]["version"] = table.version;
  Json answer = Json::object();
  answer["table"] = table.path;
  answer["deleted_version"] = table.version;
  answer["restore_with"] = std::move(restore);
  answer["share_ended"] = shared;
  co_return answer;
}

}  // namespace

Tool delete_table_tool() { return {definition(), run}; }

}  // namespace stele
