#include "tables/merge.hpp"

#include <algorithm>

#include "tables/merge_plan.hpp"

namespace stele {

namespace {

std::uint64_t budget_left(const NextVersion& next) {
  const auto budget = static_cast<std::uint64_t>(merge_budget * static_cast<double>(next.written_bytes()));
  return budget > next.merged_bytes() ? budget - next.merged_bytes() : 0;
}

// The segments of the version before that are live still; the write's own segment is none of them.
std::vector<LiveSpan> surviving(const TableState& before, const NextVersion& next) {
  std::vector<LiveSpan> spans;
  for (const LiveSpan& span : next.live().segments) {
    if (span.begin_version <= before.table.version) spans.push_back(span);
  }
  return spans;
}

std::vector<MergeCandidate> candidates_of(const std::vector<LiveSpan>& spans, const DeletionVectors* deleted) {
  std::vector<MergeCandidate> candidates;
  for (const LiveSpan& span : spans) {
    candidates.push_back({span.blob.size, span.rows, deleted ? deleted->at(span.number).size() : 0});
  }
  return candidates;
}

void end_dead_segments(NextVersion& next, std::vector<LiveSpan>& spans, const DeletionVectors& deleted) {
  std::erase_if(spans, [&](const LiveSpan& span) {
    const bool dead = deleted.at(span.number).size() == span.rows;
    if (dead) next.end(span);
    return dead;
  });
}

// Documents that are old enough to lie in the store, not the one that this version adds.
void merge_documents(SqlStore& store, const TableState& before, NextVersion& next) {
  std::vector<std::uint64_t> sizes;
  for (const LiveDeletion& deletion : before.live.deletions) sizes.push_back(deletion.size);
  const std::size_t count = choose_deletion_merge(sizes);
  if (count == 0) return;
  LiveSet merged;
  merged.segments = next.live().segments;
  merged.deletions.assign(before.live.deletions.end() - static_cast<std::ptrdiff_t>(count),
                          before.live.deletions.end());
  next.merge_deletions(merged.deletions, read_deletions(store, merged));
}

}  // namespace

Task<std::vector<StagedSegment>> merge_segments(SqlStore& store, Blobs& blobs, Engine& engine, const TableState& before,
                                                NextVersion& next, std::vector<Column> columns,
                                                std::optional<DeletionVectors> deleted) {
  std::vector<StagedSegment> staged;
  std::vector<LiveSpan> spans = surviving(before, next);
  if (deleted) end_dead_segments(next, spans, *deleted);
  const std::vector<MergeCandidate> candidates = candidates_of(spans, deleted ? &*deleted : nullptr);
  const std::optional<MergeRun> run = choose_merge(candidates, budget_left(next));
  if (run) {
    if (!deleted) deleted = read_deletions(store, before.live);
    LiveSet neighbours;
    neighbours.segments.assign(spans.begin() + static_cast<std::ptrdiff_t>(run->begin),
                               spans.begin() + static_cast<std::ptrdiff_t>(run->end));
    auto snapshot = std::make_shared<Snapshot>(*make_snapshot(store, neighbours, named_by_id(columns)));
    for (std::size_t i = 0; i < neighbours.segments.size(); ++i) {
      snapshot->segments[i].deleted = deleted->at(neighbours.segments[i].number);
    }
    std::vector<SnapshotPtr> snapshots{std::move(snapshot)};
    std::unique_ptr<Cursor> cursor = engine.start_own("SELECT * FROM scan(0)", std::move(snapshots));
    StagedSegment merged = co_await stage_cursor(engine, blobs, std::move(cursor), columns, "merging segments");
    for (const LiveSpan& span : neighbours.segments) next.end(span);
    if (merged.segment().rows > 0) {
      next.add_merged(merged.segment(), neighbours.segments.front().place);
      staged.push_back(std::move(merged));
    }
  }
  merge_documents(store, before, next);
  co_return std::move(staged);
}

}  // namespace stele
