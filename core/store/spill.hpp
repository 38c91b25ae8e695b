// Spill: files for what the engine cannot hold in memory, read and written at any place. They are unpublished blobs, so
// that they never outlive the process: gone with their object, or swept at the next start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>

#include "store/blobs.hpp"

namespace stele {

class SpillFile;

// Makes spill files that together hold at most `bytes_max`. `blobs` outlives the files; the files may outlive this.
class Spill {
 public:
  Spill(Blobs& blobs, std::uint64_t bytes_max)
      : blobs_(blobs), budget_(std::make_shared<Budget>(Budget{0, bytes_max})) {}

  // A new, empty file.
  std::shared_ptr<SpillFile> open();

 private:
  friend class SpillFile;
  struct Budget {
    std::uint64_t bytes;
    std::uint64_t bytes_max;
  };

  Blobs& blobs_;
  std::shared_ptr<Budget> budget_;
};

// One file. Changed blocks wait in a small cache and are committed together, and a file that fits it never reaches the
// store.
class SpillFile {
 public:
  static constexpr std::size_t block_bytes = 256 << 10;
  static constexpr std::size_t cached_blocks_max = 8;

  SpillFile(Blobs& blobs, std::shared_ptr<Spill::Budget> budget);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // Grows the file if need be; what lies between is zeros. Throws Error out_of_memory when all files together would be
  // too large, StoreError if the store refuses.
  void write(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  // Throws StoreError if the file ends before the last byte asked for.
  void read(std::uint64_t offset, std::span<std::uint8_t> into);
  void truncate(std::uint64_t size);
  std::uint64_t size() const { return size_; }

 private:
  struct Block {
    Bytes bytes;
    bool changed = false;
    std::uint64_t used = 0;  // when, counted in uses
  };

  void resize(std::uint64_t size);
  // In the cache from now on. `overwritten`: what the block held does not matter.
  Block& block(std::int64_t n, bool overwritten = false);
  Bytes stored_bytes(std::int64_t n);
  void make_room();
  void commit_changed();

  Blobs& blobs_;
  std::shared_ptr<Spill::Budget> budget_;
  BlobId id_;
  bool begun_ = false;  // its row is in the store
  std::uint64_t size_ = 0;
  std::uint64_t uses_ = 0;
  std::map<std::int64_t, Block> cache_;
  std::set<std::int64_t> stored_;  // blocks that the store has
};

}  // namespace stele
