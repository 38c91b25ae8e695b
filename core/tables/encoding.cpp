#include "tables/encoding.hpp"

#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace stele {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;

// Checks UTF-8 across blocks, by the table of well-formed byte sequences in the Unicode standard.
class Utf8Check {
 public:
  bool multibyte_seen = false;

  // How many bytes are well-formed so far: all of them if the block is.
  std::size_t feed(std::span<const char> block) {
    std::size_t at = 0;
    while (at < block.size()) {
      if (missing_ == 0) at = skip_ascii(block, at);
      if (at == block.size()) break;
      if (!step(static_cast<unsigned char>(block[at]))) return at;
      ++at;
    }
    return at;
  }
  bool complete() const { return missing_ == 0; }

 private:
  static std::size_t skip_ascii(std::span<const char> block, std::size_t at) {
    for (std::uint64_t eight; at + 8 <= block.size(); at += 8) {
      std::memcpy(&eight, block.data() + at, 8);
      if (eight & 0x8080808080808080u) break;
    }
    while (at < block.size() && static_cast<signed char>(block[at]) >= 0) ++at;
    return at;
  }

  bool step(unsigned char byte) {
    if (missing_) {
      if (byte < low_ || byte > high_) return false;
      low_ = 0x80, high_ = 0xBF;
      multibyte_seen = multibyte_seen || missing_ == 1;
      --missing_;
      return true;
    }
    if (byte < 0xC2 || byte > 0xF4) return byte < 0x80;
    missing_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    low_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    high_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    return true;
  }

  int missing_ = 0;
  unsigned char low_ = 0x80, high_ = 0xBF;
};

void append_utf8(std::string& out, char32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// The bytes 0x80 to 0x9F of Windows-1252; the five that it leaves undefined stand for themselves.
constexpr std::array<char16_t, 32> windows_1252_high = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                                        0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

class DecodedBytes : public ByteSource {
 public:
  DecodedBytes(std::unique_ptr<ByteSource> bytes, const Encoding& encoding)
      : bytes_(std::move(bytes)), encoding_(encoding), raw_(block_bytes / 2) {}

  void rewind() override {
    bytes_->rewind();
    started_ = false;
    text_.clear();
    at_ = kept_ = 0;
  }

  std::size_t read(std::span<char> into) override {
    if (!started_) skip_mark();
    if (encoding_.kind == Encoding::Kind::utf8) return bytes_->read(into);
    while (at_ == text_.size()) {
      const auto count = bytes_->read({raw_.data() + kept_, raw_.size() - kept_});
      if (count == 0 && kept_ == 0) return 0;
      text_.clear();
      at_ = 0;
      decode(kept_ + count, count == 0);
    }
    const auto count = std::min(into.size(), text_.size() - at_);
    std::memcpy(into.data(), text_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  void skip_mark() {
    started_ = true;
    for (auto left = encoding_.mark_bytes; left > 0;) left -= bytes_->read({raw_.data(), left});
  }

  void decode(std::size_t count, bool last) {
    if (encoding_.kind == Encoding::Kind::windows_1252) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto byte = static_cast<unsigned char>(raw_[i]);
        append_utf8(text_, byte >= 0x80 && byte < 0xA0 ? windows_1252_high[byte - 0x80] : byte);
      }
      kept_ = 0;
      return;
    }
    std::size_t at = 0;
    while (at + 2 <= count) {
      const char32_t unit = unit_at(at);
      const bool high = unit >= 0xD800 && unit < 0xDC00;
      if (high && at + 4 > count && !last) break;
      const char32_t low = high && at + 4 <= count ? unit_at(at + 2) : 0;
      if ((high && !(low >= 0xDC00 && low < 0xE000)) || (unit >= 0xDC00 && unit < 0xE000)) refuse();
      append_utf8(text_, high ? 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00) : unit);
      at += high ? 4 : 2;
    }
    kept_ = count - at;
    if (last && kept_) refuse();
    std::memmove(raw_.data(), raw_.data() + at, kept_);
  }

  char32_t unit_at(std::size_t at) const {
    const auto first = static_cast<unsigned char>(raw_[at]);
    const auto second = static_cast<unsigned char>(raw_[at + 1]);
    return encoding_.kind == Encoding::Kind::utf16_le ? first | second << 8 : first << 8 | second;
  }

  [[noreturn]] static void refuse() {
    throw Error("invalid_encoding", "The file begins as UTF-16 but holds half a character.",
                "Save it as UTF-8 and import it again.");
  }

  std::unique_ptr<ByteSource> bytes_;
  Encoding encoding_;
  bool started_ = false;
  std::vector<char> raw_;
  std::size_t kept_ = 0;  // bytes of a character that the last block cut
  std::string text_;
  std::size_t at_ = 0;
};

