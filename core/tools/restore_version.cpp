// restore_version: undo, and back from the trash.
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "tools/tools.hpp"

namespace stele {
namespace {

Json definition() {
  return tool_definition("restore_version", "Restore a version",
                         "Makes what an earlier version held the latest again. This is a new version on top, so the "
                         "ones between stay and the undo "
                         "can itself be undone. A table in the trash returns to its path. Find the number with "
                         "table_history. Retry with the same "
                         "idempotency_key. Example: {\"table\": \"research/competitors\", \"version\": 4}",
                         schema::closed_object({
                             table_parameter(),
                             schema::required("version", schema::integer("", 1)),
                             message_parameter(),
                             idempotency_key_parameter(),
                             expected_version_parameter(),
                         }),
                         written_schema({schema::optional("restored_from", schema::integer())}), {});
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.write, "write", "restore_version");
  std::optional<std::string> idempotency_key;
  if (arguments.contains("idempotency_key")) idempotency_key = text_of(arguments, "idempotency_key");
  Task<Json> restoring = services.writer.restore(text_of(arguments, "table"), arguments["version"].get<std::int64_t>(),
                                                 note_of(arguments, caller), integer_of(arguments, "expected_version"),
                                                 std::move(idempotency_key));
  Json answer = co_await std::move(restoring);
  co_return answer;
}

}  // namespace

Tool restore_version_tool() { return {definition(), run}; }

}  // namespace stele
