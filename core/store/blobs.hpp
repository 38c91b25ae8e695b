// Blobs: large immutable byte strings kept in the store as chunks. A blob is unpublished, invisible and swept at start-up,
// until some batch that the caller commits publishes it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "store/sql_store.hpp"

namespace stele {

using BlobId = std::int64_t;

// What a blob is for. The numbers are on disk and never change.
enum class BlobKind : std::int64_t { segment = 1, staged = 2, key_index = 3, deletions = 4, spill = 5 };

struct BlobInfo {
  BlobId id = 0;
  std::uint64_t size = 0;
  std::string sha256;  // lower-case hex of the bytes
};

// Writes one blob front to back. Chunks of 1 MiB are committed as they fill, so memory stays at one chunk.
// Destroyed without finish(), it deletes what it wrote.
class BlobWriter {
 public:
  virtual ~BlobWriter() = default;
  virtual void append(std::span<const std::uint8_t> bytes) = 0;
  virtual std::uint64_t size() const = 0;
  // Writes the last chunk and the digest. The blob stays unpublished until the statement of Blobs::publish is committed.
  virtual BlobInfo finish() = 0;
};

class Blobs {
 public:
  explicit Blobs(SqlStore& store) : store_(store) {}

  std::unique_ptr<BlobWriter> create(BlobKind kind);
  // Bytes [offset, offset + into.size()) of a blob; chunks read last are kept in a small cache. Throws StoreError if they
  // are not all there.
  void read(BlobId id, std::uint64_t offset, std::span<std::uint8_t> into);
  std::uint64_t size(BlobId id);

  // The statement that makes a finished blob permanent, to stand in the caller's batch.
  static SqlStatement publish(BlobId id);
  void remove(BlobId id);
  // Deletes every unpublished blob: at start-up, when no writer can be alive.
  void sweep();

 private:
  SqlStore& store_;
  // The implementation may add private members.
};

}  // namespace stele
