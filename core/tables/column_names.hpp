// Column names: from the names a file or a call writes to names that a reader can see, type and tell apart. A name is
// never changed in silence.
#pragma once

#include <string>
#include <vector>

#include "tables/row_source.hpp"

namespace stele {

// One name for each written one, in order: no blanks around, nothing invisible within, none empty, no two that differ
// in case alone. A name that only one column has as written stays with that column. Adds a warning for each change.
std::vector<std::string> column_names(const std::vector<std::string>& written, std::vector<Warning>& warnings);

}  // namespace stele
