// Encoding: which characters the bytes of a file mean, found from all of them, and the way to UTF-8. It never replaces
// a byte that it cannot read.
#pragma once

#include <cstdint>
#include <memory>

#include "base/task.hpp"
#include "tables/byte_source.hpp"

namespace stele {

struct Encoding {
  enum class Kind { utf8, utf16_le, utf16_be, windows_1252 };
  Kind kind = Kind::utf8;
  std::size_t mark_bytes = 0;      // of the byte-order mark
  std::uint64_t foreign_line = 0;  // windows_1252: the first line that is not UTF-8
  const char* name() const;        // "UTF-8"
};

// By the byte-order mark, else UTF-8 where all bytes are, else Windows-1252. Throws Error invalid_encoding where a file
// is UTF-8 in some lines and not in others, naming the line.
Task<Encoding> find_encoding(ByteSource& bytes, std::uint64_t size);

// The same text as UTF-8, without a mark.
std::unique_ptr<ByteSource> as_utf8(std::unique_ptr<ByteSource> bytes, const Encoding& encoding);

}  // namespace stele
