// CSV dialect: delimiter, lines above the table and whether the first record is a header, from what the file shows. It
// changes nothing, and what it skips it names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/csv_reader.hpp"
#include "tables/typing.hpp"

namespace stele {

struct FoundDialect {
  CsvDialect dialect;
  std::vector<std::string> skipped;  // the lines above the table
};

// From the front of the text, cut anywhere. `tabs_expected` decides between delimiters that fit equally well.
FoundDialect find_dialect(std::string_view head, bool tabs_expected);

// Whether the first record names the columns, by what all other records hold.
bool is_header(std::span<const std::string> first_record, std::span<const ColumnTyping> columns);

}  // namespace stele
