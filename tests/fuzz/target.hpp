// Fuzz targets: each takes any bytes at all and throws Finding where a promise is broken; what a caller may cause is no
// finding. libFuzzer drives them (fuzz.cpp), and the native suite replays the saved corpus (replay.cpp).
#pragma once

#include <stdexcept>
#include <string_view>

namespace stele::fuzz {

class Finding : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void expect(bool holds, const std::string& promise) {
  if (!holds) throw Finding(promise);
}

// Bytes of a file: what it holds as CSV, TSV, JSON, NDJSON or cells, looked at and delivered twice.
void text(std::string_view bytes);

// SQL of a caller's, guarded and run for some slices.
void guard(std::string_view bytes);

// A JSON list of tool calls, done one after the other on an empty workspace.
void calls(std::string_view bytes);

// A receipt's document: made from any statement, message and author, then found, listed and read again.
void receipt(std::string_view bytes);

}  // namespace stele::fuzz
