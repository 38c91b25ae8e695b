#include "engine/snapshot_reader.hpp"

#include <algorithm>

#include "duckdb/common/multi_file/multi_file_function.hpp"
#include "duckdb/parser/expression/constant_expression.hpp"
#include "duckdb/planner/expression/bound_cast_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "duckdb/planner/expression_iterator.hpp"
#include "duckdb/planner/filter/conjunction_filter.hpp"
#include "duckdb/planner/filter/constant_filter.hpp"
#include "duckdb/planner/filter/in_filter.hpp"
#include "engine/stored_type.hpp"
#include "parquet_reader.hpp"

namespace stele {

namespace {

using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::MultiFileColumnDefinition;

std::string file_name_of(int column_id) { return "c" + std::to_string(column_id); }

// Leaves out the deleted rows of one segment. Keeps the snapshot alive for as long as it reads its positions.
class DeletedRows final : public duckdb::DeleteFilter {
 public:
  DeletedRows(SnapshotPtr snapshot, const std::vector<std::uint32_t>& positions)
      : snapshot_(std::move(snapshot)), positions_(positions) {}

  idx_t Filter(duckdb::row_t start, idx_t count, duckdb::SelectionVector& selected) override {
    const auto first = static_cast<std::uint64_t>(start);
    auto deleted = std::lower_bound(positions_.begin(), positions_.end(), first);
    if (deleted == positions_.end() || *deleted >= first + count) return count;
    selected.Initialize(STANDARD_VECTOR_SIZE);
    idx_t kept = 0;
    for (idx_t i = 0; i < count; i++) {
      if (deleted != positions_.end() && *deleted == first + i) {
        ++deleted;
      } else {
        selected.set_index(kept++, i);
      }
    }
    return kept;
  }

