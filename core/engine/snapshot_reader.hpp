// SnapshotReader: DuckDB's seam between a table's columns and those of one file. It fits each segment to the snapshot's
// columns by their ids; it never decides which rows match, which stays with DuckDB's Parquet reader.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "duckdb/common/multi_file/multi_file_reader.hpp"
#include "engine/segment_file_system.hpp"
#include "engine/segment_metadata.hpp"
#include "engine/snapshot.hpp"

namespace stele {

// The two columns that scan(i, positions := true) adds.
inline constexpr const char* segment_column = "stele_segment";
inline constexpr const char* row_column = "stele_row";

// What one scan reads, made when it is bound and shared by all copies of its plan.
struct ScanPlan {
  SnapshotPtr snapshot;
  bool positions = false;
  std::vector<duckdb::LogicalType> types;      // of the snapshot's columns
  std::unordered_map<int, std::size_t> by_id;  // column id to its index
  SegmentMetadata* metadata = nullptr;         // of the engine

  std::size_t segment_index() const { return types.size(); }
  std::size_t row_index() const { return types.size() + 1; }
};

// The live segments as DuckDB's list of files.
class SegmentList final : public duckdb::MultiFileList {
 public:
  SegmentList(std::shared_ptr<const ScanPlan> plan, const SegmentFileSystem& files);

  duckdb::vector<duckdb::OpenFileInfo> GetAllFiles() override;
  duckdb::FileExpandResult GetExpandResult() override;
  duckdb::idx_t GetTotalFileCount() override { return plan_->snapshot->segments.size(); }
  duckdb::unique_ptr<duckdb::NodeStatistics> GetCardinality(duckdb::ClientContext& context) override;
  duckdb::unique_ptr<duckdb::MultiFileList> Copy() override;
  const ScanPlan& plan() const { return *plan_; }

 protected:
  duckdb::OpenFileInfo GetFile(duckdb::idx_t index) override;

 private:
  std::shared_ptr<const ScanPlan> plan_;
  const SegmentFileSystem& files_;
};

class SnapshotReader final : public duckdb::MultiFileReader {
 public:
  explicit SnapshotReader(std::shared_ptr<const ScanPlan> plan);

  bool Bind(duckdb::MultiFileOptions& options, duckdb::MultiFileList& files,
            duckdb::vector<duckdb::LogicalType>& return_types, duckdb::vector<std::string>& names,
            duckdb::MultiFileReaderBindData& bind_data) override;
  duckdb::ReaderInitializeType InitializeReader(duckdb::MultiFileReaderData& data,
                                                const duckdb::MultiFileBindData& bind_data,
                                                const duckdb::vector<duckdb::MultiFileColumnDefinition>& global_columns,
                                                const duckdb::vector<duckdb::ColumnIndex>& global_column_ids,
                                                duckdb::optional_ptr<duckdb::TableFilterSet> filters,
                                                duckdb::ClientContext& context,
                                                duckdb::MultiFileGlobalState& global_state) override;
  duckdb::shared_ptr<duckdb::BaseFileReader> CreateReader(duckdb::ClientContext& context,
                                                          duckdb::GlobalTableFunctionState& global_state,
                                                          const duckdb::OpenFileInfo& file, duckdb::idx_t file_index,
                                                          const duckdb::MultiFileBindData& bind_data) override;
  void FinalizeChunk(duckdb::ClientContext& context, const duckdb::MultiFileBindData& bind_data,
                     duckdb::BaseFileReader& reader, const duckdb::MultiFileReaderData& data, duckdb::DataChunk& input,
                     duckdb::DataChunk& output, duckdb::ExpressionExecutor& executor,
                     duckdb::optional_ptr<duckdb::MultiFileReaderGlobalState> global_state) override;
  duckdb::unique_ptr<duckdb::MultiFileReader> Copy() const override;

 private:
  std::shared_ptr<const ScanPlan> plan_;
};

}  // namespace stele
