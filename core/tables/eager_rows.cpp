#include "tables/eager_rows.hpp"

#include "tables/plain_values.hpp"
#include "tables/typing.hpp"

namespace stele {

EagerRows::EagerRows(Engine& engine, Blobs& blobs, std::vector<std::string> types) : blobs_(blobs) {
  const auto kind_of = [](const std::string& type) {
    if (type == "VARCHAR") return Kind::text;
    if (type == "BIGINT") return Kind::integer;
    if (type == "DOUBLE") return Kind::number;
    if (type == "BOOLEAN") return Kind::boolean;
    if (type == "DATE") return Kind::date;
    return type == "TIMESTAMP" ? Kind::timestamp : Kind::other;
  };
  for (auto& type : types) {
    targets_.push_back({ColumnType(type), kind_of(type), type_bits(type)});
    // The ids that a new table gives its columns.
    columns_.push_back({static_cast<int>(columns_.size()) + 1, "", std::move(type)});
  }
  writer_ = engine.write(columns_);
  buffer_ = writer_->buffer();
}

ValueClass EagerRows::take(std::size_t column, const Cell& cell) {
  auto value_class = ValueClass::text;
  if (column >= targets_.size()) {
    broken_ = true;
    return classify(cell);
  }
  const auto& target = targets_[column];
  const bool written = cell.kind == CellKind::bare || cell.kind == CellKind::quoted;
  if (target.kind == Kind::text) {
    buffer_->set_text(column, cell.text);
    return written && is_plain_text(cell.text) ? ValueClass::text : classify(cell);
  }
  if (written && take_plain(column, cell.text, value_class)) return value_class;
  value_class = classify(cell);
  if (traits(value_class).types & target.types) {
    target.type.deliver(cell, *buffer_, column);
  } else {
    broken_ = true;
  }
  return value_class;
}

// The spellings that most values have.
bool EagerRows::take_plain(std::size_t column, std::string_view text, ValueClass& value_class) {
  switch (targets_[column].kind) {
    case Kind::integer:
      if (const auto value = plain_integer(text)) {
        value_class = ValueClass::integer;
        return buffer_->set_int64(column, *value), true;
      }
      return false;
    case Kind::number:
      if (const auto number = plain_double(text)) {
        value_class = number->integer ? ValueClass::integer : ValueClass::decimal;
        return buffer_->set_float64(column, number->value), true;
      }
      return false;
    case Kind::boolean:
      if (text == "true" || text == "false") {
        value_class = ValueClass::bool_lower;
        return buffer_->set_bool(column, text == "true"), true;
      }
      return false;
    case Kind::date:
      if (const auto days = plain_date(text)) {
        value_class = ValueClass::date;
        return buffer_->set_date(column, *days), true;
      }
      return false;
    case Kind::timestamp:
      if (const auto micros = plain_timestamp(text)) {
        value_class = ValueClass::timestamp;
        return buffer_->set_micros(column, *micros), true;
      }
      return false;
    default:
      return false;
  }
}

void EagerRows::end_row(std::size_t cells) {
  // A row that leaves columns out has more to tell than its cells.
  if (broken_ || cells < targets_.size()) return give_up();
  buffer_->end_row();
  if (!buffer_->full()) return;
  writer_->append(*buffer_);
  buffer_->clear();
}

void EagerRows::give_up() {
  buffer_.reset();
  writer_.reset();
}

std::optional<StagedSegment> EagerRows::finish(const std::vector<Column>& columns) {
  bool as_wanted = goes_on() && columns.size() == columns_.size();
  for (std::size_t i = 0; as_wanted && i < columns.size(); ++i) {
    as_wanted = columns[i].id == columns_[i].id && columns[i].type == columns_[i].type;
  }
  std::optional<StagedSegment> segment;
  if (as_wanted) {
    writer_->append(*buffer_);
    segment.emplace(blobs_, writer_->finish());
  }
  give_up();
  return segment;
}

}  // namespace stele
