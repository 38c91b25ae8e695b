// Gunzip: gzip bytes in the store to the bytes they hold, a chunk at a time. It never passes on a file that is cut
// short or whose check sum is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/task.hpp"
#include "store/blobs.hpp"

namespace stele {

bool is_gzip(std::string_view head);

// A new, unpublished blob of what `blob` holds, all members of it. Throws Error incomplete_gzip, invalid_gzip, or
// too_large past `bytes_max`; then nothing is left in the store.
Task<BlobInfo> gunzip(BlobInfo blob, Blobs& blobs, std::uint64_t bytes_max);

// As much of the first `bytes_max` bytes as can be had from the front of a gzip file; empty if it is none.
std::string gunzip_head(std::string_view head, std::size_t bytes_max);

}  // namespace stele
