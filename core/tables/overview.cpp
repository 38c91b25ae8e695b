#include "tables/overview.hpp"

#include "tables/sql_values.hpp"

namespace stele {

std::vector<Overview::Share> Overview::shares() {
  std::vector<Share> shares;
  for (const SqlRow& row : store_.query("SELECT path, share_token, shared_ms, version FROM tables "
                                        "WHERE share_token IS NOT NULL AND trashed_ms IS NULL ORDER BY path")) {
    shares.push_back({text_of(row[0]), text_of(row[1]), optional_integer_of(row[2]), integer_of(row[3])});
  }
  return shares;
}

std::vector<Overview::Trashed> Overview::trash() {
  std::vector<Trashed> trash;
  for (const SqlRow& row : store_.query(
           "SELECT t.path, t.version, v.rows, v.bytes, t.trashed_ms FROM tables t JOIN versions v ON v.table_id = t.id "
           "AND v.version = t.version WHERE t.trashed_ms IS NOT NULL ORDER BY t.trashed_ms DESC, t.id DESC")) {
    trash.push_back({text_of(row[0]), integer_of(row[1]), integer_of(row[2]), integer_of(row[3]), integer_of(row[4])});
  }
  return trash;
}

Overview::Totals Overview::totals() {
  Totals totals;
  totals.tables = number("SELECT count(*) FROM tables WHERE trashed_ms IS NULL");
  totals.trashed = number("SELECT count(*) FROM tables WHERE trashed_ms IS NOT NULL");
  totals.versions = number("SELECT count(*) FROM versions");
  totals.rows = number(
      "SELECT coalesce(sum(v.rows), 0) FROM tables t JOIN versions v ON v.table_id = t.id AND v.version = "
      "t.version WHERE t.trashed_ms IS NULL");
  totals.bytes = number(
      "SELECT (SELECT coalesce(sum(size), 0) FROM blobs WHERE published = 1) + "
      "(SELECT coalesce(sum(length(bytes)), 0) FROM deletions)");
  totals.receipts = number("SELECT count(*) FROM receipts");
  totals.shares = number("SELECT count(*) FROM tables WHERE share_token IS NOT NULL AND trashed_ms IS NULL");
  return totals;
}

std::int64_t Overview::number(const char* sql) { return integer_of(store_.query(sql)[0][0]); }

}  // namespace stele
