#include "tables/profile.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "tables/answer_fit.hpp"
#include "tables/column_profile.hpp"

namespace stele {
namespace {

// How much is looked at and told.
struct Extent {
  std::size_t columns;  // profiled; the rest are counted
  std::size_t paired;   // numeric columns among which pairs are sought
  std::size_t pairs_told;
  std::size_t top;
  std::size_t value_chars;
  std::size_t first_rows;
  std::size_t first_rows_bytes;
};
constexpr Extent concise_extent = {100, 30, 10, 3, 30, 3, 1'200};
constexpr Extent full_extent = {200, 40, 50, 10, 100, 5, 10'000};

constexpr std::size_t batch_columns_max = 50, batch_columns_min = 5;  // of one statement
constexpr std::uint64_t batch_column_bytes = 4 << 20;                 // of the engine's memory, for distinct values
constexpr std::size_t batch_pairs = 200;
constexpr std::uint64_t exact_cells_max = 4'000'000;  // up to which distinct values are counted, not estimated
constexpr std::uint64_t counted_values_max = 200;     // distinct values up to which all are counted in the batch
constexpr std::size_t grouped_columns_max = 10;       // with more distinct values, by a statement each
constexpr std::uint64_t sample_rows = 100'000;        // for pairs
constexpr std::size_t buckets = 10;
constexpr double told_r_min = 0.1;

std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + "\"";
}

std::string literal(double value) { return "(" + Json(value).dump() + ")::DOUBLE"; }

// The column, without values that are no finite numbers. Not by a FILTER, for each of which the engine copies what all
// aggregates of a statement are given.
std::string finite(const Column& column) {
  const std::string name = quoted_name(column.name);
  return is_float_type(column.type) ? "CASE WHEN isfinite(" + name + ") THEN " + name + " END" : name;
}

// A select list being written, and its answer being read, in the same order.
class Asked {
 public:
  void add(const std::string& expression) { list_ += (list_.empty() ? "" : ", ") + expression; }
  bool empty() const { return list_.empty(); }
  const std::string& list() const { return list_; }

  void set_answer(Json row) { row_ = std::move(row); }
  Json next() { return std::move(row_[read_++]); }
  std::uint64_t next_count() { return next().get<std::uint64_t>(); }
  std::optional<double> next_number() {
    const Json value = next();
    if (!value.is_number()) return {};
    return value.get<double>();
  }

 private:
  std::string list_;
  Json row_;
  std::size_t read_ = 0;
};

class Profiler {
 public:
  Profiler(Engine& engine, SnapshotPtr snapshot, Detail detail, const Limits& limits)
      : engine_(engine),
        snapshot_(std::move(snapshot)),
        batch_columns_(std::clamp<std::size_t>(static_cast<std::size_t>(limits.memory_bytes / batch_column_bytes),
                                               batch_columns_min, batch_columns_max)),
        full_(detail == Detail::full),
        extent_(full_ ? full_extent : concise_extent) {
    const std::size_t count = std::min(snapshot_->columns.size(), extent_.columns);
    const std::uint64_t rows = snapshot_->rows();
    for (std::size_t i = 0; i < count; ++i) {
      ColumnProfile profiled;
      profiled.column = snapshot_->columns[i];
      profiled.kind = value_kind(profiled.column.type);
      profiled.rows = rows;
      profiled.distinct_exact = rows * count <= exact_cells_max;
      columns_.push_back(std::move(profiled));
    }
  }

  Task<Json> run(std::map<int, std::string> descriptions) {
    for (std::size_t from = 0; from < columns_.size(); from += batch_columns_) {
      const std::size_t to = std::min(columns_.size(), from + batch_columns_);
      Task<bool> measuring = measure(from, to);
      co_await std::move(measuring);
      Task<bool> counting = count_values(from, to);
      co_await std::move(counting);
    }
    Task<bool> grouping = group_values();
    co_await std::move(grouping);
    Task<Json> reading = first_rows();
    Json rows = co_await std::move(reading);
    Task<Json> pairing = correlations();
    Json pairs = co_await std::move(pairing);

    Json answer = Json::object();
    answer["columns"] = Json::array();
    for (const auto& column : columns_)
      answer["columns"].push_back(column.to_json(extent_.top, extent_.value_chars, descriptions[column.column.id]));
    answer["first_rows"] = std::move(rows);
    answer["correlations"] = std::move(pairs);
    Json cut = left_out();
    if (!cut.empty()) answer["left_out"] = std::move(cut);
    co_return answer;
  }

 private:
  // All rows of a statement of ours; it answers few.
  Task<Json> rows_of(std::string sql) {
    std::vector<SnapshotPtr> snapshots(1, snapshot_);
    auto cursor = engine_.start_own(sql, std::move(snapshots));
    Json rows = Json::array();
    for (;;) {
      Task<bool> advancing = next_chunk(*cursor, "profiling columns");
      const bool more = co_await std::move(advancing);
      if (!more) co_return rows;
      for (std::size_t row = 0; row < cursor->row_count(); ++row) {
        Json cells = Json::array();
        for (std::size_t column = 0; column < cursor->columns().size(); ++column)
          cells.push_back(cursor->json(row, column));
        rows.push_back(std::move(cells));
      }
    }
  }

  Task<bool> answer(Asked& asked, std::string from) {
    Task<Json> reading = rows_of("SELECT " + asked.list() + " FROM " + from);
    Json rows = co_await std::move(reading);
    require(rows.size() == 1, "aggregates answer one row");
    asked.set_answer(std::move(rows[0]));
    co_return true;
  }

  Task<bool> measure(std::size_t from, std::size_t to) {
    Asked asked;
    for (std::size_t i = from; i < to; ++i) ask_measures(columns_[i], asked);
    Task<bool> answering = answer(asked, "scan(0)");
    co_await std::move(answering);
    for (std::size_t i = from; i < to; ++i) {
      take_measures(columns_[i], asked);
      columns_[i].classify();
    }
    co_return true;
  }

  void ask_measures(const ColumnProfile& of, Asked& asked) const {
    const std::string name = quoted_name(of.column.name);
    asked.add("count(" + name + ")");
    if (of.kind == ValueKind::nested) return;
    asked.add((of.distinct_exact ? "count(DISTINCT " : "approx_count_distinct(") + name + ")");
    if (of.kind == ValueKind::text) asked.add(of.column.type == "VARCHAR" ? "max(length(" + name + "))" : "0");
    if (of.kind == ValueKind::number || of.kind == ValueKind::temporal) {
      asked.add("min(" + finite(of.column) + ")");
      asked.add("max(" + finite(of.column) + ")");
    }
    if (of.kind != ValueKind::number) return;
    const std::string number = "(" + finite(of.column) + ")::DOUBLE";
    asked.add("min(" + number + ")");
    asked.add("max(" + number + ")");
    asked.add("avg(" + number + ")");
    asked.add(is_float_type(of.column.type) ? "count(CASE WHEN NOT isfinite(" + name + ") THEN 1 END)" : "0");
    if (full_) asked.add("approx_quantile(" + number + ", [0.25, 0.5, 0.75])");
  }

  void take_measures(ColumnProfile& of, Asked& asked) const {
    of.values = asked.next_count();
    if (of.kind == ValueKind::nested) return;
    of.distinct = std::min(asked.next_count(), of.values);
    if (of.kind == ValueKind::text) of.longest = static_cast<std::uint64_t>(asked.next_number().value_or(0));
    if (of.kind == ValueKind::number || of.kind == ValueKind::temporal) {
      of.least = asked.next();
      of.most = asked.next();
    }
    if (of.kind != ValueKind::number) return;
    of.low = asked.next_number().value_or(0);
    of.high = asked.next_number().value_or(0);
    of.mean = asked.next_number();
    of.not_finite = asked.next_count();
    if (!full_) return;
    const Json quartiles = asked.next();
    if (!quartiles.is_array()) return;
    of.quartiles = Json::array();
    for (const auto& value : quartiles)
      of.quartiles.push_back(value.is_number() ? rounded(value.get<double>()) : value);
  }

  static bool has_top(const ColumnProfile& of) {
    return of.values > 0 && of.column.type != "BLOB" &&
           (of.column_class == ColumnClass::categorical || of.column_class == ColumnClass::boolean ||
            of.column_class == ColumnClass::text);
  }
  static bool is_counted(const ColumnProfile& of) { return has_top(of) && of.distinct <= counted_values_max; }
  double bucket_width(const ColumnProfile& of) const {
    const double width = (of.high - of.low) / static_cast<double>(buckets);
    return full_ && of.column_class == ColumnClass::continuous && std::isfinite(width) ? width : 0;
  }

  // The most frequent values of columns that have few, and histograms.
  Task<bool> count_values(std::size_t from, std::size_t to) {
    Asked asked;
    for (std::size_t i = from; i < to; ++i) {
      const auto& of = columns_[i];
      if (is_counted(of)) asked.add("map_entries(histogram(" + quoted_name(of.column.name) + "))");
      if (const double width = bucket_width(of); width > 0)
        asked.add("map_entries(histogram(TRY_CAST(least(" + std::to_string(buckets - 1) + ", floor(((" +
                  finite(of.column) + ")::DOUBLE - " + literal(of.low) + ") / " + literal(width) + ")) AS INTEGER)))");
    }
    if (asked.empty()) co_return false;
    Task<bool> answering = answer(asked, "scan(0)");
    co_await std::move(answering);
    for (std::size_t i = from; i < to; ++i) {
      auto& of = columns_[i];
      if (is_counted(of)) take_top(of, asked.next());
      if (const double width = bucket_width(of); width > 0) take_buckets(of, width, asked.next());
    }
    co_return true;
  }

  static void take_top(ColumnProfile& of, Json entries) {
    if (!entries.is_array()) return;
    for (auto& entry : entries) of.top.emplace_back(std::move(entry["key"]), entry["value"].get<std::uint64_t>());
    std::stable_sort(of.top.begin(), of.top.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  }

  static void take_buckets(ColumnProfile& of, double width, const Json& entries) {
    if (!entries.is_array()) return;
    for (std::size_t i = 0; i < buckets; ++i) of.buckets.emplace_back(of.low + width * static_cast<double>(i), 0);
    for (const auto& entry : entries)
      of.buckets[std::clamp(entry["key"].get<int>(), 0, int{buckets} - 1)].second +=
          entry["value"].get<std::uint64_t>();
  }

  // The most frequent values of text columns that have many but repeat them.
  Task<bool> group_values() {
    std::size_t grouped = 0;
    for (auto& of : columns_) {
      if (!has_top(of) || is_counted(of) || of.distinct * 2 > of.values || grouped == grouped_columns_max) continue;
      ++grouped;
      const std::string name = quoted_name(of.column.name);
      Task<Json> reading = rows_of("SELECT " + name + ", count(*) FROM scan(0) WHERE " + name +
                                   " IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT " + std::to_string(extent_.top));
      Json rows = co_await std::move(reading);
      for (auto& row : rows) of.top.emplace_back(std::move(row[0]), row[1].get<std::uint64_t>());
    }
    co_return true;
  }

  Task<Json> first_rows() {
    Asked asked;
    for (const auto& of : columns_) asked.add(quoted_name(of.column.name));
    Json fitting = Json::array();
    if (asked.empty()) co_return fitting;
    Task<Json> reading =
        rows_of("SELECT " + asked.list() + " FROM scan(0) LIMIT " + std::to_string(extent_.first_rows));
    Json rows = co_await std::move(reading);
    std::size_t bytes = 0;
    for (auto& row : rows) {
      for (auto& cell : row) cell = shortened_cell(std::move(cell));
      bytes += row.dump(-1, ' ', false, Json::error_handler_t::replace).size();
      if (!fitting.empty() && bytes > extent_.first_rows_bytes) break;
      fitting.push_back(std::move(row));
    }
    co_return fitting;
  }

  Json shortened_cell(Json cell) const {
    if (!cell.is_string() && !cell.is_structured()) return cell;
    const std::string text =
        cell.is_string() ? cell.get<std::string>() : cell.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (count_chars(text) <= extent_.value_chars) return cell;
    return first_chars(text, extent_.value_chars) + "…";
  }

  // Pearson's r by pairs, strongest first. Values past 1e100 are scaled, since their squares would not be numbers.
  static std::string scaled(const ColumnProfile& of) {
    const double scale = std::max(std::abs(of.low), std::abs(of.high));
    return "(" + finite(of.column) + ")::DOUBLE" + (scale > 1e100 ? " / " + literal(scale) : "");
  }
  static std::string correlation(const ColumnProfile& a, const ColumnProfile& b) {
    return "corr(" + scaled(a) + ", " + scaled(b) + ")";
  }

  Task<Json> correlations() {
    std::vector<const ColumnProfile*> paired;
    for (const auto& of : columns_)
      if (of.kind == ValueKind::number && of.column_class != ColumnClass::identifier && of.low < of.high &&
          paired.size() < extent_.paired)
        paired.push_back(&of);
    std::vector<std::pair<const ColumnProfile*, const ColumnProfile*>> pairs;
    for (std::size_t i = 0; i < paired.size(); ++i)
      for (std::size_t j = i + 1; j < paired.size(); ++j) pairs.emplace_back(paired[i], paired[j]);
    pairs_computed_ = pairs.size();

    Json found = Json::array();
    for (std::size_t from = 0; from < pairs.size(); from += batch_pairs) {
      const std::size_t to = std::min(pairs.size(), from + batch_pairs);
      Asked asked;
      for (std::size_t i = from; i < to; ++i) asked.add(correlation(*pairs[i].first, *pairs[i].second));
      Task<bool> answering = answer(asked, sampled());
      co_await std::move(answering);
      for (std::size_t i = from; i < to; ++i) {
        const auto r = asked.next_number();
        if (!r || std::abs(*r) < told_r_min) continue;
        Json told = Json::array();
        told.push_back(pairs[i].first->column.name);
        told.push_back(pairs[i].second->column.name);
        told.push_back(std::round(*r * 1000) / 1000);
        found.push_back(std::move(told));
      }
    }
    std::stable_sort(found.begin(), found.end(), [](const Json& a, const Json& b) {
      return std::abs(a[2].get<double>()) > std::abs(b[2].get<double>());
    });
    if (found.size() > extent_.pairs_told)
      found.erase(found.begin() + static_cast<std::ptrdiff_t>(extent_.pairs_told), found.end());
    co_return found;
  }

  bool is_sampled() const { return snapshot_->rows() > 2 * sample_rows; }
  std::string sampled() const {
    if (!is_sampled()) return "scan(0)";
    const double percent = 100.0 * static_cast<double>(sample_rows) / static_cast<double>(snapshot_->rows());
    return "scan(0) TABLESAMPLE BERNOULLI (" + Json(percent).dump() + " PERCENT) REPEATABLE (1)";
  }

  Json left_out() const {
    Json cut = Json::object();
    const auto& all = snapshot_->columns;
    if (columns_.size() < all.size()) {
      cut["columns"] = all.size() - columns_.size();
      cut["columns_from"] = all[columns_.size()].name;
      cut["columns_to"] = all.back().name;
      cut["hint"] = "Only the first columns are profiled; select the others by name in a query.";
    }
    std::uint64_t numbers = 0;
    for (const auto& column : all) numbers += value_kind(column.type) == ValueKind::number ? 1 : 0;
    const std::uint64_t pairs = numbers < 2 ? 0 : numbers * (numbers - 1) / 2;
    if (numbers > extent_.paired && pairs > pairs_computed_) cut["pairs"] = pairs - pairs_computed_;
    if (is_sampled() && pairs_computed_ > 0) cut["correlations_over_rows_about"] = sample_rows;
    return cut;
  }

  Engine& engine_;
  SnapshotPtr snapshot_;
  std::size_t batch_columns_;
  const bool full_;
  const Extent extent_;
  std::vector<ColumnProfile> columns_;
  std::size_t pairs_computed_ = 0;
};

}  // namespace

Task<Json> profile(Engine& engine, SnapshotPtr snapshot, std::map<int, std::string> descriptions, Detail detail,
                   Limits limits) {
  Profiler profiler(engine, std::move(snapshot), detail, limits);
  Task<Json> running = profiler.run(std::move(descriptions));
  Json answer = co_await std::move(running);
  co_return answer;
}

}  // namespace stele
