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
// How many chunks are digested in a slice.
constexpr std::int64_t digested_chunks = 8;

std::string named(BlobId id) { return "blob " + std::to_string(id); }

SqlStatement begin_statement(BlobId id, BlobKind kind) {
  return {"INSERT INTO blobs (id, kind) VALUES (?, ?)", {id, static_cast<std::int64_t>(kind)}};
}

SqlStatement chunk_statement(BlobId id, std::int64_t n, Bytes bytes) {
  return {"INSERT INTO chunks (blob, n, bytes) VALUES (?, ?, ?)", {id, n, std::move(bytes)}};
}

SqlStatement end_statement(BlobId id, std::uint64_t size, std::string sha256) {
  return {"UPDATE blobs SET size = ?, sha256 = ? WHERE id = ?",
          {static_cast<std::int64_t>(size), std::move(sha256), id}};
}

}  // namespace

class ChunkedBlobWriter : public BlobWriter {
 public:
  ChunkedBlobWriter(Blobs& blobs, BlobKind kind)
      : blobs_(blobs), id_(blobs.next_id()), kind_(kind), held_(kind == BlobKind::staged) {}

  ~ChunkedBlobWriter() override {
    if (finished_) return;
    blobs_.forget_held(id_);
    if (!begun_) return;
    try {
      blobs_.remove(id_);
    } catch (const std::exception&) {
      // Unpublished: the next start sweeps it.
    }
  }

  void append(std::span<const std::uint8_t> bytes) override {
    require(!finished_, "a finished blob takes no more bytes");
    while (!bytes.empty()) {
      if (pending_.size() == Blobs::chunk_bytes) put_chunk();
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
    if (held_ && hold_chunk()) {
      finished_ = true;
      return info;
    }
    std::vector<SqlStatement> batch;
    if (!begun_) batch.push_back(begin_statement(id_, kind_));
    if (!pending_.empty()) batch.push_back(chunk_statement(id_, chunks_, std::exchange(pending_, {})));
    batch.push_back(end_statement(id_, size_, info.sha256));
    blobs_.store_.commit_ahead(batch);
    finished_ = true;
    return info;
  }

 private:
  void put_chunk() {
    if (!held_ || !hold_chunk()) commit_chunk(std::exchange(pending_, {}));
  }

  // Whether there was room for it. If not, all that was held before it is in the store.
  bool hold_chunk() {
    auto& held = blobs_.held_[id_];
    if (blobs_.held_bytes_ + pending_.size() <= blobs_.staged_bytes_max_) {
      blobs_.held_bytes_ += pending_.size();
      held.push_back(std::exchange(pending_, {}));
      return true;
    }
    held_ = false;
    auto chunks = std::move(held);
    blobs_.held_.erase(id_);
    for (const auto& chunk : chunks) blobs_.held_bytes_ -= chunk.size();
    for (auto& chunk : chunks) commit_chunk(std::exchange(chunk, {}));
    return false;
  }

  void commit_chunk(Bytes bytes) {
    std::vector<SqlStatement> batch;
    if (!begun_) batch.push_back(begin_statement(id_, kind_));
    batch.push_back(chunk_statement(id_, chunks_, std::move(bytes)));
    blobs_.store_.commit_ahead(batch);
    begun_ = true;
    ++chunks_;
  }

  Blobs& blobs_;
  BlobId id_;
  BlobKind kind_;
  bool held_;           // in memory, as long as there is room
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
  static const Bytes nothing;
  if (const auto held = held_.find(id); held != held_.end()) {
    const auto at = static_cast<std::size_t>(n);
    return at < held->second.size() ? held->second[at] : nothing;
  }
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
  Sha256 digest;
  const bool held = held_.contains(blob.id);
  Bytes chunk;
  std::int64_t n = 0;
  for (std::uint64_t at = 0; at < blob.size; at += chunk.size(), ++n) {
    chunk.resize(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_bytes, blob.size - at)));
    read(blob.id, at, chunk);
    digest.update(chunk);
    if (held) put_held(blob.id, n, chunk);
    Progress progress{static_cast<double>(at + chunk.size()), static_cast<double>(blob.size), "taking the digest"};
    if (n % digested_chunks == digested_chunks - 1) co_await end_slice(progress);
  }
  if (held && n == 0) put_held(blob.id, n, {});
  blob.sha256 = digest.hex();
  std::vector<SqlStatement> batch;
  batch.push_back(end_statement(blob.id, blob.size, blob.sha256));
  store_.commit(batch);
  forget_held(blob.id);
  co_return blob;
}

// A chunk of staged bytes is put into the store, the first with the blob's row.
void Blobs::put_held(BlobId id, std::int64_t n, const Bytes& chunk) {
  std::vector<SqlStatement> batch;
  if (n == 0) batch.push_back(begin_statement(id, BlobKind::staged));
  if (!chunk.empty()) batch.push_back(chunk_statement(id, n, chunk));
  store_.commit_ahead(batch);
}

bool Blobs::forget_held(BlobId id) {
  const auto held = held_.find(id);
  if (held == held_.end()) return false;
  for (const auto& chunk : held->second) held_bytes_ -= chunk.size();
  held_.erase(held);
  return true;
}

SqlStatement Blobs::publish(BlobId id) {
  // NULL violates the column's NOT NULL, and with it the whole batch.
  return {"UPDATE blobs SET published = CASE WHEN sha256 <> '' THEN 1 END WHERE id = ?", {id}};
}

void Blobs::remove(BlobId id) {
  forget_cached(id);
  const SqlValue which[] = {id};
  if (forget_held(id) && store_.query("SELECT 1 FROM blobs WHERE id = ?", which).empty()) return;
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
  if (held_.contains(id) || !store_.query("SELECT 1 FROM blobs WHERE id = ? AND published = 0", which).empty())
    remove(id);
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
