#include "engine/picked_rows.hpp"

#include <optional>
#include <utility>

#include "duckdb/function/table_function.hpp"
#include "duckdb/main/client_context_state.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "engine/engine_impl.hpp"
#include "engine/logical_type.hpp"
#include "engine/positional_fetch.hpp"
#include "engine/snapshot_reader.hpp"

namespace stele {

namespace {

using duckdb::ClientContext;
using duckdb::DataChunk;
using duckdb::idx_t;

constexpr const char* function_name = "picked";
constexpr const char* state_name = "stele_picked_rows";

struct StatementPicks final : duckdb::ClientContextState {
  std::vector<std::shared_ptr<const PickedRows>> picked;
};

struct EngineInfo final : duckdb::TableFunctionInfo {
  explicit EngineInfo(EngineImpl& of) : engine(of) {}
  EngineImpl& engine;
};

struct Picks final : duckdb::TableFunctionData {
  Picks(std::shared_ptr<const PickedRows> given, EngineImpl& of) : rows(std::move(given)), engine(of) {}
  std::shared_ptr<const PickedRows> rows;
  EngineImpl& engine;
};

std::shared_ptr<const PickedRows> picked_of(ClientContext& context, std::int64_t index) {
  const auto state = context.registered_state->Get<StatementPicks>(state_name);
  if (!state || index < 0 || static_cast<std::size_t>(index) >= state->picked.size())
    throw duckdb::BinderException("There are no picked rows %lld here", static_cast<long long>(index));
  return state->picked[static_cast<std::size_t>(index)];
}

duckdb::unique_ptr<duckdb::FunctionData> bind_picked(ClientContext& context, duckdb::TableFunctionBindInput& input,
                                                     duckdb::vector<duckdb::LogicalType>& types,
                                                     duckdb::vector<std::string>& names) {
  auto rows = picked_of(context, input.inputs[0].GetValue<std::int64_t>());
  for (const Column& column : rows->snapshot->columns) {
    names.push_back(column.name);
    types.push_back(parse_type(column.type));
  }
  for (const char* name : {segment_column, row_column}) {
    names.emplace_back(name);
    types.push_back(duckdb::LogicalType::BIGINT);
  }
  return duckdb::make_uniq<Picks>(std::move(rows), input.info->Cast<EngineInfo>().engine);
}

// One reading of the rows. Where no column of theirs is wanted, nothing is read at all.
class Reading final : public duckdb::GlobalTableFunctionState {
 public:
  Reading(const Picks& picks, const duckdb::vector<duckdb::column_t>& column_ids) : rows_(picks.rows) {
    const std::size_t width = rows_->snapshot->columns.size();
    std::vector<int> fetched;
    for (const auto id : column_ids) {
      if (id < width) {
        sources_.push_back({Source::Kind::cell, fetched.size()});
        fetched.push_back(rows_->snapshot->columns[id].id);
      } else {
        sources_.push_back({id == width ? Source::Kind::segment : Source::Kind::row, 0});
      }
    }
    if (!fetched.empty()) cursor_.emplace(picks.engine, rows_->snapshot, rows_->positions, fetched);
  }

  idx_t MaxThreads() const override { return 1; }

  void fill(DataChunk& output) {
    const idx_t count = next_count();
    for (std::size_t i = 0; i < sources_.size(); ++i) fill(output.data[i], sources_[i], count);
    output.SetCardinality(count);
    taken_ += count;
  }

 private:
  struct Source {
    enum class Kind { cell, segment, row };
    Kind kind;
    std::size_t fetched;
  };

  idx_t next_count() {
    if (!cursor_) return std::min<idx_t>(STANDARD_VECTOR_SIZE, rows_->positions.size() - taken_);
    auto state = cursor_->step();
    while (state == Cursor::State::working) state = cursor_->step();
    return state == Cursor::State::chunk ? cursor_->row_count() : 0;
  }

  void fill(duckdb::Vector& output, const Source& source, idx_t count) {
    if (source.kind == Source::Kind::cell) {
      output.Reference(cursor_->chunk().data[source.fetched]);
      return;
    }
    auto* numbers = duckdb::FlatVector::GetData<std::int64_t>(output);
    for (idx_t i = 0; i < count; ++i) {
      const Position& position = rows_->positions[taken_ + i];
      numbers[i] = source.kind == Source::Kind::segment ? position.segment : position.row;
    }
  }

  std::shared_ptr<const PickedRows> rows_;
  std::vector<Source> sources_;
  std::optional<FetchCursor> cursor_;
  std::size_t taken_ = 0;
};

duckdb::unique_ptr<duckdb::GlobalTableFunctionState> begin_reading(ClientContext&,
                                                                   duckdb::TableFunctionInitInput& input) {
  return duckdb::make_uniq<Reading>(input.bind_data->Cast<Picks>(), input.column_ids);
}

void read_picked(ClientContext&, duckdb::TableFunctionInput& input, DataChunk& output) {
  input.global_state->Cast<Reading>().fill(output);
}

duckdb::unique_ptr<duckdb::NodeStatistics> cardinality(ClientContext&, const duckdb::FunctionData* bind_data) {
  const auto rows = bind_data->Cast<Picks>().rows->positions.size();
  return duckdb::make_uniq<duckdb::NodeStatistics>(rows, rows);
}

}  // namespace

void register_picked_rows(duckdb::DatabaseInstance& instance, EngineImpl& engine) {
  duckdb::TableFunction function(function_name, {duckdb::LogicalType::BIGINT}, read_picked, bind_picked, begin_reading);
  function.projection_pushdown = true;
  function.cardinality = cardinality;
  function.function_info = duckdb::make_shared_ptr<EngineInfo>(engine);
  duckdb::ExtensionLoader loader(instance, "stele");
  loader.RegisterFunction(std::move(function));
}

void set_picked_rows(ClientContext& context, std::vector<PickedRows> picked) {
  auto state = duckdb::make_shared_ptr<StatementPicks>();
  for (PickedRows& rows : picked) state->picked.push_back(std::make_shared<PickedRows>(std::move(rows)));
  context.registered_state->Remove(state_name);
  context.registered_state->Insert(state_name, std::move(state));
}

}  // namespace stele
