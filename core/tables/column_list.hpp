// Lists of columns as the store keeps them: JSON, each list once a table. It knows no types; the engine does.
#pragma once

#include <string>
#include <vector>

#include "engine/snapshot.hpp"

namespace stele {

// Column and StoredColumn have the same three members and the same form: [{"id": 1, "name": "city", "type":
// "VARCHAR"}].
std::string columns_text(const std::vector<Column>& columns);
std::string columns_text(const std::vector<StoredColumn>& columns);
std::vector<Column> columns_from_text(const std::string& text);
std::vector<StoredColumn> stored_columns_from_text(const std::string& text);

// The column of this name: exactly, else without regard to case; nullptr if there is none.
const Column* find_column(const std::vector<Column>& columns, const std::string& name);
// The same; throws Error unknown_column with the nearest names if there is none.
const Column& get_column(const std::vector<Column>& columns, const std::string& name);
[[noreturn]] void refuse_unknown_column(const std::vector<Column>& columns, const std::string& name);

}  // namespace stele
