// Staged segment: finished rows that no version has yet. Unless released to a commit that publishes it, it is removed
// with this object, so that whatever fails leaves nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/task.hpp"
#include "engine/engine.hpp"
#include "store/blobs.hpp"

namespace stele {

class StagedSegment {
 public:
  StagedSegment(Blobs& blobs, Segment segment)
      : blobs_(&blobs), segment_(std::make_shared<Segment>(std::move(segment))) {}
  StagedSegment(StagedSegment&& other) noexcept
      : blobs_(other.blobs_), segment_(std::exchange(other.segment_, nullptr)) {}
  StagedSegment& operator=(StagedSegment&& other) noexcept {
    std::swap(blobs_, other.blobs_);
    std::swap(segment_, other.segment_);
    return *this;
  }
  ~StagedSegment();

  const Segment& segment() const { return *segment_; }
  // The commit that publishes it has happened.
  void release() { segment_ = nullptr; }

  // The staged rows alone, as columns named "c<id>" of these logical types, for SQL of the core's own.
  SnapshotPtr snapshot(const std::vector<Column>& columns) const;

 private:
  Blobs* blobs_;
  std::shared_ptr<Segment> segment_;
};

// The same columns named "c<id>", so that no user's name gets into SQL.
std::vector<Column> named_by_id(const std::vector<Column>& columns);
std::string id_name(int column_id);

// All rows of a cursor, column by position, into a segment of these columns.
Task<StagedSegment> stage_cursor(Engine& engine, Blobs& blobs, std::unique_ptr<Cursor> cursor,
                                 std::vector<Column> columns, const char* what);

}  // namespace stele
