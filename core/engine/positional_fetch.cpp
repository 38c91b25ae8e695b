#include "engine/positional_fetch.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/assert.hpp"
#include "engine/engine_impl.hpp"
#include "engine/logical_type.hpp"
#include "engine/sql_failure.hpp"
#include "engine/stored_type.hpp"

namespace stele {

namespace {

using duckdb::idx_t;

// Vectors of at most 2,048 rows that one step reads or skips.
constexpr int vectors_per_step = 16;

// Keeps the named rows of one segment.
class NamedRows final : public duckdb::DeleteFilter {
 public:
  explicit NamedRows(std::vector<std::uint32_t> rows) : rows_(std::move(rows)) {}

  idx_t Filter(duckdb::row_t start, idx_t count, duckdb::SelectionVector& selected) override {
    const auto first = static_cast<std::uint64_t>(start);
    selected.Initialize(STANDARD_VECTOR_SIZE);
    idx_t kept = 0;
    for (auto row = std::lower_bound(rows_.begin(), rows_.end(), first); row != rows_.end() && *row < first + count;
         ++row) {
      selected.set_index(kept++, *row - first);
    }
    return kept;
  }

 private:
  std::vector<std::uint32_t> rows_;
};

duckdb::vector<idx_t> row_groups_with(const duckdb::ParquetReader& reader, std::span<const Position> positions) {
  duckdb::vector<idx_t> groups;
  std::uint64_t begin = 0;
  auto position = positions.begin();
  const auto& row_groups = reader.GetFileMetadata()->row_groups;
  for (idx_t group = 0; group < row_groups.size() && position != positions.end(); ++group) {
    const auto end = begin + static_cast<std::uint64_t>(row_groups[group].num_rows);
    if (position->row < end) groups.push_back(group);
    while (position != positions.end() && position->row < end) ++position;
    begin = end;
  }
  require(position == positions.end(), "a position lies within its segment");
  return groups;
}

bool ascends(const Position& a, const Position& b) {
  return a.segment < b.segment || (a.segment == b.segment && a.row < b.row);
}

const Column& column_with(const Snapshot& snapshot, int id) {
  const auto found =
      std::find_if(snapshot.columns.begin(), snapshot.columns.end(), [id](const Column& c) { return c.id == id; });
  require(found != snapshot.columns.end(), "a fetched column is one of the snapshot's");
  return *found;
}

}  // namespace

FetchCursor::FetchCursor(EngineImpl& engine, SnapshotPtr snapshot, std::vector<Position> positions,
                         std::span<const int> column_ids)
    : engine_(engine), snapshot_(std::move(snapshot)), positions_(std::move(positions)) {
  for (std::size_t i = 1; i < positions_.size(); ++i) {
    require(ascends(positions_[i - 1], positions_[i]), "positions ascend, each once");
  }
  if (column_ids.empty()) columns_ = snapshot_->columns;
  for (const int id : column_ids) columns_.push_back(column_with(*snapshot_, id));
  duckdb::vector<duckdb::LogicalType> types;
  for (const Column& column : columns_) {
    types.push_back(parse_type(column.type));
    result_columns_.push_back({column.name, column.type});
  }
  rows_.Initialize(engine_.context(), types);
  input_.Initialize(engine_.context(), types);
}

Cursor::State FetchCursor::step() {
  rows_.Reset();
  try {
    for (int vectors = 0; vectors < vectors_per_step; ++vectors) {
      if (!has_input_ && !next_input()) return rows_.size() > 0 ? State::chunk : State::done;
      if (rows_.size() + input_.size() > STANDARD_VECTOR_SIZE) return State::chunk;
      take_input();
    }
  } catch (const duckdb::Exception& failure) {
    engine_.files().rethrow_failure();
    throw_failure(duckdb::ErrorData(failure), engine_.limits());
  }
  return rows_.size() > 0 ? State::chunk : State::working;
}

double FetchCursor::progress() const {
  return positions_.empty() ? 1 : static_cast<double>(taken_) / static_cast<double>(positions_.size());
}

bool FetchCursor::next_segment() {
  if (taken_ == positions_.size()) return false;
  const auto index = positions_[taken_].segment;
  require(index < snapshot_->segments.size(), "a position names a segment of the snapshot");
  const Segment& segment = *snapshot_->segments[index].segment;
  const auto begin = positions_.begin() + static_cast<std::ptrdiff_t>(taken_);
  const auto end = std::find_if(begin, positions_.end(), [index](const Position& p) { return p.segment != index; });
  const auto wanted = std::span<const Position>(positions_).subspan(taken_, static_cast<std::size_t>(end - begin));
  taken_ += wanted.size();

  scan_ = std::make_unique<ParquetScan>(engine_, segment.blob);
  std::unordered_map<std::string, std::size_t> in_file;
  const auto& file_columns = scan_->reader().columns;
  for (std::size_t i = 0; i < file_columns.size(); ++i) in_file.emplace(file_columns[i].name, i);
  std::unordered_map<int, std::size_t> by_id;
  for (const StoredColumn& column : segment.columns) by_id.emplace(column.id, in_file.at(column.name));

  sources_.clear();
  std::vector<std::size_t> scanned;
  for (std::size_t output = 0; output < columns_.size(); ++output) {
    const auto found = by_id.find(columns_[output].id);
    if (found == by_id.end()) continue;
    const auto& stored = file_columns[found->second].type;
    sources_.push_back({output, scanned.size(), stored_cast(engine_.context(), stored, rows_.data[output].GetType())});
    scanned.push_back(found->second);
  }
  std::vector<std::uint32_t> rows;
  for (const auto& position : wanted) rows.push_back(position.row);
  scan_->begin(scanned, row_groups_with(scan_->reader(), wanted), duckdb::make_uniq<NamedRows>(std::move(rows)));
  return true;
}

bool FetchCursor::next_input() {
  while (!scan_ || !scan_->next()) {
    if (!next_segment()) return false;
  }
  auto& stored = scan_->chunk();
  stored.Flatten();
  input_.Reset();
  for (auto& vector : input_.data) {
    vector.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
    duckdb::ConstantVector::SetNull(vector, true);
  }
  for (const Source& source : sources_) {
    auto& output = input_.data[source.output];
    output.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    duckdb::FlatVector::Validity(output).Reset();
    require(cast_vector(engine_.context(), source.cast, stored.data[source.scanned], output, stored.size()),
            "what was stored can be read");
  }
  input_.SetCardinality(stored);
  has_input_ = true;
  return true;
}

void FetchCursor::take_input() {
  rows_.Append(input_);
  has_input_ = false;
}

std::unique_ptr<Cursor> EngineImpl::fetch(SnapshotPtr snapshot, std::vector<Position> positions,
                                          std::span<const int> column_ids) {
  return std::make_unique<FetchCursor>(*this, std::move(snapshot), std::move(positions), column_ids);
}

}  // namespace stele
