#include "engine/sql_name.hpp"

#include "duckdb/parser/keyword_helper.hpp"

namespace stele {

std::string sql_name(const std::string& name) { return duckdb::KeywordHelper::WriteOptionallyQuoted(name); }

}  // namespace stele
