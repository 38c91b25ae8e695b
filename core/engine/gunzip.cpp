#include "engine/gunzip.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "miniz.hpp"

namespace stele {
namespace {

using ByteView = std::span<const std::uint8_t>;

constexpr std::size_t block_bytes = std::size_t{256} << 10;

[[noreturn]] void refuse_bytes(const char* what) {
  throw Error("invalid_gzip", std::string("The file says it is gzip, but ") + what + ".",
              "Download or compress it again.");
}

// Where one gzip member's header is: RFC 1952, section 2.3.
class HeaderParser {
 public:
  // Takes one byte; true if it was the header's last.
  bool step(std::uint8_t byte) {
    switch (part_) {
      case Part::fixed:
        check_fixed(byte);
        if (++count_ < 10) return false;
        return next(Part::extra_length);
      case Part::extra_length:
        extra_ |= static_cast<std::size_t>(byte) << (8 * count_);
        if (++count_ < 2) return false;
        return next(extra_ ? Part::extra : Part::name);
      case Part::extra:
        return ++count_ < extra_ ? false : next(Part::name);
      case Part::name:
        return byte ? false : next(Part::comment);
      case Part::comment:
        return byte ? false : next(Part::checksum);
      case Part::checksum:
        return ++count_ < 2 ? false : next(Part::done);
      case Part::done:
        break;
    }
    return true;
  }

 private:
  enum class Part { fixed, extra_length, extra, name, comment, checksum, done };

  void check_fixed(std::uint8_t byte) {
    constexpr std::array<std::uint8_t, 3> begin = {0x1F, 0x8B, 8};
    if (count_ < begin.size() && byte != begin[count_]) refuse_bytes("other bytes follow where it should go on or end");
    if (count_ == 3) flags_ = byte;
  }

  // On to `part`, or past it if the flags say it is not there.
  bool next(Part part) {
    count_ = 0;
    part_ = part;
    if (part_ == Part::extra_length && !(flags_ & 4)) part_ = Part::name;
    if (part_ == Part::name && !(flags_ & 8)) part_ = Part::comment;
    if (part_ == Part::comment && !(flags_ & 16)) part_ = Part::checksum;
    if (part_ == Part::checksum && !(flags_ & 2)) part_ = Part::done;
    return part_ == Part::done;
  }

  Part part_ = Part::fixed;
  std::uint8_t flags_ = 0;
  std::size_t count_ = 0, extra_ = 0;
};

class Inflater {
 public:
  using Sink = std::function<void(ByteView)>;
  explicit Inflater(Sink sink) : sink_(std::move(sink)), out_(block_bytes) {}
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { duckdb_miniz::mz_inflateEnd(&stream_); }

  void feed(ByteView in) {
    while (!in.empty()) {
      switch (state_) {
        case State::header:
          if (header_.step(take(in))) begin_body();
          break;
        case State::body:
          in = inflate(in);
          break;
        case State::footer:
          footer_[footer_count_++] = take(in);
          if (footer_count_ == footer_.size()) check_footer();
          break;
        case State::between:
          // Another member, or zeros to fill a tape block.
          if (in[0] == 0) {
            take(in);
          } else {
            header_ = {};
            state_ = State::header;
          }
          break;
      }
    }
  }
  bool complete() const { return state_ == State::between; }

 private:
  enum class State { header, body, footer, between };

  static std::uint8_t take(ByteView& in) {
    const auto byte = in[0];
    in = in.subspan(1);
    return byte;
  }

  void begin_body() {
    duckdb_miniz::mz_inflateEnd(&stream_);
    stream_ = {};
    require(duckdb_miniz::mz_inflateInit2(&stream_, -MZ_DEFAULT_WINDOW_BITS) == duckdb_miniz::MZ_OK,
            "an inflater can be made");
    checksum_ = duckdb_miniz::mz_crc32(0, nullptr, 0);
    length_ = 0;
    state_ = State::body;
  }

