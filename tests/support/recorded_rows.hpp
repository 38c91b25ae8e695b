// RecordedRows: a RowBuffer that keeps what was set as text, so that a test sees it. It checks nothing an engine would.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "tables/row_source.hpp"

namespace stele::testing {

class RecordedRows : public RowBuffer {
 public:
  explicit RecordedRows(std::size_t columns) : row_(columns, "NULL"), columns_(columns) {}

  std::vector<std::vector<std::string>> recorded;  // NULL where nothing was set; text in 'quotes', all else bare

  void set_bool(std::size_t column, bool value) override { row_.at(column) = value ? "true" : "false"; }
  void set_int64(std::size_t column, std::int64_t value) override { row_.at(column) = std::to_string(value); }
  void set_float64(std::size_t column, double value) override { row_.at(column) = Json(value).dump(); }
  void set_text(std::size_t column, std::string_view utf8) override { row_.at(column) = "'" + std::string(utf8) + "'"; }
  void set_date(std::size_t column, std::int32_t days) override { row_.at(column) = "day " + std::to_string(days); }
  void set_micros(std::size_t column, std::int64_t micros) override {
    row_.at(column) = "µs " + std::to_string(micros);
  }
  bool set_cast(std::size_t column, std::string_view utf8) override {
    row_.at(column) = "cast " + std::string(utf8);
    return true;
  }

  void end_row() override {
    recorded.push_back(row_);
    row_.assign(columns_, "NULL");
    ++rows_;
  }
  std::size_t rows() const override { return rows_; }
  void clear() override { rows_ = 0; }

 private:
  std::vector<std::string> row_;
  std::size_t columns_;
  std::size_t rows_ = 0;
};

// All rows of a source, delivered as its own types or those given.
inline std::vector<std::vector<std::string>> rows_of(RowSource& source, std::vector<std::string> types = {}) {
  if (types.empty()) {
    for (const auto& column : source.columns()) types.push_back(column.type);
  }
  RecordedRows rows(types.size());
  source.rewind(types);
  while (source.fill(rows)) rows.clear();
  return rows.recorded;
}

// The cells of one column.
inline std::vector<std::string> column_of(RowSource& source, const std::string& name) {
  std::size_t at = 0;
  while (at < source.columns().size() && source.columns()[at].name != name) ++at;
  std::vector<std::string> cells;
  for (const auto& row : rows_of(source)) cells.push_back(row.at(at));
  return cells;
}

inline std::vector<std::string> types_of(const RowSource& source) {
  std::vector<std::string> types;
  for (const auto& column : source.columns()) types.push_back(column.type);
  return types;
}

inline std::vector<std::string> names_of(const RowSource& source) {
  std::vector<std::string> names;
  for (const auto& column : source.columns()) names.push_back(column.name);
  return names;
}

// The first warning of a kind, of a column if one is named; an empty one if there is none.
inline Warning warning_of(const RowSource& source, const std::string& kind, const std::string& column = "") {
  for (const auto& warning : source.warnings()) {
    if (warning.kind == kind && (column.empty() || warning.column == column)) return warning;
  }
  return {};
}

}  // namespace stele::testing
