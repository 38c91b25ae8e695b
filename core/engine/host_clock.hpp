// The clock that SQL sees: now(), current_date and their like as constants of the moment that the host told, in UTC, so
// that one statement means one moment and the engine's own clock is never asked.
#pragma once

#include <cstdint>
#include <string_view>

#include "duckdb/parser/parsed_expression.hpp"

namespace stele {

class HostClock {
 public:
  explicit HostClock(std::int64_t now_ms) : now_micros_(now_ms * 1000) {}

  // The constant that stands for a function without arguments such as now(); null if the function is not of the clock.
  duckdb::unique_ptr<duckdb::ParsedExpression> constant_for(std::string_view function_name) const;
  // The function that SQL also calls without brackets, such as CURRENT_DATE; empty if the word is no such keyword.
  static std::string_view function_of_keyword(std::string_view lower_case_word);
  // Midnight before now, from which age(timestamp) counts.
  duckdb::unique_ptr<duckdb::ParsedExpression> midnight() const;

 private:
  std::int64_t now_micros_;
};

}  // namespace stele
