// Staging: bytes from outside, kept in the store under an id until a call has used them. It never looks into them, and
// what a home forgot to remove is swept when the store is next opened.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>

#include "core.hpp"
#include "store/blobs.hpp"

namespace stele {

class Staging {
 public:
  explicit Staging(Blobs& blobs) : blobs_(blobs) {}

  StagedId begin();
  void append(StagedId id, std::span<const std::uint8_t> bytes);
  void end(StagedId id);
  // Finished bytes that were made here, e.g. by unpacking others.
  StagedId add(const BlobInfo& blob);
  // Removing twice, or what never was, is not an error: a call and its home may both clean up.
  void remove(StagedId id);
  // The finished bytes. Throws Error invalid_staged if there are none under this id.
  const BlobInfo& blob(StagedId id) const;
  // The bytes belong to a table now: they are no longer removed with the id.
  void release(StagedId id) { files_.erase(id); }

 private:
  struct File {
    std::unique_ptr<BlobWriter> writer;  // until the end
    std::optional<BlobInfo> blob;        // from then on
  };
  File& open_file(StagedId id);

  static constexpr std::size_t files_max = 256;
  Blobs& blobs_;
  std::map<StagedId, File> files_;
  StagedId last_ = 0;
};

}  // namespace stele
