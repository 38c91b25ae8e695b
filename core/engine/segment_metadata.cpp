#include "engine/segment_metadata.hpp"

namespace stele {

namespace {
// A parsed footer takes several times its bytes: a measured rule of thumb.
constexpr std::size_t parsed_per_footer_byte = 8;
}  // namespace

duckdb::shared_ptr<duckdb::ParquetFileMetadataCache> SegmentMetadata::find(const std::string& path) {
  const auto found = by_path_.find(path);
  if (found == by_path_.end()) return nullptr;
  newest_first_.splice(newest_first_.begin(), newest_first_, found->second);
  return found->second->metadata;
}

void SegmentMetadata::keep(const std::string& path, duckdb::shared_ptr<duckdb::ParquetFileMetadataCache> metadata) {
  const std::size_t bytes = metadata->footer_size * parsed_per_footer_byte;
  if (bytes > bytes_max_ || by_path_.count(path) > 0) return;
  newest_first_.push_front({path, std::move(metadata), bytes});
  by_path_[path] = newest_first_.begin();
  bytes_ += bytes;
  while (bytes_ > bytes_max_) {
    bytes_ -= newest_first_.back().bytes;
    by_path_.erase(newest_first_.back().path);
    newest_first_.pop_back();
  }
}

}  // namespace stele
