#include "store/spill.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace stele {
namespace {

// The part of [offset, offset + length) that lies in the block where it begins.
struct Part {
  Part(std::uint64_t offset, std::size_t length)
      : n(static_cast<std::int64_t>(offset / SpillFile::block_bytes)),
        begin(static_cast<std::ptrdiff_t>(offset % SpillFile::block_bytes)),
        size(std::min(length, SpillFile::block_bytes - static_cast<std::size_t>(begin))) {}
  std::int64_t n;
  std::ptrdiff_t begin;
  std::size_t size;
};

}  // namespace

std::shared_ptr<SpillFile> Spill::open() { return std::make_shared<SpillFile>(blobs_, budget_); }

SpillFile::SpillFile(Blobs& blobs, std::shared_ptr<Spill::Budget> budget)
    : blobs_(blobs), budget_(std::move(budget)), id_(blobs_.next_id()) {}

SpillFile::~SpillFile() {
  budget_->bytes -= size_;
  if (!begun_) return;
  try {
    blobs_.remove(id_);
  } catch (const std::exception&) {
    // Unpublished: the next start sweeps it.
  }
}

void SpillFile::resize(std::uint64_t size) {
  if (size > size_ && budget_->bytes + (size - size_) > budget_->bytes_max) {
    throw Error("out_of_memory",
                "The query needs more than the " + std::to_string(budget_->bytes_max >> 20) +
                    " MiB that running queries may put aside together.",
                "Filter or aggregate before sorting and joining, or select fewer columns.");
  }
  budget_->bytes = budget_->bytes - size_ + size;
  size_ = size;
}

void SpillFile::write(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  resize(std::max(size_, offset + bytes.size()));
  while (!bytes.empty()) {
    const Part part(offset, bytes.size());
    auto& target = block(part.n, part.size == block_bytes);
    std::copy_n(bytes.begin(), part.size, target.bytes.begin() + part.begin);
    target.changed = true;
    offset += part.size;
    bytes = bytes.subspan(part.size);
  }
}

void SpillFile::read(std::uint64_t offset, std::span<std::uint8_t> into) {
  if (offset > size_ || into.size() > size_ - offset) {
    throw StoreError(StoreError::Kind::io, "a spill file of " + std::to_string(size_) + " bytes has no " +
                                               std::to_string(into.size()) + " bytes at " + std::to_string(offset));
  }
  while (!into.empty()) {
    const Part part(offset, into.size());
    std::copy_n(block(part.n).bytes.begin() + part.begin, part.size, into.begin());
    offset += part.size;
    into = into.subspan(part.size);
  }
}

void SpillFile::truncate(std::uint64_t size) {
  if (size < size_) {
    // What grows again later must read as zeros.
    const Part edge(size, block_bytes);
    if (edge.begin > 0) {
      auto& kept = block(edge.n);
      std::fill(kept.bytes.begin() + edge.begin, kept.bytes.end(), std::uint8_t{0});
      kept.changed = true;
    }
    const auto first_gone = edge.n + (edge.begin > 0 ? 1 : 0);
    const auto stored_gone = stored_.lower_bound(first_gone);
    if (stored_gone != stored_.end()) {
      const SqlStatement batch[] = {{"DELETE FROM chunks WHERE blob = ? AND n >= ?", {id_, first_gone}}};
      blobs_.store_.commit(batch);
      stored_.erase(stored_gone, stored_.end());
    }
    cache_.erase(cache_.lower_bound(first_gone), cache_.end());
  }
  resize(size);
}

SpillFile::Block& SpillFile::block(std::int64_t n, bool overwritten) {
  auto found = cache_.find(n);
  if (found == cache_.end()) {
    make_room();
    found = cache_.emplace(n, Block{overwritten ? Bytes(block_bytes) : stored_bytes(n)}).first;
  }
  found->second.used = ++uses_;
  return found->second;
}

Bytes SpillFile::stored_bytes(std::int64_t n) {
  if (!stored_.contains(n)) return Bytes(block_bytes);
  const SqlValue where[] = {id_, n};
  auto rows = blobs_.store_.query("SELECT bytes FROM chunks WHERE blob = ? AND n = ?", where);
  if (rows.empty()) throw StoreError(StoreError::Kind::io, "a spilled block is no longer in the store");
  return std::get<Bytes>(std::move(rows[0][0]));
}

void SpillFile::make_room() {
  if (cache_.size() < cached_blocks_max) return;
  const auto oldest = std::min_element(cache_.begin(), cache_.end(), [](const auto& left, const auto& right) {
    return left.second.used < right.second.used;
  });
  if (oldest->second.changed) commit_changed();
  cache_.erase(oldest);
}

void SpillFile::commit_changed() {
  std::vector<SqlStatement> batch;
  if (!begun_) {
    batch.push_back({"INSERT INTO blobs (id, kind) VALUES (?, ?)", {id_, static_cast<std::int64_t>(BlobKind::spill)}});
  }
  for (const auto& [n, changed] : cache_) {
    if (!changed.changed) continue;
    batch.push_back(
        {"INSERT INTO chunks (blob, n, bytes) VALUES (?, ?, ?) "
         "ON CONFLICT (blob, n) DO UPDATE SET bytes = excluded.bytes",
         {id_, n, changed.bytes}});
  }
  blobs_.store_.commit(batch);
  begun_ = true;
  for (auto& [n, changed] : cache_) {
    if (changed.changed) stored_.insert(n);
    changed.changed = false;
  }
}

}  // namespace stele
