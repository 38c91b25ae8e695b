#include "tables/origins.hpp"

#include <algorithm>
#include <utility>

#include "tables/live_set.hpp"
#include "tables/sql_values.hpp"

namespace stele {
namespace {

// What a merge replaced: the segments live just before its version and not in it, in reading order. Their deletions are
// those of either version: the write that brought the merge may have deleted rows of them, and may have dropped them
// from older documents.
LiveSet merged_set(const LiveSet& before, const LiveSet& at) {
  LiveSet merged;
  for (const LiveSpan& span : before.segments) {
    const auto is_it = [&](const LiveSpan& one) { return one.blob.id == span.blob.id; };
    if (std::none_of(at.segments.begin(), at.segments.end(), is_it)) merged.segments.push_back(span);
  }
  merged.deletions = before.deletions;
  for (const LiveDeletion& deletion : at.deletions) {
    const auto is_it = [&](const LiveDeletion& one) { return one.first == deletion.first; };
    if (std::none_of(before.deletions.begin(), before.deletions.end(), is_it)) merged.deletions.push_back(deletion);
  }
  return merged;
}

}  // namespace

Origins::Origins(SqlStore& store, std::string table_id) : store_(store), table_id_(std::move(table_id)) {
  const SqlValue id[] = {table_id_};
  for (const SqlRow& row : store.query("SELECT s.number, p.begin_version FROM segment_spans p JOIN segments s ON "
                                       "s.blob = p.segment WHERE p.table_id = ? AND p.data_change = 0",
                                       id)) {
    merged_at_.emplace(integer_of(row[0]), integer_of(row[1]));
  }
}

void Origins::trace(const RowRun& run, std::vector<RowRun>& into) {
  if (!merged_at_.count(run.origin)) {
    into.push_back(run);
    return;
  }
  const std::vector<RowRun>& sources = sources_of(run.origin);
  // `row` of a source is its place in the merged segment.
  auto source = std::upper_bound(sources.begin(), sources.end(), run.origin_row,
                                 [](std::uint32_t row, const RowRun& one) { return row < one.row; });
  require(source != sources.begin(), "a merged segment's rows have sources");
  --source;
  std::uint32_t done = 0;
  for (; done < run.count; ++source) {
    require(source != sources.end(), "a merged segment's rows have sources");
    const std::uint32_t passed = run.origin_row + done - source->row;
    RowRun part = run;
    part.origin = source->origin;
    part.origin_row = source->origin_row + passed;
    part.row = run.row + done;
    part.count = std::min(source->count - passed, run.count - done);
    trace(part, into);
    done += part.count;
  }
}

const std::vector<RowRun>& Origins::sources_of(std::int64_t number) {
  const auto known = sources_.find(number);
  if (known != sources_.end()) return known->second;
  const std::int64_t version = merged_at_.at(number);
  const LiveSet merged =
      merged_set(read_live_set(store_, table_id_, version - 1), read_live_set(store_, table_id_, version));
  const DeletionVectors deleted = read_deletions(store_, merged);
  std::vector<RowRun> sources;
  std::uint32_t place = 0;
  for (const LiveSpan& span : merged.segments) {
    for (RowRun run : live_runs(span.number, 0, span.rows, deleted.at(span.number))) {
      run.row = place;
      place += run.count;
      sources.push_back(run);
    }
  }
  return sources_.emplace(number, std::move(sources)).first->second;
}

}  // namespace stele
