#include "tables/read_rows.hpp"

#include <algorithm>

#include "tables/row_page.hpp"
#include "tables/staged_segment.hpp"

namespace stele {
namespace {

constexpr const char* scan_positions = " FROM scan(0, positions := true)";

std::string order_sql(const std::vector<RowOrder>& order) {
  std::string sql;
  for (const RowOrder& by : order)
    sql += (sql.empty() ? " ORDER BY " : ", ") + id_name(by.column.id) + (by.descending ? " DESC" : " ASC") +
           " NULLS LAST";
  return sql.empty() ? sql : sql + ", stele_segment, stele_row";
}

Task<std::vector<Position>> positions_of(Engine& engine, SnapshotPtr snapshot, std::string sql) {
  std::vector<SnapshotPtr> snapshots(1, std::move(snapshot));
  const auto cursor = engine.start_own(sql, std::move(snapshots));
  std::vector<Position> positions;
  for (;;) {
    Task<bool> advancing = next_chunk(*cursor, "finding rows");
    const bool more = co_await std::move(advancing);
    if (!more) break;
    for (std::size_t row = 0; row < cursor->row_count(); ++row)
      positions.push_back(
          {static_cast<std::uint32_t>(cursor->int64(row, 0)), static_cast<std::uint32_t>(cursor->int64(row, 1))});
  }
  co_return positions;
}

Task<std::uint64_t> count_of(Engine& engine, SnapshotPtr snapshot, std::string where) {
  std::vector<SnapshotPtr> snapshots(1, std::move(snapshot));
  const auto cursor = engine.start_own("SELECT count(*) FROM scan(0)" + where, std::move(snapshots));
  Task<bool> advancing = next_chunk(*cursor, "counting rows");
  const bool counted = co_await std::move(advancing);
  require(counted, "a count has a row");
  co_return static_cast<std::uint64_t>(cursor->int64(0, 0));
}

Task<std::string> where_sql(Engine& engine, SnapshotPtr snapshot, const RowsRequest* request) {
  Task<std::string> filtering = filter_sql(engine, request->filters);
  std::string where = co_await std::move(filtering);
  if (!request->search.empty())
    where += (where.empty() ? "(" : " AND (") + search_sql(snapshot->columns, request->search) + ")";
  co_return where.empty() ? where : " WHERE " + where;
}

}  // namespace

Task<Json> read_rows(Engine& engine, SnapshotPtr snapshot, RowsRequest request) {
  const SnapshotPtr named = with_id_names(*snapshot);
  Task<std::string> filtering = where_sql(engine, snapshot, &request);
  const std::string where = co_await std::move(filtering);
  std::uint64_t total = named->rows();
  std::vector<Position> positions;
  if (where.empty() && request.order.empty()) {
    positions = live_positions(*named, request.offset, request.limit);
  } else if (request.limit > 0 && request.offset < total) {
    Task<std::vector<Position>> finding = positions_of(
        engine, named,
        std::string("SELECT stele_segment, stele_row") + scan_positions + where + order_sql(request.order) + " LIMIT " +
            std::to_string(request.limit) + " OFFSET " + std::to_string(request.offset));
    positions = co_await std::move(finding);
  }
  if (!where.empty()) {
    // A page that ends early has counted all rows before it.
    const bool is_last = positions.size() < request.limit && (!positions.empty() || request.offset == 0);
    if (is_last) {
      total = request.offset + positions.size();
    } else {
      Task<std::uint64_t> counting = count_of(engine, named, where);
      total = co_await std::move(counting);
    }
  }

  std::vector<int> ids;
  for (const Column& column : request.columns) ids.push_back(column.id);
  const std::size_t found = positions.size();
  Task<std::vector<Json>> reading = cells_at(engine, named, std::move(positions), std::move(ids), page_bytes_max);
  std::vector<Json> rows = co_await std::move(reading);
  Json answer = Json::object();
  answer["columns"] = columns_json(request.columns);
  answer["truncated"] = rows.size() < found;
  answer["rows"] = std::move(rows);
  answer["total_rows"] = total;
  co_return answer;
}

}  // namespace stele
