#include "tables/record_source.hpp"

#include <utility>

namespace stele {
namespace {

constexpr std::uint64_t slice_work = 1 << 20;

Progress progress_of(std::uint64_t done, std::uint64_t total, const char* what) {
  return {static_cast<double>(done), static_cast<double>(total), what};
}

}  // namespace

void Observed::observe(std::span<const Cell> cells, std::uint64_t row) {
  if (cells.size() > columns.size()) columns.resize(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].holds_value()) columns[i].observe(classify(cells[i]), cells[i].text, row);
  }
}

void Observed::observe(std::span<const Cell> cells, std::uint64_t row, EagerRows& eager) {
  if (cells.size() > columns.size()) columns.resize(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].holds_value()) columns[i].observe(eager.take(i, cells[i]), cells[i].text, row);
  }
  eager.end_row(cells.size());
}

Task<Observed> observe_all(RecordReader& reader, std::uint64_t work_total, EagerRows* eager) {
  Observed observed;
  std::uint64_t slice_begin = 0;
  reader.rewind();
  while (reader.next()) {
    ++observed.rows;
    if (eager && eager->goes_on()) {
      observed.observe(reader.cells(), observed.rows, *eager);
    } else {
      observed.observe(reader.cells(), observed.rows);
    }
    const auto done = reader.work_done();
    if (done - slice_begin >= slice_work) {
      slice_begin = done;
      co_await end_slice(progress_of(done, work_total, "looking at the values"));
    }
  }
  observed.malformed = reader.malformed_rows();
  co_return observed;
}

void tell_of_malformed(const Observed& observed, Json& facts, std::vector<Warning>& warnings) {
  const auto& malformed = observed.malformed;
  facts["rows_stored"] = observed.rows;
  facts["rows_skipped"] = malformed.count;
  if (malformed.count == 0) return;
  facts["malformed_rows"] = malformed.to_json();
  const auto& first = malformed.first.front();
  warnings.push_back({"rows_skipped",
                      std::to_string(malformed.count) + (malformed.count == 1 ? " row is" : " rows are") +
                          " malformed and left out, the first on line " + std::to_string(first.line) + ", which " +
                          first.problem + ".",
                      "",
                      {},
                      {},
                      malformed.count});
}

std::vector<PlacedColumn> placed(const std::vector<std::string>& names, const RuledReader& reader,
                                 std::vector<Warning>& warnings) {
  std::vector<PlacedColumn> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back({names[i], i});
    if (!reader.rules) continue;
    if (auto warning = reader.rules->nulls_made(i, names[i])) warnings.push_back(std::move(*warning));
  }
  return columns;
}

RecordSource::RecordSource(std::unique_ptr<RecordReader> reader, Observed observed, std::vector<PlacedColumn> columns,
                           TypingRules rules, std::vector<Warning> warnings, Json facts, std::uint64_t work_total,
                           std::unique_ptr<EagerRows> eager)
    : reader_(std::move(reader)),
      observed_(std::move(observed)),
      places_(std::move(columns)),
      warnings_(std::move(warnings)),
      facts_(std::move(facts)),
      work_total_(work_total),
      eager_(std::move(eager)) {
  Json nulls = Json::object();
  for (const auto& place : places_) {
    if (place.position >= observed_.columns.size()) observed_.columns.resize(place.position + 1);
    const auto& typing = observed_.columns[place.position];
    auto found = typing.finding(place.name, rules);
    // Quoted empty text is text in a text column and no value in any other.
    const auto values = typing.values() - (found.type == "VARCHAR" ? 0 : typing.count(ValueClass::quoted_empty));
    const auto null_count = observed_.rows - values;
    columns_.push_back({place.name, found.type, null_count, values == 0});
    if (found.type == "VARCHAR") columns_.back().would_lose = typing.losses();
    date_orders_.push_back(found.date_order);
    if (null_count) nulls[place.name] = null_count;
    for (auto& warning : found.warnings) warnings_.push_back(std::move(warning));
  }
  facts_["rows_read"] = observed_.rows + observed_.malformed.count;
  if (!nulls.empty()) facts_["nulls"] = std::move(nulls);
}

Cell RecordSource::cell_of(std::span<const Cell> cells, std::size_t column) const {
  const auto position = places_[column].position;
  return position < cells.size() ? cells[position] : Cell{};
}

Task<std::optional<RowSource::Misfit>> RecordSource::misfit(std::size_t column, std::string type) {
  if (type == "VARCHAR" || type == columns_[column].type) co_return std::optional<Misfit>{};
  // The first value of each class is known from the first pass.
  if (const auto types = type_bits(type)) co_return observed_.columns[places_[column].position].first_beyond(types);
  const ColumnType wanted(type);
  std::uint64_t slice_begin = 0;
  reader_->rewind();
  for (std::uint64_t row = 1; reader_->next(); ++row) {
    const auto value = cell_of(reader_->cells(), column);
    if (value.holds_value() && !wanted.holds(value)) co_return Misfit{std::string(value.text.substr(0, 100)), row};
    const auto done = reader_->work_done();
    if (done - slice_begin >= slice_work) {
      slice_begin = done;
      co_await end_slice(progress_of(done, work_total_, "comparing the values with the table"));
    }
  }
  co_return std::optional<Misfit>{};
}

std::optional<StagedSegment> RecordSource::take_written(const std::vector<Column>& columns) {
  const auto eager = std::exchange(eager_, nullptr);
  // A column of the type that the rule found is written as that; one of another type would be read by other rules.
  for (std::size_t i = 0; eager && i < columns.size(); ++i) {
    if (columns[i].type != columns_[i].type || date_orders_[i] != DateOrder::iso) return {};
  }
  return eager ? eager->finish(columns) : std::nullopt;
}

void RecordSource::rewind(std::vector<std::string> types) {
  require(types.size() == columns_.size(), "a source is rewound with a type for each column");
  types_.clear();
  for (std::size_t i = 0; i < types.size(); ++i) {
    types_.emplace_back(types[i], types[i] == columns_[i].type ? date_orders_[i] : DateOrder::iso);
  }
  reader_->rewind();
}

bool RecordSource::fill(RowBuffer& buffer) {
  require(types_.size() == columns_.size(), "a source is rewound before it is read");
  left_out_.clear();
  std::size_t row = 0;
  while (!buffer.full() && reader_->next()) {
    const auto cells = reader_->cells();
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const auto value = cell_of(cells, i);
      if (value.holds_value()) {
        types_[i].deliver(value, buffer, i);
      } else if (value.kind == CellKind::absent) {
        left_out_.resize(RowBuffer::capacity * types_.size());
        left_out_[row * types_.size() + i] = true;
      }
    }
    buffer.end_row();
    ++row;
  }
  return row > 0;
}

bool RecordSource::left_out(std::size_t row, std::size_t column) const {
  return !left_out_.empty() && left_out_[row * columns_.size() + column];
}

}  // namespace stele
