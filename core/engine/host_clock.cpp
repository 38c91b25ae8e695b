#include "engine/host_clock.hpp"

#include "duckdb/common/types/date.hpp"
#include "duckdb/common/types/timestamp.hpp"
#include "duckdb/parser/expression/constant_expression.hpp"

namespace stele {

using duckdb::ConstantExpression;
using duckdb::make_uniq;
using duckdb::timestamp_t;
using duckdb::Value;

duckdb::unique_ptr<duckdb::ParsedExpression> HostClock::constant_for(std::string_view function_name) const {
  const timestamp_t now(now_micros_);
  if (function_name == "now" || function_name == "get_current_timestamp" || function_name == "transaction_timestamp") {
    return make_uniq<ConstantExpression>(Value::TIMESTAMPTZ(duckdb::timestamp_tz_t(now_micros_)));
  }
  if (function_name == "today" || function_name == "current_date") {
    return make_uniq<ConstantExpression>(Value::DATE(duckdb::Timestamp::GetDate(now)));
  }
  if (function_name == "get_current_time") {
    return make_uniq<ConstantExpression>(Value::TIMETZ(duckdb::dtime_tz_t(duckdb::Timestamp::GetTime(now), 0)));
  }
  if (function_name == "current_localtime") {
    return make_uniq<ConstantExpression>(Value::TIME(duckdb::Timestamp::GetTime(now)));
  }
  if (function_name == "current_localtimestamp") return make_uniq<ConstantExpression>(Value::TIMESTAMP(now));
  return nullptr;
}

std::string_view HostClock::function_of_keyword(std::string_view word) {
  if (word == "current_timestamp") return "get_current_timestamp";
  if (word == "current_date") return "current_date";
  if (word == "current_time") return "get_current_time";
  if (word == "localtime") return "current_localtime";
  if (word == "localtimestamp") return "current_localtimestamp";
  return {};
}

duckdb::unique_ptr<duckdb::ParsedExpression> HostClock::midnight() const {
  const auto today = duckdb::Timestamp::GetDate(timestamp_t(now_micros_));
  return make_uniq<ConstantExpression>(Value::TIMESTAMP(duckdb::Timestamp::FromDatetime(today, duckdb::dtime_t(0))));
}

}  // namespace stele
