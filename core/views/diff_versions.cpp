// diff_versions: what changed between two versions, row by row.
#include "tables/diff.hpp"
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "views/view.hpp"

namespace stele {
namespace {

Json arguments_schema() {
  return schema::closed_object({
      table_parameter(),
      schema::required("from", schema::integer("", 1, SqlStore::integer_max)),
      schema::required("to", schema::integer("", 1, SqlStore::integer_max)),
      schema::optional("key_columns", schema::list(schema::text(), "", 0, 32)),
      schema::defaulted("offset", schema::integer("", 0, SqlStore::integer_max), 0),
      schema::defaulted("limit", schema::integer("", 0, 10'000), 100),
  });
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.read, "read", "diff_versions");
  const TableRecord table = services.catalog.get(text_of(arguments, "table"));
  DiffRequest request;
  request.from = arguments["from"].get<std::int64_t>();
  request.to = arguments["to"].get<std::int64_t>();
  if (arguments.contains("key_columns")) request.key_columns = arguments["key_columns"].get<std::vector<std::string>>();
  request.offset = arguments["offset"].get<std::uint64_t>();
  request.limit = arguments["limit"].get<std::uint64_t>();
  Task<Json> comparing = diff_versions(services.store, services.versions, services.engine, table, request);
  const Json difference = co_await std::move(comparing);
  Json answer = Json::object();
  answer["table"] = table.path;
  answer["from"] = arguments["from"];
  answer["to"] = arguments["to"];
  answer.update(difference);
  co_return answer;
}

}  // namespace

View diff_versions_view() { return {"diff_versions", arguments_schema(), run}; }

}  // namespace stele
