#include "engine/snapshot_scan.hpp"

#include "duckdb/function/partition_stats.hpp"
#include "duckdb/main/client_context_state.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "engine/logical_type.hpp"
#include "engine/select_guard.hpp"
#include "engine/snapshot_reader.hpp"
#include "parquet_multi_file_info.hpp"

namespace stele {

namespace {

using duckdb::ClientContext;
using duckdb::FunctionData;
using ParquetFunction = duckdb::MultiFileFunction<duckdb::ParquetMultiFileInfo>;

constexpr const char* own_scan_name = "scan";
constexpr const char* state_name = "stele_snapshots";

struct StatementSnapshots final : duckdb::ClientContextState {
  explicit StatementSnapshots(std::vector<SnapshotPtr> given) : snapshots(std::move(given)) {}
  std::vector<SnapshotPtr> snapshots;
};

struct ScanInfo final : duckdb::TableFunctionInfo {
  ScanInfo(SegmentFileSystem& segment_files, SegmentMetadata& segment_metadata)
      : files(segment_files), metadata(segment_metadata) {}
  SegmentFileSystem& files;
  SegmentMetadata& metadata;
};

SnapshotPtr snapshot_of(ClientContext& context, int64_t index) {
  const auto state = context.registered_state->Get<StatementSnapshots>(state_name);
  if (!state || index < 0 || static_cast<std::size_t>(index) >= state->snapshots.size()) {
    throw duckdb::BinderException("There is no table %lld here", static_cast<long long>(index));
  }
  return state->snapshots[static_cast<std::size_t>(index)];
}

std::shared_ptr<const ScanPlan> plan_scan(SnapshotPtr snapshot, bool positions, SegmentMetadata& metadata) {
  auto plan = std::make_shared<ScanPlan>();
  std::unordered_map<std::string, duckdb::LogicalType> parsed;
  for (const Column& column : snapshot->columns) {
    auto known = parsed.find(column.type);
    if (known == parsed.end()) {
      known = parsed.emplace(column.type, parse_type(column.type)).first;
    }
    plan->by_id.emplace(column.id, plan->types.size());
    plan->types.push_back(known->second);
  }
  plan->snapshot = std::move(snapshot);
  plan->positions = positions;
  plan->metadata = &metadata;
  return plan;
}

duckdb::unique_ptr<FunctionData> bind_scan(ClientContext& context, duckdb::TableFunctionBindInput& input,
                                           duckdb::vector<duckdb::LogicalType>& types,
                                           duckdb::vector<std::string>& names) {
  auto& info = input.info->Cast<ScanInfo>();
  const auto positions = input.named_parameters.find("positions");
  const auto plan =
      plan_scan(snapshot_of(context, input.inputs[0].GetValue<int64_t>()),
                positions != input.named_parameters.end() && positions->second.GetValue<bool>(), info.metadata);
  auto reader = duckdb::make_uniq<SnapshotReader>(plan);
  auto list = duckdb::make_shared_ptr<SegmentList>(plan, info.files);
  auto interface = duckdb::ParquetMultiFileInfo::CreateInterface(context);
  interface->InitializeInterface(context, *reader, *list);
  auto parquet_options = interface->InitializeOptions(context, nullptr);
  duckdb::MultiFileOptions options;
  options.auto_detect_hive_partitioning = false;
  return ParquetFunction::MultiFileBindInternal(context, std::move(reader), std::move(list), types, names,
                                                std::move(options), std::move(parquet_options), std::move(interface));
}

// A virtual column would be a name that SQL can say: there is none but the nameless one that count(*) reads.
duckdb::virtual_column_map_t virtual_columns(ClientContext&, duckdb::optional_ptr<FunctionData> bind_data) {
  duckdb::virtual_column_map_t columns;
  columns.insert({duckdb::COLUMN_IDENTIFIER_EMPTY, duckdb::TableColumn("", duckdb::LogicalType::BOOLEAN)});
  bind_data->Cast<duckdb::MultiFileBindData>().virtual_columns = columns;
  return columns;
}

// The exact number of live rows, from which DuckDB answers count(*) without a scan.
duckdb::vector<duckdb::PartitionStatistics> partition_stats(ClientContext&, duckdb::GetPartitionStatsInput& input) {
  const auto& list = input.bind_data->Cast<duckdb::MultiFileBindData>().file_list->Cast<SegmentList>();
  duckdb::PartitionStatistics all;
  all.row_start = 0;
  all.count = list.plan().snapshot->rows();
  all.count_type = duckdb::CountType::COUNT_EXACT;
  return {all};
}

bool push_expression(ClientContext&, const duckdb::LogicalGet&, duckdb::Expression&) { return true; }

duckdb::TableFunction scan_function(const char* name, const duckdb::shared_ptr<ScanInfo>& info) {
  duckdb::TableFunction function = ParquetFunction(name);
  function.arguments = {duckdb::LogicalType::BIGINT};
  function.named_parameters.clear();
  function.bind = bind_scan;
  function.function_info = info;
  function.get_virtual_columns = virtual_columns;
  function.get_partition_stats = partition_stats;
  function.pushdown_expression = push_expression;
  function.filter_pushdown = true;
  function.filter_prune = true;
  // Both speak of files.
  function.get_bind_info = nullptr;
  function.dynamic_to_string = nullptr;
  return function;
}

}  // namespace

void register_snapshot_scan(duckdb::DatabaseInstance& instance, SegmentFileSystem& files, SegmentMetadata& metadata) {
  const auto info = duckdb::make_shared_ptr<ScanInfo>(files, metadata);
  duckdb::ExtensionLoader loader(instance, "stele");
  loader.RegisterFunction(scan_function(scan_function_name, info));
  auto own = scan_function(own_scan_name, info);
  own.named_parameters["positions"] = duckdb::LogicalType::BOOLEAN;
  loader.RegisterFunction(std::move(own));
}

void set_snapshots(ClientContext& context, std::vector<SnapshotPtr> snapshots) {
  context.registered_state->Remove(state_name);
  context.registered_state->Insert(state_name, duckdb::make_shared_ptr<StatementSnapshots>(std::move(snapshots)));
}

}  // namespace stele
