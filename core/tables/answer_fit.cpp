#include "tables/answer_fit.hpp"

#include <algorithm>

namespace stele {
namespace {

constexpr std::size_t cell_chars_min = 20;

bool begins_char(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

std::string written(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::size_t count_chars(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_char));
}

std::string first_chars(const std::string& text, std::size_t chars) {
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end)
    if (begins_char(text[end]) && seen++ == chars) break;
  return text.substr(0, end);
}

AnswerFit::AnswerFit(const std::vector<ResultColumn>& columns, std::uint64_t row_limit, const Limits& limits)
    : limits_(limits), row_limit_(std::min(row_limit, limits.answer_rows_max)), columns_all_(columns.size()) {
  for (const auto& column : columns) {
    Json shown = Json::object();
    shown["name"] = column.name;
    shown["type"] = column.type;
    bytes_ += written(shown).size() + 1;
    if (!columns_.empty() && bytes_ > limits.answer_bytes / 2) break;
    columns_.push_back(std::move(shown));
  }
  // So narrow that one row always fits beside the columns.
  cell_chars_ = columns_.empty() ? limits.answer_cell_chars : limits.answer_bytes / (2 * columns_.size());
  cell_chars_ = std::min<std::size_t>(limits.answer_cell_chars, std::max(cell_chars_min, cell_chars_));
}

Json AnswerFit::fitted(Json cell, const std::string& column) {
  if (!cell.is_string() && !cell.is_structured()) return cell;
  std::string text = cell.is_string() ? cell.get<std::string>() : written(cell);
  if (text.size() <= cell_chars_) return cell;
  const std::size_t chars = count_chars(text);
  if (chars <= cell_chars_) return cell;
  row_cuts_.push_back({rows_.size() + 1, column, chars});
  return first_chars(text, cell_chars_) + "…";
}

bool AnswerFit::take(const Cursor& cursor, std::size_t row) {
  if (rows_.size() >= row_limit_) {
    rows_cut_ = RowsCut::by_limit;
    return false;
  }
  Json cells = Json::array();
  std::uint64_t row_bytes = 0;
  row_cuts_.clear();
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    cells.push_back(fitted(cursor.json(row, column), cursor.columns()[column].name));
    row_bytes += written(cells.back()).size() + 1;
  }
  if (!rows_.empty() && bytes_ + row_bytes > limits_.answer_bytes) {
    rows_cut_ = RowsCut::by_bytes;
    return false;
  }
  bytes_ += row_bytes;
  rows_.push_back(std::move(cells));
  cell_cuts_.insert(cell_cuts_.end(), row_cuts_.begin(), row_cuts_.end());
  return true;
}

std::string AnswerFit::notice() const {
  std::string text;
  const std::string shown = std::to_string(rows_.size()) + (rows_.size() == 1 ? " row is" : " rows are");
  if (rows_cut_ == RowsCut::by_limit)
    text += "Cut at the limit: " + shown + " answered and there are more. Count, sum and group in SQL; " +
            (row_limit_ < limits_.answer_rows_max
                 ? "raise limit (at most " + std::to_string(limits_.answer_rows_max) + ") to see more; "
                 : std::string("read on with ORDER BY, LIMIT and OFFSET; ")) +
            "save_as keeps the whole result as a table. ";
  if (rows_cut_ == RowsCut::by_bytes)
    text += "Cut by size: " + shown + " answered, more would not fit into " +
            std::to_string(limits_.answer_bytes >> 10) +
            " KB. Count, sum and group in SQL; select fewer or shorter columns, or read on with ORDER BY, LIMIT and "
            "OFFSET; "
            "save_as keeps the whole result as a table. ";
  if (columns_.size() < columns_all_)
    text += "Cut by size: only the first " + std::to_string(columns_.size()) + " of " + std::to_string(columns_all_) +
            " columns are answered. Select the columns you need by name. ";
  if (!cell_cuts_.empty()) {
    const auto& first = cell_cuts_.front();
    text += "Cut by size: " + std::to_string(cell_cuts_.size()) + (cell_cuts_.size() == 1 ? " cell is" : " cells are") +
            " cut to " + std::to_string(cell_chars_) + " characters, ending in … (first: row " +
            std::to_string(first.row) + ", column \"" + first.column + "\", of " + std::to_string(first.chars) +
            " characters). Read a long cell in parts with " + "substr(column, from, count), and length(column). ";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

Json AnswerFit::cuts() const {
  Json cut = Json::object();
  if (rows_cut_ != RowsCut::none) cut["rows"] = rows_cut_ == RowsCut::by_limit ? "limit" : "size";
  if (columns_.size() < columns_all_) cut["columns_left_out"] = columns_all_ - columns_.size();
  if (cell_cuts_.empty()) return cut;
  cut["cells"] = cell_cuts_.size();
  cut["first_cells"] = Json::array();
  for (std::size_t i = 0; i < std::min(cell_cuts_.size(), cell_cuts_named); ++i) {
    Json named = Json::object();
    named["row"] = cell_cuts_[i].row;
    named["column"] = cell_cuts_[i].column;
    named["chars"] = cell_cuts_[i].chars;
    cut["first_cells"].push_back(std::move(named));
  }
  return cut;
}

Json AnswerFit::answer() {
  Json answer = Json::object();
  Json cut = cuts();
  if (!cut.empty()) answer["notice"] = notice();
  answer["columns"] = std::move(columns_);
  const std::size_t row_count = rows_.size();
  answer["rows"] = std::move(rows_);
  answer["row_count"] = row_count;
  answer["truncated"] = !cut.empty();
  if (!cut.empty()) answer["cut"] = std::move(cut);
  return answer;
}

}  // namespace stele
