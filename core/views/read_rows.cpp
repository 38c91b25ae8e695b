// read_rows: a page of a version's rows, filtered and sorted without SQL of the caller's.
#include "tables/read_rows.hpp"

#include "tables/column_list.hpp"
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "views/view.hpp"

namespace stele {
namespace {

Json arguments_schema() {
  const Json filter = schema::closed_object({
      schema::required("column", schema::text()),
      schema::required("op", schema::choice(filter_operators())),
      schema::optional("value", schema::anything("A text, a number, true or false")),
  });
  const Json order = schema::closed_object({
      schema::required("column", schema::text()),
      schema::optional("descending", schema::boolean()),
  });
  return schema::closed_object({
      table_parameter(),
      schema::optional("version", schema::integer("", 1, SqlStore::integer_max)),
      schema::optional("columns", schema::list(schema::text(), "", 1)),
      schema::optional("filters", schema::list(filter, "", 0, 100)),
      schema::optional("search", schema::text()),
      schema::optional("order_by", schema::list(order, "", 0, 32)),
      schema::defaulted("offset", schema::integer("", 0, SqlStore::integer_max), 0),
      schema::defaulted("limit", schema::integer("", 0, 10'000), 100),
  });
}

std::vector<Column> columns_named(const Json& names, const std::vector<Column>& columns) {
  std::vector<Column> named;
  for (const auto& name : names) named.push_back(get_column(columns, name.get<std::string>()));
  return named;
}

RowsRequest request_of(const Json& arguments, const std::vector<Column>& columns) {
  RowsRequest request;
  request.columns = arguments.contains("columns") ? columns_named(arguments["columns"], columns) : columns;
  for (const auto& filter : arguments.value("filters", Json::array()))
    request.filters.push_back(
        {get_column(columns, text_of(filter, "column")), text_of(filter, "op"), filter.value("value", Json())});
  request.search = text_of(arguments, "search");
  for (const auto& order : arguments.value("order_by", Json::array()))
    request.order.push_back({get_column(columns, text_of(order, "column")), order.value("descending", false)});
  request.offset = arguments["offset"].get<std::uint64_t>();
  request.limit = arguments["limit"].get<std::uint64_t>();
  return request;
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.read, "read", "read_rows");
  const TableRecord table = services.catalog.get(text_of(arguments, "table"));
  const std::int64_t version = integer_of(arguments, "version").value_or(table.version);
  SnapshotPtr snapshot = services.versions.snapshot(table, version);
  RowsRequest request = request_of(arguments, snapshot->columns);
  Task<Json> reading = read_rows(services.engine, std::move(snapshot), std::move(request));
  const Json rows = co_await std::move(reading);
  Json answer = Json::object();
  answer["table"] = table.path;
  answer["version"] = version;
  answer.update(rows);
  co_return answer;
}

}  // namespace

View read_rows_view() { return {"read_rows", arguments_schema(), run}; }

}  // namespace stele
