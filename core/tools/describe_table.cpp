// describe_table: what an agent reads before it writes SQL.
#include "tables/profile.hpp"
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "tools/tools.hpp"

namespace stele {
namespace {

Json definition() {
  return tool_definition(
      "describe_table", "Describe a table",
      "Profiles one table: per column its type, class (categorical, continuous …), nulls, distinct count, most "
      "frequent values or range, and meaning where described; sample rows; correlated columns as [column, column, r], "
      "strongest first; latest changes. Use it to get names, types and spellings right before a query. Example: "
      "{\"table\": \"research/competitors\"}",
      schema::closed_object({
          table_parameter(),
          schema::optional("version", schema::integer("An earlier version", 1)),
          schema::defaulted("detail",
                            schema::choice({"concise", "full"}, "full adds quartiles, histograms and more values"),
                            "concise"),
      }),
      schema::open_object({
          schema::required("table", schema::text()),
          schema::required("version", schema::integer()),
          schema::optional("description", schema::text()),
          schema::required("rows", schema::integer()),
          schema::required("bytes", schema::integer()),
          schema::required("columns", schema::list(schema::object())),
          schema::required("first_rows", schema::list(schema::anything())),
          schema::required("correlations", schema::list(schema::anything())),
          schema::optional("left_out", schema::object()),
          schema::required("latest_changes", schema::list(schema::object())),
      }),
      {.read_only = true});
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.read, "read", "describe_table");
  constexpr std::size_t changes_shown = 3;
  const TableRecord table = services.catalog.get(text_of(arguments, "table"));
  const VersionRecord version = services.versions.get(table, integer_of(arguments, "version").value_or(table.version));
  const SnapshotPtr snapshot = services.versions.snapshot(table, version.version);
  const Detail detail = text_of(arguments, "detail") == "full" ? Detail::full : Detail::concise;
  Task<Json> profiling = profile(services.engine, snapshot, table.column_descriptions, detail, services.limits);
  Json profiled = co_await std::move(profiling);

  Json answer = Json::object();
  if (profiled.contains("left_out") && profiled["left_out"].contains("columns")) {
    answer["notice"] = "Cut: only the first " + std::to_string(profiled["columns"].size()) + " of " +
                       std::to_string(snapshot->columns.size()) + " columns are described; left_out says more.";
  }
  answer["table"] = table.path;
  answer["version"] = version.version;
  if (!table.description.empty()) answer["description"] = table.description;
  answer["rows"] = version.rows;
  answer["bytes"] = version.bytes;
  answer.update(profiled);
  answer["latest_changes"] = Json::array();
  for (const auto& change : services.versions.history(table, changes_shown))
    answer["latest_changes"].push_back(version_json(change));
  co_return answer;
}

}  // namespace

Tool describe_table_tool() { return {definition(), run}; }

}  // namespace stele
