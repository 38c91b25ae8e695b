#include "tables/table_state.hpp"

#include "tables/column_list.hpp"
#include "tables/sql_values.hpp"

namespace stele {

TableState read_table_state(SqlStore& store, const TableRecord& table) {
  const SqlValue id[] = {table.id};
  const SqlRows rows = store.query(
      "SELECT t.next_column, t.next_segment, t.written_bytes, t.merged_bytes, v.rows, v.version, c.columns FROM tables "
      "t "
      "JOIN versions v ON v.table_id = t.id AND v.version = t.version JOIN column_lists c ON c.id = v.columns_id "
      "WHERE t.id = ?",
      id);
  require(rows.size() == 1, "a table has its latest version");
  const SqlRow& row = rows[0];
  TableState state;
  state.table = table;
  state.next_column = static_cast<int>(integer_of(row[0]));
  state.next_segment = integer_of(row[1]);
  state.written_bytes = static_cast<std::uint64_t>(integer_of(row[2]));
  state.merged_bytes = static_cast<std::uint64_t>(integer_of(row[3]));
  state.rows = static_cast<std::uint64_t>(integer_of(row[4]));
  state.table.version = integer_of(row[5]);
  state.columns = columns_from_text(text_of(row[6]));
  state.live = read_live_set(store, table.id, state.table.version);
  return state;
}

bool is_unchanged(SqlStore& store, const TableState& state) {
  const SqlValue id[] = {state.table.id};
  const SqlRows rows = store.query("SELECT version, trashed_ms FROM tables WHERE id = ?", id);
  if (rows.empty()) return state.is_new();
  return integer_of(rows[0][0]) == state.table.version && optional_integer_of(rows[0][1]) == state.table.trashed_ms;
}

}  // namespace stele
