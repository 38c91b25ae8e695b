// Encoding: which characters the bytes of a file mean, found from all of them, and the way to UTF-8. It never replaces
// a byte that it cannot read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/task.hpp"
#include "tables/byte_source.hpp"

namespace stele {

struct Encoding {
  enum class Kind { utf8, utf16_le, utf16_be, windows_1252 };
  Kind kind = Kind::utf8;
  std::size_t mark_bytes = 0;      // of the byte-order mark
  std::uint64_t foreign_line = 0;  // the first line that is not UTF-8, where that was looked for
  bool guessed = false;            // UTF-16 without a mark, by the zero bytes of its ASCII
  bool mixed = false;              // utf8, but not in every line: readers have to look at each record
  const char* name() const;        // "UTF-8"
  // What was assumed of the file and its readers should know; empty if nothing was.
  std::string assumption() const;
};

// By the byte-order mark or every second byte being zero, else UTF-8 where all bytes are, else Windows-1252; `mixed`
// where a file is UTF-8 in some lines and not in others. What the caller says of it, `told`, is believed.
Task<Encoding> find_encoding(ByteSource& bytes, std::uint64_t size, std::optional<Encoding::Kind> told = {});

bool is_utf8(std::string_view text);

// The same text as UTF-8, without a mark.
std::unique_ptr<ByteSource> as_utf8(std::unique_ptr<ByteSource> bytes, const Encoding& encoding);

}  // namespace stele
