#include "engine/parquet_scan.hpp"

#include <utility>

namespace stele {

ParquetScan::ParquetScan(EngineImpl& engine, const BlobInfo& blob) : context_(engine.context()) {
  const auto file = engine.files().readable(blob);
  auto known = engine.metadata().find(file.path);
  const bool is_new = !known;
  reader_ = duckdb::make_shared_ptr<duckdb::ParquetReader>(context_, file, duckdb::ParquetOptions(), std::move(known));
  if (is_new) engine.metadata().keep(file.path, reader_->metadata);
}

void ParquetScan::begin(const std::vector<std::size_t>& columns, duckdb::vector<duckdb::idx_t> row_groups,
                        duckdb::unique_ptr<duckdb::DeleteFilter> rows) {
  duckdb::vector<duckdb::LogicalType> types;
  for (const auto column : columns) {
    reader_->column_ids.push_back(duckdb::MultiFileLocalColumnId(column));
    reader_->column_indexes.emplace_back(column);
    types.push_back(reader_->columns[column].type);
  }
  reader_->deletion_filter = std::move(rows);
  chunk_.Initialize(context_, types);
  reader_->InitializeScan(context_, state_, std::move(row_groups));
}

void ParquetScan::begin() {
  std::vector<std::size_t> columns(reader_->columns.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  duckdb::vector<duckdb::idx_t> row_groups(reader_->NumRowGroups());
  std::iota(row_groups.begin(), row_groups.end(), duckdb::idx_t{0});
  begin(columns, std::move(row_groups));
}

bool ParquetScan::next() {
  chunk_.Reset();
  reader_->Scan(context_, state_, chunk_);
  return chunk_.size() > 0;
}

}  // namespace stele
