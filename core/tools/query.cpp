// query: one SELECT, answered, saved or vouched for.
#include "base/error.hpp"
#include "tables/query_runner.hpp"
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "tools/tools.hpp"

namespace stele {
namespace {

Json definition() {
  const Json objects = schema::list(schema::object());
  return tool_definition(
      "query", "Query tables",
      "Runs one SELECT (DuckDB SQL, read-only) over tables. At most limit rows are answered; a notice tells when there "
      "were "
      "more, so count, sum and group in SQL. Integers past 2^53, decimals and NaN come as strings, as the column's "
      "type says. "
      "save_as stores the whole result as a table instead of answering it; retry that with the same idempotency_key. "
      "receipt "
      "adds a link by which the user can check a figure. Example: {\"sql\": \"SELECT category, count(*) AS n FROM "
      "\\\"research/competitors\\\" GROUP BY 1 ORDER BY n DESC\"}",
      schema::closed_object({
          schema::required("sql", schema::text("One SELECT; paths in double quotes, \"path@3\" for version 3")),
          schema::defaulted("limit", schema::integer("Most rows to answer", 1, 500), 50),
          schema::optional("save_as", schema::text("Path to save under; an existing table gets its next version")),
          schema::defaulted(
              "receipt",
              schema::boolean("Also answer a lasting link to SQL, table versions and rows, open to all who have it"),
              false),
          message_parameter(),
          run_parameter(),
          idempotency_key_parameter(),
          expected_version_parameter(),
      }),
      schema::open_object({
          schema::optional("notice", schema::text()),
          schema::optional("columns", objects),
          schema::optional("rows", schema::anything("List of rows, each a list of cells; with save_as the row count")),
          schema::optional("row_count", schema::integer()),
          schema::optional("truncated", schema::boolean()),
          schema::optional("cut", schema::object()),
          schema::optional("reads", objects),
          schema::optional("receipt", schema::object()),
          schema::optional("table", schema::text()),
          schema::optional("version", schema::integer()),
          schema::optional("warnings", objects),
      }),
      {.open_world = true});
}

Json reads_json(const std::vector<TableRead>& reads) {
  Json shown = Json::array();
  for (const auto& read : reads) {
    Json one = Json::object();
    one["table"] = read.path;
    one["version"] = read.version;
    shown.push_back(std::move(one));
  }
  return shown;
}

Task<Json> save(Services& services, Json arguments, Caller caller) {
  require_scope(caller.write, "write", "query with save_as");
  if (arguments["receipt"].get<bool>())
    throw Error("invalid_arguments", "receipt shows the rows of an answer, and save_as answers none.",
                "Save the result first, then query the saved table with receipt.");
  WriteRequest request = write_request("query", "query", text_of(arguments, "save_as"), arguments, caller);
  if (auto answered = services.writer.answered_before(request)) co_return std::move(*answered);
  RunningQuery running = start_query(services.engine, services.catalog, services.versions, text_of(arguments, "sql"));
  Json facts = Json::object();
  facts["reads"] = reads_json(running.reads);
  Task<Json> writing =
      services.writer.write(std::move(request), std::move(running.cursor), std::vector<Warning>(), std::move(facts));
  Json answer = co_await std::move(writing);
  co_return answer;
}

Task<Json> read(Services& services, Json arguments, Caller caller) {
  const bool with_receipt = arguments["receipt"].get<bool>();
  if (with_receipt) require_scope(caller.share, "share", "query with receipt");
  const std::string sql = text_of(arguments, "sql");
  RunningQuery running = start_query(services.engine, services.catalog, services.versions, sql);
  Task<Json> answering =
      answer_rows(std::move(running.cursor), arguments["limit"].get<std::uint64_t>(), services.limits);
  Json answer = co_await std::move(answering);
  if (with_receipt) {
    Task<Json> issuing = services.receipts.issue(sql, running.reads, answer, note_of(arguments, caller), caller.origin);
    Json receipt = co_await std::move(issuing);
    answer["receipt"] = std::move(receipt);
  }
  answer["reads"] = reads_json(running.reads);
  co_return answer;
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.read, "read", "query");
  const bool saves = arguments.contains("save_as");
  if (!saves && (arguments.contains("idempotency_key") || arguments.contains("expected_version")))
    throw Error("invalid_arguments",
                "idempotency_key and expected_version only go with save_as: a plain query changes nothing.",
                "Leave them out, or name the table to save with save_as.");
  Task<Json> running = saves ? save(services, std::move(arguments), std::move(caller))
                             : read(services, std::move(arguments), std::move(caller));
  Json answer = co_await std::move(running);
  co_return answer;
}

}  // namespace

Tool query_tool() { return {definition(), run}; }

}  // namespace stele
