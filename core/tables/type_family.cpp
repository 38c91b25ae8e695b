#include "tables/type_family.hpp"

#include <algorithm>
#include <array>

namespace stele {

namespace {

constexpr std::array<std::string_view, 10> integer_types = {"TINYINT",  "SMALLINT",  "INTEGER",  "BIGINT",  "HUGEINT",
                                                            "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"};
// From narrow to wide: what a widened number becomes.
constexpr std::array<std::string_view, 3> number_ladder = {"BIGINT", "HUGEINT", "DOUBLE"};

bool is_date_or_timestamp(std::string_view type) { return type == "DATE" || type.substr(0, 9) == "TIMESTAMP"; }

}  // namespace

bool is_integer_type(std::string_view type) {
  return std::find(integer_types.begin(), integer_types.end(), type) != integer_types.end();
}

bool is_number_type(std::string_view type) {
  return is_integer_type(type) || type == "DOUBLE" || type == "FLOAT" || type.substr(0, 7) == "DECIMAL";
}

std::vector<std::string> wider_candidates(const std::string& table, const std::string& incoming) {
  std::vector<std::string> candidates;
  if (is_number_type(table) && is_number_type(incoming)) {
    if (incoming != "DOUBLE") candidates.push_back(incoming);
    for (std::string_view type : number_ladder) {
      if (type != table && type != incoming) candidates.emplace_back(type);
    }
    if (incoming == "DOUBLE" && table != "DOUBLE") candidates.push_back(incoming);
  } else if (table == "DATE" && incoming == "TIMESTAMP") {
    candidates.push_back(incoming);
  }
  return candidates;
}

bool may_stand_in(std::string_view from, std::string_view to) {
  if (is_number_type(from)) return is_number_type(to) || to == "VARCHAR";
  if (is_date_or_timestamp(from)) return is_date_or_timestamp(to) || to == "VARCHAR";
  return from != "BOOLEAN" || to == "VARCHAR";
}

}  // namespace stele
