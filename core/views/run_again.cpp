// run_again: the query of a receipt over the versions that it read, to compare the rows.
#include "tables/query_runner.hpp"
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "views/view.hpp"

namespace stele {
namespace {

Json arguments_schema() {
  const Json read = schema::closed_object({
      schema::required("name", schema::text()),
      schema::required("version", schema::integer("", 1, SqlStore::integer_max)),
      schema::required("digest", schema::text()),
      schema::required("path", schema::text()),
  });
  return schema::closed_object({
      schema::required("sql", schema::text()),
      schema::required("reads", schema::list(read)),
      schema::defaulted("limit", schema::integer("", 1, 500), 500),
  });
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.read, "read", "run_again");
  std::vector<PinnedRead> reads;
  for (const Json& read : arguments["reads"])
    reads.push_back(
        {text_of(read, "name"), read["version"].get<std::int64_t>(), text_of(read, "digest"), text_of(read, "path")});
  RunningQuery running =
      start_query_again(services.engine, services.catalog, services.versions, text_of(arguments, "sql"), reads);
  Task<Json> answering =
      answer_rows(std::move(running.cursor), arguments["limit"].get<std::uint64_t>(), services.limits);
  Json answer = co_await std::move(answering);
  co_return answer;
}

}  // namespace

View run_again_view() { return {"run_again", arguments_schema(), run}; }

}  // namespace stele
