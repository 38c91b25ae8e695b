// ByteWindow: the part of a byte source that a tokenizer looks at. It grows until a whole record is in it, within a
// bound, and never holds more of the file than that.
#pragma once

#include <memory>
#include <vector>

#include "base/assert.hpp"
#include "tables/byte_source.hpp"

namespace stele {

class ByteWindow {
 public:
  static constexpr std::size_t block_bytes = std::size_t{1} << 20;
  static constexpr std::size_t record_bytes_max = std::size_t{32} << 20;
  // From end() on, so many bytes may be read, whatever they are.
  static constexpr std::size_t margin_bytes = 16;

  explicit ByteWindow(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  void rewind() {
    source_->rewind();
    begin_ = end_ = 0;
    taken_ = 0;
    at_end_ = false;
    buffer_.resize(block_bytes + margin_bytes);
  }

  // What is there to read. The byte at end() may be written, as a sentinel.
  char* begin() { return buffer_.data() + begin_; }
  char* end() { return buffer_.data() + end_; }
  bool at_end() const { return at_end_; }  // nothing comes behind end()
  std::uint64_t taken() const { return taken_; }

  // Gives up what stands before `position`; it stays readable until the next grow().
  void take_to(const char* position) {
    const auto count = static_cast<std::size_t>(position - begin());
    begin_ += count;
    taken_ += count;
  }

  // Reads more behind what is there; pointers into the window are void. Returns false if a record would be too long.
  bool grow() {
    require(!at_end_, "a window at its end does not grow");
    const auto kept = end_ - begin_;
    if (kept >= record_bytes_max) return false;
    std::memmove(buffer_.data(), begin(), kept);
    begin_ = 0;
    end_ = kept;
    // Doubling keeps the rescans of a long record linear in its length.
    if (buffer_.size() < 2 * kept + block_bytes + margin_bytes) buffer_.resize(2 * kept + block_bytes + margin_bytes);
    const auto count = source_->read({end(), std::max(block_bytes, kept)});
    end_ += count;
    at_end_ = count == 0;
    return true;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t taken_ = 0;
  bool at_end_ = false;
};

}  // namespace stele
