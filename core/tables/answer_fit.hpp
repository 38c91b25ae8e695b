// AnswerFit: makes a result small enough to read. It keeps rows whole as long as the budget lasts, cuts what is too
// wide, and remembers every cut, so that none passes in silence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "engine/engine.hpp"
#include "engine/limits.hpp"

namespace stele {

class AnswerFit {
 public:
  AnswerFit(const std::vector<ResultColumn>& columns, std::uint64_t row_limit, const Limits& limits);

  // Takes the row, or returns false: it is one too many, and no more need be read.
  bool take(const Cursor& cursor, std::size_t row);

  // {"notice"?, "columns", "rows", "row_count", "truncated", "cut"?}. Once, at the end.
  Json answer();

 private:
  enum class RowsCut { none, by_limit, by_bytes };
  struct CellCut {
    std::size_t row;  // from 1
    std::string column;
    std::size_t chars;
  };

  Json fitted(Json cell, const std::string& column);
  std::string notice() const;
  Json cuts() const;

  static constexpr std::size_t cell_cuts_named = 20;
  const Limits& limits_;
  const std::uint64_t row_limit_;
  const std::size_t columns_all_;
  Json columns_ = Json::array();  // those that are shown, the first of all
  std::size_t cell_chars_ = 0;
  std::uint64_t bytes_ = 0;
  Json rows_ = Json::array();
  RowsCut rows_cut_ = RowsCut::none;
  std::vector<CellCut> cell_cuts_;
  std::vector<CellCut> row_cuts_;  // of the row being taken
};

// The first `chars` characters of UTF-8 text.
std::string first_chars(const std::string& text, std::size_t chars);
std::size_t count_chars(const std::string& text);

}  // namespace stele
