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

// What the first bytes and the caller, `told`, say. Unless that settles it, the encoding is UTF-8 only if all bytes
// are: for Utf8Watch or find_encoding to find out.
struct FrontEncoding {
  Encoding encoding;
  bool settled = false;
};
FrontEncoding encoding_by_front(ByteSource& bytes, std::optional<Encoding::Kind> told);

// By the byte-order mark or every second byte being zero, else UTF-8 where all bytes are, else Windows-1252; `mixed`
// where a file is UTF-8 in some lines and not in others. What the caller says of it, `told`, is believed.
Task<Encoding> find_encoding(ByteSource& bytes, std::uint64_t size, std::optional<Encoding::Kind> told = {});

bool is_utf8(std::string_view text);

// Utf8Watch: bytes that are looked at as they are read. Throws Error invalid_encoding where they are not UTF-8, before
// anyone sees half a character as the end of a text.
class Utf8Watch : public ByteSource {
 public:
  explicit Utf8Watch(std::shared_ptr<ByteSource> bytes);
  ~Utf8Watch() override;
  void rewind() override;
  std::size_t read(std::span<char> into) override;
  // Whether all bytes were read, in one go from the first to the last, and are UTF-8.
  bool all_utf8() const { return all_utf8_; }

 private:
  struct Check;
  std::shared_ptr<ByteSource> bytes_;
  std::unique_ptr<Check> check_;
  bool all_utf8_ = false;
};

// The same bytes, held by several.
class SharedBytes : public ByteSource {
 public:
  explicit SharedBytes(std::shared_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {}
  void rewind() override { bytes_->rewind(); }
  std::size_t read(std::span<char> into) override { return bytes_->read(into); }

 private:
  std::shared_ptr<ByteSource> bytes_;
};

// The same text as UTF-8, without a mark.
std::unique_ptr<ByteSource> as_utf8(std::unique_ptr<ByteSource> bytes, const Encoding& encoding);

}  // namespace stele
