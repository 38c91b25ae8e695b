#include "tables/row_page.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "tables/staged_segment.hpp"

namespace stele {
namespace {

bool before(const Position& a, const Position& b) {
  return a.segment != b.segment ? a.segment < b.segment : a.row < b.row;
}

// Adds up to `limit` live rows of one segment, after passing over `offset` of them.
void take_live(std::uint32_t index, const LiveSegment& live, std::uint64_t offset, std::uint64_t limit,
               std::vector<Position>& into) {
  auto deleted = live.deleted.begin();
  std::uint64_t row = 0;
  while (row < live.segment->rows && limit > 0) {
    const std::uint64_t run_end = deleted == live.deleted.end() ? live.segment->rows : *deleted;
    const std::uint64_t passed = std::min(offset, run_end - row);
    offset -= passed;
    row += passed;
    for (; row < run_end && limit > 0; ++row, --limit) into.push_back({index, static_cast<std::uint32_t>(row)});
    if (deleted == live.deleted.end()) return;
    if (row == run_end) {
      ++deleted;
      ++row;
    }
  }
}

struct Fetched {
  std::vector<Json> rows;
  bool fits = true;
};

// The first `count` of the positions, in the order given; given up where they take more than `bytes_max`.
Task<Fetched> fetch_first(Engine& engine, SnapshotPtr snapshot, const std::vector<Position>* positions,
                          std::vector<int> column_ids, std::size_t count, std::uint64_t bytes_max) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return before((*positions)[a], (*positions)[b]); });
  std::vector<Position> ascending;
  for (const std::size_t at : order) ascending.push_back((*positions)[at]);

  Fetched fetched;
  fetched.rows.resize(count);
  std::uint64_t bytes = 0;
  std::size_t taken = 0;
  const auto cursor = engine.fetch(std::move(snapshot), std::move(ascending), column_ids);
  for (;;) {
    Task<bool> advancing = next_chunk(*cursor, "reading rows");
    const bool more = co_await std::move(advancing);
    if (!more) break;
    for (std::size_t row = 0; row < cursor->row_count(); ++row) {
      Json cells = Json::array();
      for (std::size_t column = 0; column < column_ids.size(); ++column) cells.push_back(cursor->json(row, column));
      bytes += cells.dump(-1, ' ', false, Json::error_handler_t::replace).size();
      fetched.fits = bytes <= bytes_max || count == 1;
      if (!fetched.fits) co_return fetched;
      fetched.rows[order[taken++]] = std::move(cells);
    }
  }
  require(taken == count, "a fetch answers every position");
  co_return fetched;
}

}  // namespace

std::vector<Position> live_positions(const Snapshot& snapshot, std::uint64_t offset, std::uint64_t limit) {
  std::vector<Position> positions;
  for (std::size_t i = 0; i < snapshot.segments.size() && positions.size() < limit; ++i) {
    const LiveSegment& live = snapshot.segments[i];
    const std::uint64_t rows = live.segment->rows - live.deleted.size();
    if (offset >= rows) {
      offset -= rows;
      continue;
    }
    take_live(static_cast<std::uint32_t>(i), live, offset, limit - positions.size(), positions);
    offset = 0;
  }
  return positions;
}

Task<std::vector<Json>> cells_at(Engine& engine, SnapshotPtr snapshot, std::vector<Position> positions,
                                 std::vector<int> column_ids, std::uint64_t bytes_max) {
  std::size_t count = positions.size();
  while (count > 0) {
    Task<Fetched> fetching = fetch_first(engine, snapshot, &positions, column_ids, count, bytes_max);
    Fetched fetched = co_await std::move(fetching);
    if (fetched.fits) co_return std::move(fetched.rows);
    count = std::max<std::size_t>(1, count / 2);
  }
  co_return std::vector<Json>();
}

SnapshotPtr with_id_names(const Snapshot& snapshot) {
  auto named = std::make_shared<Snapshot>(snapshot);
  named->columns = named_by_id(snapshot.columns);
  return named;
}

Json columns_json(const std::vector<Column>& columns) {
  Json shown = Json::array();
  for (const Column& column : columns) {
    Json one = Json::object();
    one["name"] = column.name;
    one["type"] = column.type;
    shown.push_back(std::move(one));
  }
  return shown;
}

}  // namespace stele
