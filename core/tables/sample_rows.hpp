// SampleRows: the first rows of a source as answers show them, taken through the same delivery as a segment's. For the
// types that typing gives; it stores nothing.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "engine/engine.hpp"
#include "tables/row_source.hpp"

namespace stele {

class SampleRows : public RowBuffer {
 public:
  // Of the first `columns` columns of a source with these types, `rows_max` rows.
  SampleRows(const std::vector<SourceColumn>& types, std::size_t columns, std::size_t rows_max);

  // A list of rows, each a list of cells; text cut after a hundred characters ends in "…". Rows
  // that are wide are fewer.
  Json take() { return std::move(rows_); }

  void set_bool(std::size_t column, bool value) override { set(column, value); }
  void set_int64(std::size_t column, std::int64_t value) override;
  void set_float64(std::size_t column, double value) override { set(column, value); }
  void set_text(std::size_t column, std::string_view utf8) override;
  void set_date(std::size_t column, std::int32_t days) override;
  void set_micros(std::size_t column, std::int64_t micros) override;
  bool set_cast(std::size_t column, std::string_view utf8) override;
  void end_row() override;
  std::size_t rows() const override { return rows_.size(); }
  bool full() const override;
  void clear() override { rows_ = Json::array(); }

 private:
  void set(std::size_t column, Json value) {
    if (column < columns_) row_[column] = std::move(value);
  }

  std::vector<std::string> types_;
  std::size_t columns_, rows_max_;
  std::size_t bytes_ = 0;
  Json row_, rows_ = Json::array();
};

}  // namespace stele
