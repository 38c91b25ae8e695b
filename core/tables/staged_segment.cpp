#include "tables/staged_segment.hpp"

#include <exception>

namespace stele {

StagedSegment::~StagedSegment() {
  if (!segment_) return;
  try {
    blobs_->discard(segment_->blob.id);
  } catch (const std::exception&) {
    // The store is failing. What is unpublished is swept when it is opened again.
  }
}

SnapshotPtr StagedSegment::snapshot(const std::vector<Column>& columns) const {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->columns = named_by_id(columns);
  snapshot->segments.push_back({segment_, {}});
  return snapshot;
}

std::string id_name(int column_id) { return "c" + std::to_string(column_id); }

std::vector<Column> named_by_id(const std::vector<Column>& columns) {
  std::vector<Column> named = columns;
  for (Column& column : named) column.name = id_name(column.id);
  return named;
}

Task<StagedSegment> stage_cursor(Engine& engine, Blobs& blobs, std::unique_ptr<Cursor> cursor,
                                 std::vector<Column> columns, const char* what) {
  // A cursor that has rows at once never works on by itself, so writing them ends the slices.
  constexpr std::size_t cells_per_slice = 1 << 18;
  const std::size_t width = columns.size();
  std::size_t cells = 0;
  std::unique_ptr<SegmentWriter> writer = engine.write(std::move(columns));
  while (true) {
    const bool more = co_await next_chunk(*cursor, what);
    if (!more) break;
    writer->append(*cursor);
    cells += cursor->row_count() * width;
    if (cells < cells_per_slice) continue;
    cells = 0;
    Progress progress{static_cast<double>(writer->rows()), 0, what};
    co_await end_slice(progress);
  }
  co_return StagedSegment(blobs, writer->finish());
}

}  // namespace stele
