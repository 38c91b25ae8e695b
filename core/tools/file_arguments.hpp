// File arguments: the parameters by which import_table and inspect_file say where a file is and how it is to be read.
#pragma once

#include <vector>

#include "tables/read_options.hpp"
#include "tools/schema.hpp"

namespace stele {

schema::Member source_url_parameter();
// delimiter, header, encoding, skip_rows, sheet, records_path, null_values, decimal_comma; described by one tool, since
// an agent reads the definitions of all.
std::vector<schema::Member> read_parameters(bool described);

// Of checked arguments. Throws Error invalid_arguments for what a schema cannot say.
ReadOptions read_options(const Json& arguments);

}  // namespace stele
