// JSON layout: where the rows of a JSON document are: in a list, under a key of an envelope, or the document itself. It
// guesses between two lists never, and names what it leaves out.
#pragma once

#include <cstdint>
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
  std::vector<Warning> warnings;
};

// Throws Error no_rows (a list of no objects, or of nothing), ambiguous_rows (two lists, named), invalid_json.
Task<JsonLayout> find_json_layout(ByteSource& utf8, std::uint64_t size);

}  // namespace stele