  // Answers what of `in` is left behind the body's end.
  ByteView inflate(ByteView in) {
    stream_.next_in = in.data();
    stream_.avail_in = static_cast<unsigned>(in.size());
    for (;;) {
      stream_.next_out = out_.data();
      stream_.avail_out = static_cast<unsigned>(out_.size());
      const auto result = duckdb_miniz::mz_inflate(&stream_, duckdb_miniz::MZ_SYNC_FLUSH);
      const ByteView made(out_.data(), out_.size() - stream_.avail_out);
      if (!made.empty()) {
        checksum_ = duckdb_miniz::mz_crc32(checksum_, made.data(), made.size());
        length_ += static_cast<std::uint32_t>(made.size());
        sink_(made);
      }
      if (result == duckdb_miniz::MZ_STREAM_END) {
        footer_count_ = 0;
        state_ = State::footer;
        break;
      }
      if (result == duckdb_miniz::MZ_BUF_ERROR) break;  // all input taken
      if (result != duckdb_miniz::MZ_OK) refuse_bytes("its compressed bytes are damaged");
      if (stream_.avail_in == 0 && stream_.avail_out > 0) break;
    }
    return in.subspan(in.size() - stream_.avail_in);
  }

  void check_footer() {
    const auto number = [&](std::size_t at) {
      return static_cast<std::uint32_t>(footer_[at]) | static_cast<std::uint32_t>(footer_[at + 1]) << 8 |
             static_cast<std::uint32_t>(footer_[at + 2]) << 16 | static_cast<std::uint32_t>(footer_[at + 3]) << 24;
    };
    if (number(0) != static_cast<std::uint32_t>(checksum_) || number(4) != length_)
      refuse_bytes("its check sum is wrong");
    state_ = State::between;
  }

  Sink sink_;
  std::vector<std::uint8_t> out_;
  State state_ = State::header;
  HeaderParser header_;
  duckdb_miniz::mz_stream stream_{};
  duckdb_miniz::mz_ulong checksum_ = 0;
  std::uint32_t length_ = 0;
  std::array<std::uint8_t, 8> footer_{};
  std::size_t footer_count_ = 0;
};

}  // namespace

bool is_gzip(std::string_view head) { return head.starts_with("\x1F\x8B"); }

Task<BlobInfo> gunzip(BlobInfo blob, Blobs& blobs, std::uint64_t bytes_max) {
  const auto writer = blobs.create(BlobKind::staged);
  Inflater inflater([&](ByteView made) {
    if (writer->size() + made.size() > bytes_max) {
      throw Error("too_large", "The gzip file holds more than " + std::to_string(bytes_max) + " bytes.",
                  "Import it in parts, or raise the limit of this home.");
    }
    writer->append(made);
  });
  std::vector<std::uint8_t> in(block_bytes);
  for (std::uint64_t at = 0; at < blob.size; at += in.size()) {
    in.resize(static_cast<std::size_t>(std::min<std::uint64_t>(block_bytes, blob.size - at)));
    blobs.read(blob.id, at, in);
    inflater.feed(in);
    Progress progress{static_cast<double>(at), static_cast<double>(blob.size), "unpacking"};
    co_await end_slice(progress);
  }
  if (!inflater.complete()) {
    throw Error("incomplete_gzip", "The file is incomplete gzip: it ends before its last byte was unpacked.",
                "The download or copy was cut short; get the file again.");
  }
  co_return writer->finish();
}

std::string gunzip_head(std::string_view head, std::size_t bytes_max) {
  std::string text;
  if (!is_gzip(head)) return text;
  Inflater inflater([&](ByteView made) {
    const auto wanted = std::min(made.size(), bytes_max - text.size());
    text.append(reinterpret_cast<const char*>(made.data()), wanted);
  });
  try {
    // In small steps, since a few bytes can unpack to thousands of times as many.
    for (std::size_t at = 0; at < head.size() && text.size() < bytes_max; at += 1024) {
      const auto part = head.substr(at, 1024);
      inflater.feed({reinterpret_cast<const std::uint8_t*>(part.data()), part.size()});
    }
  } catch (const Error&) {
    // The front was good until here; gunzip() refuses the whole.
  }
  return text;
}

}  // namespace stele
