#include "tables/diff_sql.hpp"

#include <algorithm>
#include <functional>

#include "tables/staged_segment.hpp"

namespace stele {
namespace {

std::string join(const std::vector<ComparedColumn>& columns, const std::string& between,
                 const std::function<std::string(const ComparedColumn&)>& text) {
  std::string joined;
  for (const ComparedColumn& column : columns) joined += (joined.empty() ? "" : between) + text(column);
  return joined;
}

std::string compared(const ComparedColumn& column, bool is_before) {
  const std::string name = id_name(column.id);
  const std::string value = is_before && !column.before ? "NULL" : name;
  return "CAST(" + value + " AS " + column.type + ") AS " + name;
}

// One side's own rows with their positions, numbered among those of the same key.
std::string side(const std::vector<ComparedColumn>& columns, const std::vector<ComparedColumn>& keys, bool is_before) {
  const std::string index = is_before ? "0" : "1";
  const std::string selected =
      "SELECT stele_segment AS s, stele_row AS r, " +
      join(columns, ", ", [&](const ComparedColumn& column) { return compared(column, is_before); }) + " FROM ";
  const std::string partition = join(keys, ", ", [](const ComparedColumn& key) { return id_name(key.id); });
  return "SELECT *, row_number() OVER (PARTITION BY " + partition + " ORDER BY s, r) AS nth FROM (" + selected +
         "scan(" + index + ", positions := true) UNION ALL " + selected + "picked(" + index + "))";
}

std::string differ(const std::vector<ComparedColumn>& columns) {
  return join(columns, " OR ", [](const ComparedColumn& column) {
    const std::string name = id_name(column.id);
    return "a." + name + " IS DISTINCT FROM b." + name;
  });
}

}  // namespace

std::string diff_sql(const std::vector<ComparedColumn>& columns, std::uint64_t offset, std::uint64_t limit) {
  std::vector<ComparedColumn> keys, others;
  std::partition_copy(columns.begin(), columns.end(), std::back_inserter(keys), std::back_inserter(others),
                      [](const ComparedColumn& column) { return column.is_key; });
  if (keys.empty()) std::swap(keys, others);
  const std::string matched = join(keys, " AND ", [](const ComparedColumn& key) {
    return "a." + id_name(key.id) + " IS NOT DISTINCT FROM b." + id_name(key.id);
  });
  return "WITH a AS (" + side(columns, keys, true) + "), b AS (" + side(columns, keys, false) +
         "), changes AS MATERIALIZED (SELECT coalesce(a.s, -1) AS from_s, coalesce(a.r, -1) AS from_r, "
         "coalesce(b.s, -1) AS to_s, coalesce(b.r, -1) AS to_r FROM a FULL JOIN b ON " +
         matched + " AND a.nth = b.nth WHERE a.s IS NULL OR b.s IS NULL" +
         (others.empty() ? "" : " OR " + differ(others)) +
         ") SELECT count(*) FILTER (WHERE from_s < 0), count(*) FILTER (WHERE to_s < 0), "
         "count(*) FILTER (WHERE from_s >= 0 AND to_s >= 0), 0 FROM changes "
         "UNION ALL SELECT * FROM (SELECT * FROM changes ORDER BY to_s < 0, to_s, to_r, from_s, from_r LIMIT " +
         std::to_string(limit) + " OFFSET " + std::to_string(offset) + ")";
}

}  // namespace stele
