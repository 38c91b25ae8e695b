#include "tools/staging.hpp"

#include "base/assert.hpp"
#include "base/error.hpp"

namespace stele {

StagedId Staging::begin() {
  if (files_.size() >= files_max)
    throw Error("busy", "Too many files are being staged at once.",
                "Wait until some of the running imports have ended.");
  files_[++last_].writer = blobs_.create(BlobKind::staged);
  return last_;
}

Staging::File& Staging::open_file(StagedId id) {
  const auto file = files_.find(id);
  require(file != files_.end() && file->second.writer, "bytes are staged between begin and end");
  return file->second;
}

void Staging::append(StagedId id, std::span<const std::uint8_t> bytes) { open_file(id).writer->append(bytes); }

void Staging::end(StagedId id) {
  File& file = open_file(id);
  file.blob = file.writer->finish();
  file.writer.reset();
}

StagedId Staging::add(const BlobInfo& blob) {
  files_[++last_].blob = blob;
  return last_;
}

void Staging::remove(StagedId id) {
  const auto file = files_.find(id);
  if (file == files_.end()) return;
  if (file->second.blob) blobs_.remove(file->second.blob->id);
  files_.erase(file);
}

const BlobInfo& Staging::blob(StagedId id) const {
  const auto file = files_.find(id);
  if (file == files_.end() || !file->second.blob)
    throw Error("invalid_staged", "There are no staged bytes under the id " + std::to_string(id) + ".",
                "Stage the file again, end it, and name its id.");
  return *file->second.blob;
}

}  // namespace stele
