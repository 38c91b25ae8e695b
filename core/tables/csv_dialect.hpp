// CSV dialect: delimiter, lines above the table and whether the first record is a header, from what the file shows. It
// changes nothing, and what it skips it names.
#pragma once

#include <cstdint>
#include <optional>
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

// What is known before the text is seen.
struct DialectHints {
  bool tabs_expected = false;  // decides between delimiters that fit equally well
  std::optional<char> delimiter;
  std::optional<std::uint64_t> skipped_lines;
};

// From the front of the text, cut anywhere.
FoundDialect find_dialect(std::string_view head, const DialectHints& hints);

// Whether the first record names the columns, by what all other records hold.
bool is_header(std::span<const std::string> first_record, std::span<const ColumnTyping> columns);

}  // namespace stele
