#include "tables/column_list.hpp"

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/nearest.hpp"
#include "tables/letter_case.hpp"

namespace stele {

namespace {

template <class AnyColumn>
std::string text_from(const std::vector<AnyColumn>& columns) {
  Json list = Json::array();
  for (const AnyColumn& column : columns) {
    list.push_back({{"id", column.id}, {"name", column.name}, {"type", column.type}});
  }
  return list.dump();
}

template <class AnyColumn>
std::vector<AnyColumn> columns_from(const std::string& text) {
  std::vector<AnyColumn> columns;
  for (const Json& column : Json::parse(text)) {
    columns.push_back({column["id"].get<int>(), column["name"].get<std::string>(), column["type"].get<std::string>()});
  }
  return columns;
}

}  // namespace

std::string columns_text(const std::vector<Column>& columns) { return text_from(columns); }
std::string columns_text(const std::vector<StoredColumn>& columns) { return text_from(columns); }
std::vector<Column> columns_from_text(const std::string& text) { return columns_from<Column>(text); }
std::vector<StoredColumn> stored_columns_from_text(const std::string& text) { return columns_from<StoredColumn>(text); }

const Column* find_column(const std::vector<Column>& columns, const std::string& name) {
  for (const Column& column : columns) {
    if (column.name == name) return &column;
  }
  const std::string lower = lower_ascii(name);
  for (const Column& column : columns) {
    if (lower_ascii(column.name) == lower) return &column;
  }
  return nullptr;
}

const Column& get_column(const std::vector<Column>& columns, const std::string& name) {
  if (const Column* column = find_column(columns, name)) return *column;
  refuse_unknown_column(columns, name);
}

void refuse_unknown_column(const std::vector<Column>& columns, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& column : columns) names.push_back(column.name);
  std::string hint;
  for (const auto& near : nearest_names(name, names, 3))
    hint += (hint.empty() ? "Near names: \"" : ", \"") + near + "\"";
  throw Error("unknown_column", "The table has no column \"" + name + "\".",
              hint.empty() ? "describe_table lists its columns." : hint + ".");
}

}  // namespace stele
