#include "tables/staged_bytes.hpp"

#include "engine/gunzip.hpp"

namespace stele {
namespace {

// A blob that lives as long as this does.
class UnpackedBytes : public BlobBytes {
 public:
  UnpackedBytes(Blobs& blobs, const BlobInfo& blob)
      : BlobBytes(blobs, blob.id, blob.size), blobs_(blobs), id_(blob.id) {}
  ~UnpackedBytes() override {
    try {
      blobs_.remove(id_);
    } catch (const StoreError&) {
      // It was never published, so the next start sweeps it.
    }
  }

 private:
  Blobs& blobs_;
  BlobId id_;
};

}  // namespace

Task<StagedBytes> open_staged(StagedFile file, Blobs& blobs, const Limits& limits) {
  auto bytes = std::make_unique<BlobBytes>(blobs, file.blob.id, file.blob.size);
  const auto head = head_of(*bytes, 2);
  if (!is_gzip(head)) co_return StagedBytes{std::move(bytes), file.blob.size};
  const auto unpacked = co_await gunzip(file.blob, blobs, limits.import_bytes);
  co_return StagedBytes{std::make_unique<UnpackedBytes>(blobs, unpacked), unpacked.size};
}

}  // namespace stele
