// ByteSource: bytes front to back, as often as one likes, from the store or from memory. It knows no format.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "store/blobs.hpp"

namespace stele {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual void rewind() = 0;
  // Fills the front of `into` and answers how much of it; 0 only at the end.
  virtual std::size_t read(std::span<char> into) = 0;
};

class BlobBytes : public ByteSource {
 public:
  // `blobs` outlives the source.
  BlobBytes(Blobs& blobs, BlobId id, std::uint64_t size) : blobs_(blobs), id_(id), size_(size) {}
  void rewind() override { at_ = 0; }
  std::size_t read(std::span<char> into) override {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), size_ - at_));
    blobs_.read(id_, at_, {reinterpret_cast<std::uint8_t*>(into.data()), count});
    at_ += count;
    return count;
  }

 private:
  Blobs& blobs_;
  BlobId id_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;
};

class MemoryBytes : public ByteSource {
 public:
  explicit MemoryBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  void rewind() override { at_ = 0; }
  std::size_t read(std::span<char> into) override {
    const auto count = std::min(into.size(), bytes_.size() - at_);
    std::memcpy(into.data(), bytes_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// Up to `bytes` from the front; the source is rewound afterwards.
inline std::string head_of(ByteSource& source, std::size_t bytes) {
  std::string head(bytes, '\0');
  std::size_t filled = 0;
  source.rewind();
  while (filled < bytes) {
    const auto count = source.read({head.data() + filled, bytes - filled});
    if (count == 0) break;
    filled += count;
  }
  source.rewind();
  head.resize(filled);
  return head;
}

}  // namespace stele
