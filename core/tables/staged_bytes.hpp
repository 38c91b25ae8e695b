// Staged bytes: what a home staged, opened for reading, and unpacked first where it is gzip. It never trusts the name.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/task.hpp"
#include "engine/limits.hpp"
#include "tables/byte_source.hpp"
#include "tables/importer.hpp"

namespace stele {

struct StagedBytes {
  std::unique_ptr<ByteSource> bytes;  // removes what was unpacked when it goes
  std::uint64_t size = 0;
};

// Throws Error incomplete_gzip, or too_large at limits.import_bytes.
Task<StagedBytes> open_staged(StagedFile file, Blobs& blobs, const Limits& limits);

}  // namespace stele
