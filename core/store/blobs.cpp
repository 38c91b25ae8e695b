#include "store/blobs.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/assert.hpp"
#include "base/sha256.hpp"

namespace stele {
namespace {

// How many chunks one commit deletes at most.
constexpr std::int64_t deleted_chunks_max = 64;

std::string named(BlobId id) { return "blob " + std::to_string(id); }

}  // namespace

class ChunkedBlobWriter : public BlobWriter {
 public:
  ChunkedBlobWriter(Blobs& blobs, BlobKind kind) : blobs_(blobs), id_(blobs.next_id()), kind_(kind) {}

  ~ChunkedBlobWriter() override {
    if (finished_ || !begun_) return;
    try {
      blobs_.remove(id_);
    } catch (const std::exception&) {
      // Unpublished: the next start sweeps it.
    }
  }

  void append(std::span<const std::uint8_t> bytes) override {
    require(!finished_, "a finished blob takes no more bytes");
    while (!bytes.empty()) {
      if (pending_.size() == Blobs::chunk_bytes) commit_chunk();
      const auto taken = std::min(bytes.size(), Blobs::chunk_bytes - pending_.size());
      pending_.insert(pending_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
      if (kind_ != BlobKind::staged) digest_.update(bytes.first(taken));
      size_ += taken;
      bytes = bytes.subspan(taken);
    }
  }

  std::uint64_t size() const override { return size_; }

  BlobInfo finish() override {
    require(!finished_, "a blob is finished once");
    BlobInfo info{id_, size_, kind_ == BlobKind::staged ? std::string() : digest_.hex()};
    std::vector<SqlStatement> batch;
    if (!begun_) batch.push_back(begin_statement());
    if (!pending_.empty()) batch.push_back(take_chunk());
    batch.push_back(
        {"UPDATE blobs SET size = ?, sha256 = ? WHERE id = ?", {static_cast<std::int64_t>(size_), info.sha256, id_}});
    blobs_.store_.commit_ahead(batch);
    finished_ = true;
    return info;
  }

 private:
  SqlStatement begin_statement() const {
    return {"INSERT INTO blobs (id, kind) VALUES (?, ?)", {id_, static_cast<std::int64_t>(kind_)}};
  }
  SqlStatement take_chunk() {
    return {"INSERT INTO chunks (blob, n, bytes) VALUES (?, ?, ?)", {id_, chunks_, std::exchange(pending_, {})}};
  }

  void commit_chunk() {
    std::vector<SqlStatement> batch;
    if (!begun_) batch.push_back(begin_statement());
    batch.push_back(take_chunk());
    blobs_.store_.commit_ahead(batch);
    begun_ = true;
    ++chunks_;
  }

  Blobs& blobs_;
  BlobId id_;
  BlobKind kind_;
  bool begun_ = false;  // its row is in the store
  bool finished_ = false;
  std::int64_t chunks_ = 0;  // committed
  std::uint64_t size_ = 0;
  Bytes pending_;  // the chunk being filled
  Sha256 digest_;
};

std::unique_ptr<BlobWriter> Blobs::create(BlobKind kind) { return std::make_unique<ChunkedBlobWriter>(*this, kind); }

BlobId Blobs::next_id() {
  if (last_id_ == 0) {
    const auto rows = store_.query("SELECT coalesce(max(id), 0) FROM blobs");
    last_id_ = std::get<std::int64_t>(rows.at(0).at(0));
  }
  return ++last_id_;
}

void Blobs::read(BlobId id, std::uint64_t offset, std::span<std::uint8_t> into) {
  while (!into.empty()) {
    const auto& bytes = chunk(id, static_cast<std::int64_t>(offset / chunk_bytes));
    const auto begin = static_cast<std::size_t>(offset % chunk_bytes);
    if (begin >= bytes.size()) {
      throw StoreError(StoreError::Kind::io, named(id) + " has no byte " + std::to_string(offset));
    }
    const auto taken = std::min(into.size(), bytes.size() - begin);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), taken, into.begin());
    offset += taken;
    into = into.subspan(taken);
  }
}