 private:
  SnapshotPtr snapshot_;
  const std::vector<std::uint32_t>& positions_;
};

bool is_exact_number(const LogicalType& type) { return type.IsIntegral() || type.id() == LogicalTypeId::DECIMAL; }

// Whether the constant means the same in both types, so that stored values may be compared with it before they are
// cast.
bool survives(const duckdb::Value& constant, const LogicalType& stored) {
  if (!is_exact_number(constant.type()) || !is_exact_number(stored)) return false;
  auto there = constant;
  if (!there.DefaultTryCastAs(stored)) return false;
  auto back = there;
  return back.DefaultTryCastAs(constant.type()) && back == constant;
}

// DuckDB would round the constant of "price > 1.5" to the stored type and lose rows: a filter over a cast column goes
// to the stored values only where that cannot happen, and is else evaluated on the cast ones.
bool survives(const duckdb::TableFilter& filter, const LogicalType& stored) {
  switch (filter.filter_type) {
    case duckdb::TableFilterType::IS_NULL:
    case duckdb::TableFilterType::IS_NOT_NULL:
      return true;
    case duckdb::TableFilterType::CONSTANT_COMPARISON:
      return survives(filter.Cast<duckdb::ConstantFilter>().constant, stored);
    case duckdb::TableFilterType::IN_FILTER: {
      const auto& values = filter.Cast<duckdb::InFilter>().values;
      return std::all_of(values.begin(), values.end(), [&](const auto& value) { return survives(value, stored); });
    }
    case duckdb::TableFilterType::CONJUNCTION_AND: {
      const auto& filters = filter.Cast<duckdb::ConjunctionAndFilter>().child_filters;
      return std::all_of(filters.begin(), filters.end(), [&](const auto& child) { return survives(*child, stored); });
    }
    case duckdb::TableFilterType::CONJUNCTION_OR: {
      const auto& filters = filter.Cast<duckdb::ConjunctionOrFilter>().child_filters;
      return std::all_of(filters.begin(), filters.end(), [&](const auto& child) { return survives(*child, stored); });
    }
    default:
      return false;
  }
}

// Gives the file's columns the names that the plan looks for, by id; what the snapshot does not have gets a name that
// nothing looks for.
void name_by_id(duckdb::BaseFileReader& reader, const Segment& segment, const ScanPlan& plan) {
  std::unordered_map<std::string, int> ids;
  for (const StoredColumn& column : segment.columns) ids.emplace(column.name, column.id);
  for (MultiFileColumnDefinition& column : reader.columns) {
    const auto id = ids.find(column.name);
    const auto index = id == ids.end() ? plan.by_id.end() : plan.by_id.find(id->second);
    column.identifier = duckdb::Value();
    if (index == plan.by_id.end()) {
      column.name.clear();
      continue;
    }
    column.name = file_name_of(id->second);
    // JSON is text that was checked when it was written.
    if (column.type == LogicalType::VARCHAR && plan.types[index->second] == LogicalType::JSON()) {
      column.type = LogicalType::JSON();
    }
  }
}

// Puts our casts where DuckDB put its own.
void use_stored_casts(duckdb::ClientContext& context, duckdb::unique_ptr<duckdb::Expression>& expression) {
  if (expression->GetExpressionClass() != duckdb::ExpressionClass::BOUND_CAST) return;
  const auto logical = expression->return_type;
  auto value = std::move(expression->Cast<duckdb::BoundCastExpression>().child);
  expression = read_stored(context, std::move(value), logical);
}

// Evaluates a filter inside the reader on the cast values of its column.
void filter_cast_values(duckdb::MultiFileReaderData& data, idx_t global_index, const duckdb::TableFilter& filter) {
  auto& reader = *data.reader;
  auto& expression = data.expressions[global_index];
  idx_t local_index = 0;
  duckdb::ExpressionIterator::VisitExpressionMutable<duckdb::BoundReferenceExpression>(
      expression, [&](duckdb::BoundReferenceExpression& reference, duckdb::unique_ptr<duckdb::Expression>&) {
        local_index = reference.index;
        reference.index = 0;  // within the reader there is only this column
      });
  const auto type = expression->return_type;
  reader.expression_map[reader.column_indexes[local_index].GetPrimaryIndex()] = std::move(expression);
  expression = duckdb::make_uniq<duckdb::BoundReferenceExpression>(type, local_index);
  if (!reader.filters) reader.filters = duckdb::make_uniq<duckdb::TableFilterSet>();
  reader.filters->filters.emplace(local_index, filter.Copy());
}

const LogicalType* stored_type_of(const duckdb::BaseFileReader& reader, const std::string& name) {
  for (const MultiFileColumnDefinition& column : reader.columns) {
    if (column.name == name) return &column.type;
  }
  return nullptr;
}

}  // namespace

SegmentList::SegmentList(std::shared_ptr<const ScanPlan> plan, const SegmentFileSystem& files)
    : MultiFileList(duckdb::vector<duckdb::OpenFileInfo>{}, duckdb::FileGlobOptions::ALLOW_EMPTY),
      plan_(std::move(plan)),
      files_(files) {}

duckdb::vector<duckdb::OpenFileInfo> SegmentList::GetAllFiles() {
  duckdb::vector<duckdb::OpenFileInfo> all;
  for (idx_t i = 0; i < GetTotalFileCount(); i++) all.push_back(GetFile(i));
  return all;
}

duckdb::FileExpandResult SegmentList::GetExpandResult() {
  // A single file too is "multiple": DuckDB keeps facts of a single one that it read while binding, which we never do.
  return plan_->snapshot->segments.empty() ? duckdb::FileExpandResult::NO_FILES
                                           : duckdb::FileExpandResult::MULTIPLE_FILES;
}

duckdb::unique_ptr<duckdb::NodeStatistics> SegmentList::GetCardinality(duckdb::ClientContext&) {
  const auto rows = plan_->snapshot->rows();
  return duckdb::make_uniq<duckdb::NodeStatistics>(rows, rows);
}

duckdb::unique_ptr<duckdb::MultiFileList> SegmentList::Copy() { return duckdb::make_uniq<SegmentList>(plan_, files_); }

duckdb::OpenFileInfo SegmentList::GetFile(idx_t index) {
  if (index >= GetTotalFileCount()) return duckdb::OpenFileInfo();
  return files_.readable(plan_->snapshot->segments[index].segment->blob);
}

SnapshotReader::SnapshotReader(std::shared_ptr<const ScanPlan> plan) : plan_(std::move(plan)) {
  function_name = "scan";
}

duckdb::unique_ptr<duckdb::MultiFileReader> SnapshotReader::Copy() const {
  return duckdb::make_uniq<SnapshotReader>(plan_);
}

bool SnapshotReader::Bind(duckdb::MultiFileOptions&, duckdb::MultiFileList&, duckdb::vector<LogicalType>& types,
                          duckdb::vector<std::string>& names, duckdb::MultiFileReaderBindData& bind_data) {
  const auto add = [&](const std::string& name, const LogicalType& type, const std::string& file_name) {
    MultiFileColumnDefinition column(name, type);
    column.identifier = duckdb::Value(file_name);
    column.default_expression = duckdb::make_uniq<duckdb::ConstantExpression>(duckdb::Value(type));
    bind_data.schema.push_back(std::move(column));
    names.push_back(name);
    types.push_back(type);
  };
  for (std::size_t i = 0; i < plan_->types.size(); i++) {
    const Column& column = plan_->snapshot->columns[i];
    add(column.name, plan_->types[i], file_name_of(column.id));
  }
  if (plan_->positions) {
    add(segment_column, LogicalType::BIGINT, segment_column);
    add(row_column, LogicalType::BIGINT, row_column);
  }
  bind_data.mapping = duckdb::MultiFileColumnMappingMode::BY_NAME;
  return true;
}

duckdb::shared_ptr<duckdb::BaseFileReader> SnapshotReader::CreateReader(duckdb::ClientContext& context,
                                                                        duckdb::GlobalTableFunctionState&,
                                                                        const duckdb::OpenFileInfo& file,
                                                                        idx_t file_index,
                                                                        const duckdb::MultiFileBindData&) {
  duckdb::ParquetOptions options;
  // Our writer leaves out the bounds of a column with NaN; others may not, and NaN is the largest value here.
  const auto& columns = plan_->snapshot->segments[file_index].segment->columns;
  options.can_have_nan = std::any_of(columns.begin(), columns.end(),
                                     [](const StoredColumn& column) { return column.name != file_name_of(column.id); });
  auto known = plan_->metadata->find(file.path);
  const bool is_new = !known;
  auto reader = duckdb::make_shared_ptr<duckdb::ParquetReader>(context, file, std::move(options), std::move(known));
  if (is_new) plan_->metadata->keep(file.path, reader->metadata);
  return reader;
}

duckdb::ReaderInitializeType SnapshotReader::InitializeReader(
    duckdb::MultiFileReaderData& data, const duckdb::MultiFileBindData& bind_data,
    const duckdb::vector<MultiFileColumnDefinition>& global_columns,
    const duckdb::vector<duckdb::ColumnIndex>& global_column_ids, duckdb::optional_ptr<duckdb::TableFilterSet> filters,
    duckdb::ClientContext& context, duckdb::MultiFileGlobalState& global_state) {
  auto& reader = *data.reader;
  const idx_t segment_index = reader.file_list_idx.GetIndex();
  const LiveSegment& live = plan_->snapshot->segments[segment_index];
  name_by_id(reader, *live.segment, *plan_);
  if (!live.deleted.empty()) reader.deletion_filter = duckdb::make_uniq<DeletedRows>(plan_->snapshot, live.deleted);
  if (plan_->positions) {
    reader.columns.emplace_back(row_column, LogicalType::BIGINT);
    reader.AddVirtualColumn(COLUMN_IDENTIFIER_FILE_ROW_NUMBER);
    for (idx_t i = 0; i < global_column_ids.size(); i++) {
      if (global_column_ids[i].GetPrimaryIndex() != plan_->segment_index()) continue;
      data.constant_map.Add(duckdb::MultiFileGlobalIndex(i),
                            duckdb::Value::BIGINT(static_cast<int64_t>(segment_index)));
    }
  }

  // Filters over columns that are cast are ours to place; DuckDB places the rest.
  duckdb::TableFilterSet direct;
  std::vector<std::pair<idx_t, const duckdb::TableFilter*>> over_casts;
  if (filters) {
    for (const auto& [index, filter] : filters->filters) {
      const auto& column_id = global_column_ids[index];
      const MultiFileColumnDefinition* global =
          column_id.IsVirtualColumn() ? nullptr : &global_columns[column_id.GetPrimaryIndex()];
      const LogicalType* stored = global ? stored_type_of(reader, global->GetIdentifierName()) : nullptr;
      if (!stored || *stored == global->type || survives(*filter, *stored)) {
        direct.filters.emplace(index, filter->Copy());
      } else {
        over_casts.emplace_back(index, filter.get());
      }
    }
  }
  const auto placed = CreateMapping(context, data, global_columns, global_column_ids, &direct, global_state.file_list,
                                    bind_data.reader_bind, bind_data.virtual_columns);
  if (placed == duckdb::ReaderInitializeType::SKIP_READING_FILE) return placed;
  for (auto& expression : data.expressions) use_stored_casts(context, expression);
  for (auto& entry : reader.expression_map) use_stored_casts(context, entry.second);
  for (const auto& [index, filter] : over_casts) filter_cast_values(data, index, *filter);
  return placed;
}

void SnapshotReader::FinalizeChunk(duckdb::ClientContext&, const duckdb::MultiFileBindData&, duckdb::BaseFileReader&,
                                   const duckdb::MultiFileReaderData&, duckdb::DataChunk& input,
                                   duckdb::DataChunk& output, duckdb::ExpressionExecutor& executor,
                                   duckdb::optional_ptr<duckdb::MultiFileReaderGlobalState>) {
  executor.SetChunk(input);
  for (idx_t i = 0; i < executor.expressions.size(); i++) executor.ExecuteExpression(i, output.data[i]);
  output.SetCardinality(input.size());
}

}  // namespace stele
