// ReadOptions: what a caller says about a file, in place of what would be found from its bytes. Nothing in them changes
// a value in silence: an option that a format has no use for is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tables/encoding.hpp"
#include "tables/importer.hpp"

namespace stele {

struct ReadOptions {
  std::optional<char> delimiter;            // CSV and TSV
  std::optional<bool> header;               // CSV, TSV and XLSX: whether the first row names the columns
  std::optional<Encoding::Kind> encoding;   // all but Parquet and XLSX
  std::optional<std::string> sheet;         // XLSX
  std::optional<std::uint64_t> skip_rows;   // CSV, TSV and XLSX: above the header
  std::optional<std::string> records_path;  // JSON: the keys to the list of rows, parted by "/"
  std::vector<std::string> null_values;     // all but Parquet: cells that mean "no value"
  bool decimal_comma = false;               // all but Parquet: 1.234,5 is a number
  std::optional<std::uint64_t> malformed_rows_to_skip;
};

// "CSV", "Parquet": as messages and hints call a format.
const char* name_of(Format format);

// One character, or the words "tab" and "\t". Throws Error invalid_arguments.
char parse_delimiter(const std::string& written);
// "UTF-8", "utf-16le", "Windows-1252" and their usual other names. Throws Error invalid_arguments.
Encoding::Kind parse_encoding(const std::string& written);

// Throws Error invalid_arguments if an option is given that says nothing about such a file.
void check_options(const ReadOptions& options, Format format);

}  // namespace stele
