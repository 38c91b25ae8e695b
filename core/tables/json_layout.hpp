// JSON layout: where the rows of a JSON document are: in a list, under a key of an envelope, or the document itself. It
// guesses between two lists never, and names what it leaves out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "tables/byte_source.hpp"
#include "tables/row_source.hpp"

namespace stele {

struct JsonLayout {
  enum class Kind {
    lines,       // one object a line
    list,        // a list of objects
    lists,       // a list of lists, whose names are `names`
    cell_lines,  // one list a line, the first the header
    document,    // one object, one row
  };
  Kind kind = Kind::list;
  std::uint64_t offset = 0;        // of the list's first element
  bool enveloped = false;          // the list stands within an object
  std::vector<std::string> names;  // of lists
  std::string rows_path;           // the keys to the list, as records_path writes them; empty if it is the file
  std::vector<Warning> warnings;
};

// `records_path` names the list of rows by the keys to it, parted by "/" (in a key "/" is written "~1" and "~" "~0").
// Throws Error no_rows (a list of no objects, or of nothing), ambiguous_rows (two lists, named), invalid_json,
// unknown_records_path.
Task<JsonLayout> find_json_layout(ByteSource& utf8, std::uint64_t size, std::optional<std::string> records_path);

}  // namespace stele