const Bytes& Blobs::chunk(BlobId id, std::int64_t n) {
  const auto cached = std::find_if(cache_.begin(), cache_.end(),
                                   [&](const CachedChunk& entry) { return entry.blob == id && entry.n == n; });
  if (cached != cache_.end()) {
    cache_.splice(cache_.begin(), cache_, cached);
    return cache_.front().bytes;
  }
  const SqlValue where[] = {id, n};
  auto rows = store_.query("SELECT bytes FROM chunks WHERE blob = ? AND n = ?", where);
  if (rows.empty()) {
    // Not cached: the blob may still be growing.
    static const Bytes nothing;
    return nothing;
  }
  if (cache_.size() == cached_chunks_max) cache_.pop_back();
  cache_.push_front({id, n, std::get<Bytes>(std::move(rows[0][0]))});
  return cache_.front().bytes;
}

std::uint64_t Blobs::size(BlobId id) {
  const SqlValue where[] = {id};
  const auto rows = store_.query("SELECT size FROM blobs WHERE id = ? AND sha256 <> ''", where);
  if (rows.empty()) throw StoreError(StoreError::Kind::io, "there is no finished " + named(id));
  return static_cast<std::uint64_t>(std::get<std::int64_t>(rows[0][0]));
}

Task<BlobInfo> Blobs::digested(BlobInfo blob) {
  constexpr std::size_t slice_bytes = 8 * chunk_bytes;
  Sha256 digest;
  Bytes slice;
  for (std::uint64_t at = 0; at < blob.size; at += slice.size()) {
    slice.resize(static_cast<std::size_t>(std::min<std::uint64_t>(slice_bytes, blob.size - at)));
    read(blob.id, at, slice);
    digest.update(slice);
    Progress progress{static_cast<double>(at + slice.size()), static_cast<double>(blob.size), "taking the digest"};
    co_await end_slice(progress);
  }
  blob.sha256 = digest.hex();
  const SqlStatement batch[] = {{"UPDATE blobs SET sha256 = ? WHERE id = ?", {blob.sha256, blob.id}}};
  store_.commit(batch);
  co_return blob;
}

SqlStatement Blobs::publish(BlobId id) {
  // NULL violates the column's NOT NULL, and with it the whole batch.
  return {"UPDATE blobs SET published = CASE WHEN sha256 <> '' THEN 1 END WHERE id = ?", {id}};
}

void Blobs::remove(BlobId id) {
  forget_cached(id);
  const SqlValue where[] = {id, deleted_chunks_max};
  for (bool first = true;; first = false) {
    const auto chunks = store_.query("SELECT n FROM chunks WHERE blob = ? ORDER BY n LIMIT ?", where);
    const bool last = static_cast<std::int64_t>(chunks.size()) < deleted_chunks_max;
    std::vector<SqlStatement> batch;
    if (first && !last) batch.push_back({"UPDATE blobs SET published = 0 WHERE id = ?", {id}});
    if (!chunks.empty()) {
      batch.push_back({"DELETE FROM chunks WHERE blob = ? AND n <= ?", {id, chunks.back()[0]}});
    }
    if (last) batch.push_back({"DELETE FROM blobs WHERE id = ?", {id}});
    store_.commit(batch);
    if (last) return;
  }
}

void Blobs::discard(BlobId id) {
  const SqlValue which[] = {id};
  if (!store_.query("SELECT 1 FROM blobs WHERE id = ? AND published = 0", which).empty()) remove(id);
}

void Blobs::sweep() {
  while (true) {
    const auto unpublished = store_.query("SELECT id FROM blobs WHERE published = 0 ORDER BY id LIMIT 100");
    if (unpublished.empty()) return;
    for (const auto& row : unpublished) remove(std::get<std::int64_t>(row[0]));
  }
}

void Blobs::forget_cached(BlobId id) {
  cache_.remove_if([&](const CachedChunk& entry) { return entry.blob == id; });
}

}  // namespace stele
