// How a name is written in SQL. It knows the parser's words and no table.
#pragma once

#include <string>

namespace stele {

// As it is where the parser takes it for a name, else in double quotes.
std::string sql_name(const std::string& name);

}  // namespace stele
