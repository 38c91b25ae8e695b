// Blobs: large immutable byte strings kept in the store as chunks. A blob is unpublished, invisible and swept at
// start-up, until some batch that the caller commits publishes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "store/sql_store.hpp"

namespace stele {

using BlobId = std::int64_t;

// What a blob is for. The numbers are on disk and never change.
enum class BlobKind : std::int64_t { segment = 1, staged = 2, key_index = 3, deletions = 4, spill = 5 };

struct BlobInfo {
  BlobId id = 0;
  std::uint64_t size = 0;
  std::string sha256;  // lower-case hex of the bytes; empty for staged bytes until Blobs::digested
};

// Writes one blob front to back. Chunks of 1 MiB are committed, ahead of what will publish them, as they fill: so
// memory stays at one chunk. Destroyed without finish(), it deletes what it wrote.
class BlobWriter {
 public:
  virtual ~BlobWriter() = default;
  virtual void append(std::span<const std::uint8_t> bytes) = 0;
  virtual std::uint64_t size() const = 0;
  // Writes the last chunk, and the digest unless the bytes are staged, most of which are read once and thrown away. The
  // blob stays unpublished until the statement of Blobs::publish is
  // committed.
  virtual BlobInfo finish() = 0;
};

class Blobs {
 public:
  static constexpr std::size_t chunk_bytes = SqlStore::value_bytes_max;
  // Chunks kept for readers. Reads are positional but mostly move forward, a column of a row group at a time.
  static constexpr std::size_t cached_chunks_max = 16;

  // Staged bytes stay in memory as long as all that are there take no more than `staged_bytes_max`, and in the store
  // what is beyond: most are read once and thrown away.
  explicit Blobs(SqlStore& store, std::uint64_t staged_bytes_max = 0)
      : store_(store), staged_bytes_max_(staged_bytes_max) {}

  std::unique_ptr<BlobWriter> create(BlobKind kind);
  // Bytes [offset, offset + into.size()) of a blob; chunks read last are kept in a small cache. Throws StoreError if
  // they are not all there.
  void read(BlobId id, std::uint64_t offset, std::span<std::uint8_t> into);
  // Of a finished blob that has its digest. Throws StoreError if there is none.
  std::uint64_t size(BlobId id);
  // A finished blob in the store and with its digest, as staged bytes have to be before they are published: they are
  // read for it.
  Task<BlobInfo> digested(BlobInfo blob);

  // The statement that makes a finished blob permanent, to stand in the caller's batch. The batch fails if the blob has
  // no digest, as one that was begun but not finished.
  static SqlStatement publish(BlobId id);
  // Deletes a blob, published or not, in batches of bounded size. Died halfway, it is unpublished, and sweep() does the
  // rest.
  void remove(BlobId id);
  // Deletes a blob unless it is published: for what a failed commit may or may not have made permanent.
  void discard(BlobId id);
  // Deletes every unpublished blob: at start-up, when no writer can be alive.
  void sweep();

 private:
  friend class ChunkedBlobWriter;
  friend class SpillFile;

  struct CachedChunk {
    BlobId blob = 0;
    std::int64_t n = 0;
    Bytes bytes;
  };

  // Ids are counted in memory from the largest in the store, so that several writers can be open before any has
  // committed.
  BlobId next_id();
  // Empty past the blob's end. Valid until the next call.
  const Bytes& chunk(BlobId id, std::int64_t n);
  void forget_cached(BlobId id);
  void put_held(BlobId id, std::int64_t n, const Bytes& chunk);
  // Whether the blob was in memory.
  bool forget_held(BlobId id);

  SqlStore& store_;
  std::uint64_t staged_bytes_max_;
  std::uint64_t held_bytes_ = 0;
  std::map<BlobId, std::vector<Bytes>> held_;  // chunks of staged blobs that are not in the store
  BlobId last_id_ = 0;                         // 0: not yet asked
  std::list<CachedChunk> cache_;               // most recently read first
};

}  // namespace stele
