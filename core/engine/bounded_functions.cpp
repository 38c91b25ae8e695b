#include "engine/bounded_functions.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "duckdb/catalog/catalog_entry/scalar_function_catalog_entry.hpp"
#include "duckdb/common/vector_operations/binary_executor.hpp"
#include "duckdb/common/vector_operations/ternary_executor.hpp"
#include "duckdb/function/scalar/string_common.hpp"
#include "duckdb/main/extension/extension_loader.hpp"
#include "duckdb/planner/expression/bound_function_expression.hpp"
#include "engine/step_watch.hpp"
#include "engine/wildcards.hpp"

namespace stele {

namespace {

using duckdb::DataChunk;
using duckdb::ExpressionState;
using duckdb::LogicalTypeId;
using duckdb::scalar_function_t;
using duckdb::string_t;
using duckdb::UnifiedVectorFormat;
using duckdb::Vector;

std::string_view view(const string_t& text) { return {text.GetData(), static_cast<std::size_t>(text.GetSize())}; }

bool is_ascii(std::string_view text) {
  for (const char byte : text)
    if (static_cast<unsigned char>(byte) > 127) return false;
  return true;
}

std::string lower(std::string_view text) {
  std::string result(duckdb::LowerLength(text.data(), text.size()), '\0');
  duckdb::LowerCase(text.data(), text.size(), result.data());
  return result;
}

bool like(std::string_view text, std::string_view pattern) { return matches_like(text, pattern); }

bool ilike(std::string_view text, std::string_view pattern) {
  if (is_ascii(text) && is_ascii(pattern)) return matches_like_ascii_folded(text, pattern);
  return matches_like(lower(text), lower(pattern));
}

using Match = bool (*)(std::string_view text, std::string_view pattern);

scalar_function_t matching(Match match, bool answer) {
  return [match, answer](DataChunk& arguments, ExpressionState&, Vector& result) {
    duckdb::BinaryExecutor::Execute<string_t, string_t, bool>(
        arguments.data[0], arguments.data[1], result, arguments.size(),
        [&](string_t text, string_t pattern) { return match(view(text), view(pattern)) == answer; });
  };
}

// DuckDB's own matcher where it has prepared the pattern, which it does for constants without _; that one is fast.
scalar_function_t matching_unless_prepared(Match match, bool answer, scalar_function_t own) {
  return [unprepared = matching(match, answer), own = std::move(own)](DataChunk& arguments, ExpressionState& state,
                                                                      Vector& result) {
    const bool is_prepared = state.expr.Cast<duckdb::BoundFunctionExpression>().bind_info != nullptr;
    (is_prepared ? own : unprepared)(arguments, state, result);
  };
}

using Fold = std::string (*)(std::string_view text);

std::string as_is(std::string_view text) { return std::string(text); }

scalar_function_t matching_with_escape(Fold fold, bool answer) {
  return [fold, answer](DataChunk& arguments, ExpressionState&, Vector& result) {
    duckdb::TernaryExecutor::Execute<string_t, string_t, string_t, bool>(
        arguments.data[0], arguments.data[1], arguments.data[2], result, arguments.size(),
        [&](string_t text, string_t pattern, string_t escape) {
          if (escape.GetSize() > 1)
            throw duckdb::SyntaxException("Invalid escape string. Escape string must be empty or one character.");
          const char byte = escape.GetSize() == 0 ? '\0' : *escape.GetData();
          return matches_like(fold(view(text)), fold(view(pattern)), byte) == answer;
        });
  };
}

double micros(const duckdb::interval_t& step) {
  constexpr double days_per_month = 30;
  constexpr double micros_per_day = 86'400e6;
  return (step.months * days_per_month + step.days) * micros_per_day + static_cast<double>(step.micros);
}

// DuckDB counts a series of timestamps by walking along it.
void check_series(DataChunk& arguments) {
  UnifiedVectorFormat first, last, step;
  arguments.data[0].ToUnifiedFormat(arguments.size(), first);
  arguments.data[1].ToUnifiedFormat(arguments.size(), last);
  arguments.data[2].ToUnifiedFormat(arguments.size(), step);
  double all = 0;
  for (duckdb::idx_t row = 0; row < arguments.size(); row++) {
    const auto first_at = first.sel->get_index(row);
    const auto last_at = last.sel->get_index(row);
    const auto step_at = step.sel->get_index(row);
    if (!first.validity.RowIsValid(first_at) || !last.validity.RowIsValid(last_at) ||
        !step.validity.RowIsValid(step_at))
      continue;
    const auto begin = UnifiedVectorFormat::GetData<duckdb::timestamp_t>(first)[first_at];
    const auto end = UnifiedVectorFormat::GetData<duckdb::timestamp_t>(last)[last_at];
    const double by = micros(UnifiedVectorFormat::GetData<duckdb::interval_t>(step)[step_at]);
    if (by == 0 || !duckdb::Timestamp::IsFinite(begin) || !duckdb::Timestamp::IsFinite(end)) continue;
    const double length = (static_cast<double>(end.value) - static_cast<double>(begin.value)) / by;
    if (length > series_length_max) {
      throw duckdb::InvalidInputException(
          "A row asks for a list of about %.0f timestamps, where at most %.0f are made; in FROM, range(…) and "
          "generate_series(…) stream as many as you like.",
          length, series_length_max);
    }
    all += std::max(length, 0.0);
  }
  if (all > series_lengths_max) throw duckdb::OutOfMemoryException("lists of %.0f timestamps in all", all);
}

// `replacement_at`: the argument that stands for each match; an empty search text matches between any two bytes.
void check_replacement(DataChunk& arguments, duckdb::idx_t replacement_at) {
  UnifiedVectorFormat text, replacement;
  arguments.data[0].ToUnifiedFormat(arguments.size(), text);
  arguments.data[replacement_at].ToUnifiedFormat(arguments.size(), replacement);
  for (duckdb::idx_t row = 0; row < arguments.size(); row++) {
    const auto text_at = text.sel->get_index(row);
    const auto replacement_row = replacement.sel->get_index(row);
    if (!text.validity.RowIsValid(text_at) || !replacement.validity.RowIsValid(replacement_row)) continue;
    const std::uint64_t places = UnifiedVectorFormat::GetData<string_t>(text)[text_at].GetSize() + 1;
    const std::uint64_t bytes = UnifiedVectorFormat::GetData<string_t>(replacement)[replacement_row].GetSize();
    if (places * bytes > replaced_bytes_max) {
      throw duckdb::InvalidInputException(
          "A row replaces in a text of %llu bytes by one of %llu, which could make more than the %llu bytes that are "
          "made of one row.",
          places - 1, bytes, replaced_bytes_max);
    }
  }
}

template <class Check>
scalar_function_t checked(Check check, scalar_function_t own) {
  return [check, own = std::move(own)](DataChunk& arguments, ExpressionState& state, Vector& result) {
    check(arguments);
    own(arguments, state, result);
  };
}

// Those of lists that work through all elements, by what follows list_ or array_ in their names, and others.
constexpr const char* list_functions[] = {
    "aggr",          "aggregate", "apply",     "cat",    "concat",  "contains", "cosine_similarity",
    "distance",      "filter",    "grade_up",  "has",    "has_all", "has_any",  "indexof",
    "inner_product", "position",  "reduce",    "resize", "reverse", "select",   "sort",
    "reverse_sort",  "distinct",  "transform", "unique", "where",   "zip",
};
constexpr const char* other_list_functions[] = {
    "aggregate",        "apply",    "filter",      "flatten", "generate_series", "grade_up", "map", "map_concat",
    "map_from_entries", "map_keys", "map_entries", "range",   "reduce",
};

// A vector of lists may hold a thousand million elements, and a lambda may run through such a vector for each of its
// own: of all those calls each looks at the clock.
void watch_list_functions(duckdb::ExtensionLoader& loader) {
  const auto watch = [&](const std::string& name) {
    auto entry = loader.TryGetFunction(name);
    if (!entry || entry->type != duckdb::CatalogType::SCALAR_FUNCTION_ENTRY) return;
    for (auto& overload : entry->Cast<duckdb::ScalarFunctionCatalogEntry>().functions.functions) {
      if (!overload.function) continue;
      overload.function = checked([](DataChunk&) { StepWatch::before_calling(); }, std::move(overload.function));
    }
  };
  for (const std::string name : list_functions) {
    watch("list_" + name);
    watch("array_" + name);
  }
  for (const char* name : other_list_functions) watch(name);
}

}  // namespace

void bound_functions(duckdb::DatabaseInstance& instance) {
  duckdb::ExtensionLoader loader(instance, "stele");
  const auto overloads = [&](const char* name) -> auto& { return loader.GetFunction(name).functions.functions; };
  const auto put = [&](const char* name, scalar_function_t function) {
    for (auto& overload : overloads(name)) {
      overload.function = function;
      overload.statistics = nullptr;  // ILIKE's puts DuckDB's matcher back
    }
  };
  for (const bool answer : {true, false}) {
    for (auto& overload : overloads(answer ? "~~" : "!~~"))
      overload.function = matching_unless_prepared(like, answer, std::move(overload.function));
    put(answer ? "~~*" : "!~~*", matching(ilike, answer));
    put(answer ? "like_escape" : "not_like_escape", matching_with_escape(as_is, answer));
    put(answer ? "ilike_escape" : "not_ilike_escape", matching_with_escape(lower, answer));
  }
  put("~~~", matching(matches_glob, true));

  for (const char* name : {"range", "generate_series"}) {
    for (auto& overload : overloads(name)) {
      const auto type = overload.arguments.front().id();
      if (type == LogicalTypeId::TIMESTAMP || type == LogicalTypeId::TIMESTAMP_TZ)
        overload.function = checked(check_series, std::move(overload.function));
    }
  }
  for (const char* name : {"replace", "regexp_replace"}) {
    for (auto& overload : overloads(name)) {
      overload.function =
          checked([](DataChunk& arguments) { check_replacement(arguments, 2); }, std::move(overload.function));
    }
  }
  watch_list_functions(loader);
}

}  // namespace stele
