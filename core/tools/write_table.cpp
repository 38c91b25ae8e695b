// write_table: rows that an agent holds become a version.
#include "tables/importer.hpp"
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "tools/tools.hpp"

namespace stele {
namespace {

Json definition() {
  return tool_definition(
      "write_table", "Write rows",
      "Stores rows you hold as a new version of a table; restore_version can undo it. Column types come from the "
      "values; a "
      "column becomes numbers, dates or booleans only if every value survives, else stays text as written, with a "
      "warning. "
      "Rows that do not fit an existing table are all refused, naming the columns. No answer came? Send the identical "
      "call "
      "again with the same idempotency_key: it is applied once. Example: {\"table\": \"research/competitors\", "
      "\"rows\": "
      "[{\"company\": \"Acme\", \"price\": 19.5}], \"mode\": \"upsert\", \"key_columns\": [\"company\"], "
      "\"idempotency_key\": "
      "\"job-7-step-3\"}",
      schema::closed_object({
          table_parameter(),
          schema::required("rows",
                           schema::list(schema::object(), "Objects of column name to value; null is a value", 1, 5000)),
          mode_parameter(
              "create: a new table only. append: add. upsert: update rows by key_columns, add new ones; columns left "
              "out keep their value. replace: these are all rows. All but create make a missing table"),
          key_columns_parameter("For upsert: the columns that identify a row"),
          message_parameter(),
          run_parameter(),
          idempotency_key_parameter(),
          expected_version_parameter(),
      }),
      written_schema(), {});
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.write, "write", "write_table");
  WriteRequest request = write_request("write_table", "write", text_of(arguments, "table"), arguments, caller);
  if (auto answered = services.writer.answered_before(request)) co_return std::move(*answered);
  std::unique_ptr<RowSource> rows = source_of_rows(arguments["rows"]);
  Task<Json> writing = services.writer.write(std::move(request), std::move(rows));
  Json answer = co_await std::move(writing);
  co_return answer;
}

}  // namespace

Tool write_table_tool() { return {definition(), run}; }

}  // namespace stele
