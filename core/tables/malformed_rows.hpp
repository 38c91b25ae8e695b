// Malformed rows: records that break their format and could be passed over, counted and named by line. Whoever reads
// the rows decides whether passing over them is allowed; by default it is not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace stele {

struct MalformedRows {
  struct Line {
    std::uint64_t line;   // on which the record begins, from 1
    std::string problem;  // ends the sentence "Line 2 …"
  };
  std::uint64_t count = 0;
  std::vector<Line> first;  // as many as an answer tells

  void add(std::uint64_t line, std::string problem);
  // [{"line", "problem"}], and a last entry {"more": count} if not all are told.
  Json to_json() const;
};

// Throws Error malformed_rows, naming lines and count, unless `to_skip` is the count; `rows` are the good ones beside
// them.
void check_malformed(const MalformedRows& malformed, std::uint64_t rows, std::optional<std::uint64_t> to_skip);

}  // namespace stele
