#include "tables/row_difference.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "tables/live_set.hpp"
#include "tables/origins.hpp"
#include "tables/row_page.hpp"
#include "tables/row_runs.hpp"
#include "tables/staged_segment.hpp"

namespace stele {
namespace {

// One version's segments that the other does not have, or not with the same rows.
struct Touched {
  std::vector<LiveSpan> spans;
  std::vector<std::vector<std::uint32_t>> deleted;
  std::vector<RowRun> runs;  // all their live rows, traced

  void add(const LiveSpan& span, const std::vector<std::uint32_t>& positions) {
    spans.push_back(span);
    deleted.push_back(positions);
  }

  void trace(Origins& origins) {
    for (std::size_t i = 0; i < spans.size(); ++i)
      for (const RowRun& run : live_runs(spans[i].number, static_cast<std::uint32_t>(i), spans[i].rows, deleted[i]))
        origins.trace(run, runs);
  }
};

const LiveSpan* find_span(const LiveSet& live, const LiveSpan& wanted) {
  const auto is_it = [&](const LiveSpan& one) { return one.blob.id == wanted.blob.id; };
  const auto found = std::find_if(live.segments.begin(), live.segments.end(), is_it);
  return found == live.segments.end() ? nullptr : &*found;
}

Touched touched_of(const LiveSet& live, const DeletionVectors& deleted, const LiveSet& other,
                   const DeletionVectors& other_deleted) {
  Touched touched;
  for (const LiveSpan& span : live.segments) {
    const std::vector<std::uint32_t>& positions = deleted.at(span.number);
    const bool is_same = find_span(other, span) && other_deleted.at(span.number) == positions;
    if (!is_same) touched.add(span, positions);
  }
  return touched;
}

// Sorts a version's own rows by segment: those that are all of a segment's first.
OwnRows own_rows(SqlStore& store, const Touched& touched, const std::vector<RowRun>& runs,
                 std::vector<Column> columns) {
  std::map<std::uint32_t, std::vector<RowRun>> by_segment;
  for (const RowRun& run : runs) by_segment[run.segment].push_back(run);
  std::vector<std::uint32_t> whole, partial;
  for (const auto& [index, own] : by_segment) {
    const bool is_whole = count_rows(own) == touched.spans[index].rows - touched.deleted[index].size();
    (is_whole ? whole : partial).push_back(index);
  }

  OwnRows rows;
  rows.whole = whole.size();
  rows.count = count_rows(runs);
  std::vector<std::uint32_t> order = whole;
  order.insert(order.end(), partial.begin(), partial.end());
  LiveSet live;
  for (const std::uint32_t index : order) live.segments.push_back(touched.spans[index]);
  auto snapshot = std::make_shared<Snapshot>(*make_snapshot(store, live, named_by_id(columns)));
  for (std::size_t i = 0; i < order.size(); ++i) snapshot->segments[i].deleted = touched.deleted[order[i]];
  for (std::size_t i = whole.size(); i < order.size(); ++i) {
    std::vector<RowRun>& own = by_segment[order[i]];
    std::sort(own.begin(), own.end(), [](const RowRun& a, const RowRun& b) { return a.row < b.row; });
    for (const RowRun& run : own)
      for (std::uint32_t row = run.row; row < run.row + run.count; ++row)
        rows.picked.push_back({static_cast<std::uint32_t>(i), row});
  }
  rows.rows = std::move(snapshot);
  rows.columns = std::move(columns);
  return rows;
}

}  // namespace

SnapshotPtr OwnRows::whole_rows() const {
  auto snapshot = std::make_shared<Snapshot>(*rows);
  snapshot->segments.resize(whole);
  return snapshot;
}

std::vector<Position> OwnRows::positions(std::uint64_t offset, std::uint64_t limit) const {
  std::vector<Position> found = live_positions(*whole_rows(), offset, limit);
  const std::uint64_t whole_count = count - picked.size();
  const std::uint64_t first = std::min<std::uint64_t>(offset > whole_count ? offset - whole_count : 0, picked.size());
  const std::uint64_t last = std::min<std::uint64_t>(picked.size(), first + (limit - found.size()));
  found.insert(found.end(), picked.begin() + static_cast<std::ptrdiff_t>(first),
               picked.begin() + static_cast<std::ptrdiff_t>(last));
  return found;
}

RowDifference row_difference(SqlStore& store, Versions& versions, const TableRecord& table, std::int64_t from,
                             std::int64_t to) {
  std::vector<Column> from_columns = versions.columns(table, from);
  std::vector<Column> to_columns = versions.columns(table, to);
  const LiveSet from_live = read_live_set(store, table.id, from);
  const LiveSet to_live = read_live_set(store, table.id, to);
  const DeletionVectors from_deleted = read_deletions(store, from_live);
  const DeletionVectors to_deleted = read_deletions(store, to_live);
  Touched before = touched_of(from_live, from_deleted, to_live, to_deleted);
  Touched after = touched_of(to_live, to_deleted, from_live, from_deleted);
  Origins origins(store, table.id);
  before.trace(origins);
  after.trace(origins);
  RowDifference difference;
  difference.before = own_rows(store, before, subtract(before.runs, after.runs), std::move(from_columns));
  difference.after = own_rows(store, after, subtract(after.runs, before.runs), std::move(to_columns));
  return difference;
}

}  // namespace stele
