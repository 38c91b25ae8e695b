// Adoption: Parquet files in a store and the call that takes one, as import_table makes it. What is not taken is
// removed.
#pragma once

#include <string>

#include "support/table_world.hpp"

namespace stele::testing {

inline BlobInfo stage_bytes(TableCore& core, const std::string& bytes) {
  const auto writer = core.blobs.create(BlobKind::staged);
  writer->append({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  return writer->finish();
}

// A file of the columns c1 (BIGINT, from `first` on) and c2 (VARCHAR, "row <c1>").
inline BlobInfo numbered_parquet(TableCore& core, int first, int count) {
  const auto writer = core.engine->write({{1, "c1", "BIGINT"}, {2, "c2", "VARCHAR"}});
  const auto buffer = writer->buffer();
  for (int i = first; i < first + count; ++i) {
    buffer->set_int64(0, i);
    buffer->set_text(1, "row " + std::to_string(i));
    buffer->end_row();
  }
  writer->append(*buffer);
  return writer->finish().blob;
}

inline Json adopt(TableWorld& world, WriteRequest request, const BlobInfo& blob) {
  try {
    auto file = world.core->engine->inspect_parquet(blob);
    return run_to_end(world.core->writer.adopt(std::move(request), blob, std::move(file), Json::object()));
  } catch (...) {
    const auto failure = std::current_exception();
    try {
      world.core->blobs.discard(blob.id);
    } catch (const StoreError&) {
      // Unpublished as it is, it goes at the next sweep.
    }
    std::rethrow_exception(failure);
  }
}

}  // namespace stele::testing
