// source_of_rows: the rows of a call, which are JSON already.
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "tables/column_names.hpp"
#include "tables/importer.hpp"
#include "tables/record_source.hpp"

namespace stele {
namespace {

// Reads objects held in memory as records; columns in the order in which their keys first appear.
class ObjectReader : public RecordReader {
 public:
  explicit ObjectReader(Json rows) : rows_(std::move(rows)) {
    for (const auto& row : rows_) {
      for (const auto& member : row.items()) {
        if (positions_.emplace(member.key(), keys_.size()).second) keys_.push_back(member.key());
      }
    }
    cells_.resize(keys_.size());
    texts_.resize(keys_.size());
  }

  const std::vector<std::string>& keys() const { return keys_; }

  void rewind() override { at_ = 0; }

  bool next() override {
    if (at_ == rows_.size()) return false;
    cells_.assign(keys_.size(), Cell{});
    for (const auto& member : rows_[at_].items()) set(positions_.at(member.key()), member.value());
    ++at_;
    return true;
  }

  std::span<const Cell> cells() const override { return cells_; }
  std::uint64_t work_done() const override { return at_ * keys_.size() * 16; }

 private:
  void set(std::size_t position, const Json& value) {
    auto& cell = cells_[position];
    if (value.is_null()) {
      cell.kind = CellKind::null;
    } else if (value.is_string()) {
      cell = {CellKind::text, value.get_ref<const std::string&>()};
    } else {
      texts_[position] = value.dump();
      cell = {value.is_number()    ? CellKind::number
              : value.is_boolean() ? CellKind::boolean
                                   : CellKind::nested,
              texts_[position]};
    }
  }

  Json rows_;
  std::vector<std::string> keys_;
  std::unordered_map<std::string, std::size_t> positions_;
  std::vector<Cell> cells_;
  std::vector<std::string> texts_;  // of cells that are not strings
  std::size_t at_ = 0;
};

void check_rows(const Json& rows) {
  const char* hint = "Send rows as a list of objects, one object a row: [{\"name\": \"Ada\", \"age\": 36}].";
  if (!rows.is_array()) throw Error("invalid_rows", std::string("rows is ") + rows.type_name() + ", not a list.", hint);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto number = std::to_string(i + 1);
    if (!rows[i].is_object())
      throw Error("invalid_rows", "Row " + number + " is " + rows[i].type_name() + ", not an object.", hint);
    for (const auto& member : rows[i].items()) {
      try {
        (void)member.value().dump();
        (void)Json(member.key()).dump();
      } catch (const Json::exception&) {
        throw Error("invalid_rows",
                    "Row " + number + ", column " + in_quotes(member.key()) + " holds text that is not UTF-8.",
                    "Send text as UTF-8.");
      }
    }
  }
}

// Whole numbers past 2^53 that came as doubles: their last digits may have been lost before they came here.
void warn_of_doubts(const Json& rows, const std::vector<std::string>& keys, const std::vector<std::string>& names,
                    std::vector<Warning>& warnings) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Warning warning{"digits_in_doubt", "", names[i], {}, {}, 0};
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto found = rows[row].find(keys[i]);
      if (found == rows[row].end() || !found->is_number_float()) continue;
      const auto number = found->get<double>();
      if (std::fabs(number) < 9007199254740992.0 || number != std::floor(number)) continue;
      if (!warning.value) warning.value = found->dump(), warning.row = row + 1;
      ++*warning.count;
    }
    if (!warning.value) continue;
    warning.message = "Column " + in_quotes(names[i]) + " has numbers past 2^53, such as " + *warning.value +
                      " in row " + std::to_string(*warning.row) +
                      ", whose last digits may have been lost on the way; send such ids as strings.";
    warnings.push_back(std::move(warning));
  }
}

}  // namespace

std::unique_ptr<RowSource> source_of_rows(const Json& rows) {
  check_rows(rows);
  auto reader = std::make_unique<ObjectReader>(rows);
  std::vector<Warning> warnings;
  const auto names = column_names(reader->keys(), warnings);
  warn_of_doubts(rows, reader->keys(), names, warnings);
  std::vector<PlacedColumn> columns;
  for (std::size_t i = 0; i < names.size(); ++i) columns.push_back({names[i], i});
  auto observed = run_to_end(observe_all(*reader, 0));
  return std::make_unique<RecordSource>(std::move(reader), std::move(observed), std::move(columns), TypingRules{},
                                        std::move(warnings), Json::object(), 0);
}

}  // namespace stele
