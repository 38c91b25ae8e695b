#include "engine/stored_type.hpp"

#include "duckdb/common/types/interval.hpp"
#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "duckdb/function/cast/cast_function_set.hpp"
#include "duckdb/planner/expression/bound_cast_expression.hpp"
#include "engine/logical_type.hpp"

namespace stele {

namespace {

using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::Vector;

// The names are unlike those a caller would choose, so that no other struct is ever taken for an interval.
LogicalType interval_struct() {
  return LogicalType::STRUCT({{"interval_months", LogicalType::INTEGER},
                              {"interval_days", LogicalType::INTEGER},
                              {"interval_micros", LogicalType::BIGINT}});
}

bool interval_to_struct(Vector& source, Vector& result, idx_t count, duckdb::CastParameters&) {
  duckdb::UnifiedVectorFormat format;
  source.ToUnifiedFormat(count, format);
  const auto* intervals = duckdb::UnifiedVectorFormat::GetData<duckdb::interval_t>(format);
  result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  auto& fields = duckdb::StructVector::GetEntries(result);
  auto* months = duckdb::FlatVector::GetData<int32_t>(*fields[0]);
  auto* days = duckdb::FlatVector::GetData<int32_t>(*fields[1]);
  auto* micros = duckdb::FlatVector::GetData<int64_t>(*fields[2]);
  for (idx_t row = 0; row < count; ++row) {
    const auto at = format.sel->get_index(row);
    if (!format.validity.RowIsValid(at)) {
      duckdb::FlatVector::SetNull(result, row, true);
      continue;
    }
    months[row] = intervals[at].months;
    days[row] = intervals[at].days;
    micros[row] = intervals[at].micros;
  }
  return true;
}

bool struct_to_interval(Vector& source, Vector& result, idx_t count, duckdb::CastParameters&) {
  source.Flatten(count);
  auto& fields = duckdb::StructVector::GetEntries(source);
  const auto* months = duckdb::FlatVector::GetData<int32_t>(*fields[0]);
  const auto* days = duckdb::FlatVector::GetData<int32_t>(*fields[1]);
  const auto* micros = duckdb::FlatVector::GetData<int64_t>(*fields[2]);
  result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  auto* intervals = duckdb::FlatVector::GetData<duckdb::interval_t>(result);
  for (idx_t row = 0; row < count; ++row) {
    if (duckdb::FlatVector::IsNull(source, row)) {
      duckdb::FlatVector::SetNull(result, row, true);
    } else {
      intervals[row] = {months[row], days[row], micros[row]};
    }
  }
  return true;
}

// For a column that was an interval when the segment was written and is text now.
bool struct_to_text(Vector& source, Vector& result, idx_t count, duckdb::CastParameters& parameters) {
  Vector intervals(LogicalType::INTERVAL, count);
  struct_to_interval(source, intervals, count, parameters);
  duckdb::VectorOperations::DefaultCast(intervals, result, count);
  return true;
}

duckdb::CastFunctionSet& casts() {
  static duckdb::CastFunctionSet set = [] {
    duckdb::CastFunctionSet made;
    made.RegisterCastFunction(LogicalType::INTERVAL, interval_struct(), interval_to_struct);
    made.RegisterCastFunction(interval_struct(), LogicalType::INTERVAL, struct_to_interval);
    made.RegisterCastFunction(interval_struct(), LogicalType::VARCHAR, struct_to_text);
    return made;
  }();
  return set;
}

}  // namespace

LogicalType stored_type(const LogicalType& logical, StoredForm form) {
  const bool as_text = form == StoredForm::text;
  return map_type(logical, [as_text](const LogicalType& type) -> LogicalType {
    switch (type.id()) {
      case LogicalTypeId::HUGEINT:
        return as_text ? LogicalType::VARCHAR : LogicalType::DECIMAL(38, 0);
      case LogicalTypeId::TIMESTAMP_SEC:
      case LogicalTypeId::TIMESTAMP_MS:
        return as_text ? LogicalType::VARCHAR : LogicalType::TIMESTAMP;
      case LogicalTypeId::UHUGEINT:
      case LogicalTypeId::BIGNUM:
      case LogicalTypeId::BIT:
      case LogicalTypeId::TIME_TZ:
      case LogicalTypeId::TIME_NS:
      case LogicalTypeId::ENUM:
        return LogicalType::VARCHAR;
      case LogicalTypeId::INTERVAL:
        return interval_struct();
      case LogicalTypeId::ARRAY:
        return LogicalType::LIST(duckdb::ArrayType::GetChildType(type));
      default:
        return type;
    }
  });
}

duckdb::BoundCastInfo stored_cast(duckdb::ClientContext& context, const LogicalType& from, const LogicalType& to) {
  duckdb::GetCastFunctionInput input(context);
  return casts().GetCastFunction(from, to, input);
}

bool cast_vector(duckdb::ClientContext& context, const duckdb::BoundCastInfo& cast, duckdb::Vector& from,
                 duckdb::Vector& into, duckdb::idx_t count) {
  duckdb::CastLocalStateParameters state_parameters(context, cast.cast_data.get());
  const auto state = cast.init_local_state ? cast.init_local_state(state_parameters) : nullptr;
  std::string refusal;
  const bool strict = true;
  duckdb::CastParameters parameters(cast.cast_data.get(), strict, &refusal, state.get());
  return cast.function(from, into, count, parameters);
}

duckdb::unique_ptr<duckdb::Expression> read_stored(duckdb::ClientContext& context,
                                                   duckdb::unique_ptr<duckdb::Expression> value,
                                                   const LogicalType& logical) {
  if (value->return_type == logical) return value;
  auto cast = stored_cast(context, value->return_type, logical);
  return duckdb::make_uniq<duckdb::BoundCastExpression>(std::move(value), logical, std::move(cast));
}

}  // namespace stele