// UTF-16 without a mark: nearly all of the first characters are ASCII, so that every second byte is zero.
std::optional<Encoding::Kind> utf16_without_mark(std::string_view head) {
  std::size_t zeros[2] = {0, 0};
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0' ? 1 : 0;
  const auto most = head.size() * 2 / 5;
  if (head.size() < 8 || zeros[0] + zeros[1] < most) return {};
  if (zeros[0] == 0) return Encoding::Kind::utf16_le;
  if (zeros[1] == 0) return Encoding::Kind::utf16_be;
  return {};
}

std::uint64_t line_ends_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

Encoding by_mark(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) return {Encoding::Kind::utf8, 3, 0};
  if (head.starts_with("\xFF\xFE")) return {Encoding::Kind::utf16_le, 2, 0};
  if (head.starts_with("\xFE\xFF")) return {Encoding::Kind::utf16_be, 2, 0};
  return {};
}

}  // namespace

const char* Encoding::name() const {
  switch (kind) {
    case Kind::utf8:
      return "UTF-8";
    case Kind::utf16_le:
    case Kind::utf16_be:
      return "UTF-16";
    case Kind::windows_1252:
      return "Windows-1252";
  }
  return "";
}

std::string Encoding::assumption() const {
  if (guessed) return "The file has no byte-order mark but every second byte is zero; it was read as UTF-16.";
  if (kind != Kind::windows_1252 || !foreign_line) return "";
  return "Line " + std::to_string(foreign_line) + " is not UTF-8; the file was read as Windows-1252.";
}

bool is_utf8(std::string_view text) {
  Utf8Check check;
  return check.feed(text) == text.size() && check.complete();
}

FrontEncoding encoding_by_front(ByteSource& bytes, std::optional<Encoding::Kind> told) {
  auto encoding = by_mark(head_of(bytes, 3));
  if (told && *told != Encoding::Kind::utf8) {
    const bool marked = encoding.kind != Encoding::Kind::utf8 && *told != Encoding::Kind::windows_1252;
    return {marked ? encoding : Encoding{*told}, true};
  }
  if (!told && encoding.kind != Encoding::Kind::utf8) return {encoding, true};
  if (!told && encoding.mark_bytes == 0) {
    if (const auto utf16 = utf16_without_mark(head_of(bytes, 512))) {
      encoding.kind = *utf16;
      encoding.guessed = true;
      return {encoding, true};
    }
  }
  return {encoding, false};
}

Task<Encoding> find_encoding(ByteSource& bytes, std::uint64_t size, std::optional<Encoding::Kind> told) {
  const auto front = encoding_by_front(bytes, told);
  auto encoding = front.encoding;
  if (front.settled) co_return encoding;
  std::vector<char> block(block_bytes);
  Utf8Check check;
  std::uint64_t lines = 0, done = 0;
  while (const auto count = bytes.read(block)) {
    const std::string_view read(block.data(), count);
    std::size_t checked = 0;
    while ((checked += check.feed(read.substr(checked))) < count) {
      if (!encoding.foreign_line) encoding.foreign_line = lines + 1 + line_ends_in(read.substr(0, checked));
      const bool seen = check.multibyte_seen;
      check = {};
      check.multibyte_seen = seen;
      ++checked;
    }
    if (!encoding.foreign_line) lines += line_ends_in(read);
    done += count;
    Progress progress{static_cast<double>(done), static_cast<double>(size), "checking the characters"};
    co_await end_slice(progress);
  }
  bytes.rewind();
  if (!check.complete() && !encoding.foreign_line) encoding.foreign_line = lines + 1;
  if (encoding.foreign_line) {
    encoding.mixed = told || check.multibyte_seen || encoding.mark_bytes;
    if (!encoding.mixed) encoding.kind = Encoding::Kind::windows_1252;
  }
  co_return encoding;
}

struct Utf8Watch::Check : Utf8Check {};

Utf8Watch::Utf8Watch(std::shared_ptr<ByteSource> bytes) : bytes_(std::move(bytes)), check_(std::make_unique<Check>()) {}

Utf8Watch::~Utf8Watch() = default;

void Utf8Watch::rewind() {
  bytes_->rewind();
  *check_ = {};
}

std::size_t Utf8Watch::read(std::span<char> into) {
  const auto count = bytes_->read(into);
  if (all_utf8_) return count;
  const bool readable = count == 0 ? check_->complete() : check_->feed(into.first(count)) == count;
  if (!readable) throw Error("invalid_encoding", "The file is not UTF-8.", "Save it as UTF-8 and import it again.");
  all_utf8_ = count == 0;
  return count;
}

std::unique_ptr<ByteSource> as_utf8(std::unique_ptr<ByteSource> bytes, const Encoding& encoding) {
  if (encoding.kind == Encoding::Kind::utf8 && encoding.mark_bytes == 0) return bytes;
  return std::make_unique<DecodedBytes>(std::move(bytes), encoding);
}

}  // namespace stele
