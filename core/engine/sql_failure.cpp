#include "engine/sql_failure.hpp"

#include <string_view>

#include "base/assert.hpp"
#include "engine/value_json.hpp"

namespace stele {

namespace {

using duckdb::ExceptionType;

// Words of ours that DuckDB may repeat: the prefix of a segment's path, and the functions that stand for tables.
constexpr std::string_view internal_words[] = {"segments-", "spill-", "stele_"};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '/' || c == '.';
}

std::string without_internal_words(std::string message) {
  for (const auto word : internal_words) {
    for (auto at = message.find(word); at != std::string::npos; at = message.find(word, at + 1)) {
      auto end = at;
      while (end < message.size() && is_word(message[end])) end++;
      const bool is_whole_word = at == 0 || !is_word(message[at - 1]);
      if (is_whole_word) message.replace(at, end - at, "table");
    }
  }
  return message;
}

// The rest of the line that begins with `label`, if there is one.
std::string line_after(const std::string& message, std::string_view label) {
  const auto at = message.find(label);
  if (at == std::string::npos) return "";
  const auto begin = at + label.size();
  return message.substr(begin, message.find('\n', begin) - begin);
}

std::string hint_for(ExceptionType type, const std::string& message) {
  if (const auto candidates = line_after(message, "Candidate bindings: "); !candidates.empty()) {
    return "Columns with near names: " + candidates + ".";
  }
  if (const auto near = line_after(message, "Did you mean "); !near.empty()) return "Did you mean " + near;
  switch (type) {
    case ExceptionType::PARSER:
    case ExceptionType::SYNTAX:
      return "Correct the SQL at the marked place; table paths and names with special characters go in double quotes.";
    case ExceptionType::CONVERSION:
      return "TRY_CAST gives NULL for values that do not convert.";
    case ExceptionType::INVALID_INPUT:
      return "Change the argument, or filter such rows out first with WHERE.";
    case ExceptionType::OUT_OF_RANGE:
      return "Cast to a wider type first, such as HUGEINT or DOUBLE.";
    default:
      return "describe_table shows a table's columns and their types.";
  }
}

std::string megabytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

void throw_failure(const duckdb::ErrorData& error, const Limits& limits) {
  switch (error.Type()) {
    case ExceptionType::OUT_OF_MEMORY:
      throw Error("out_of_memory",
                  "The statement needs more memory than the " + megabytes(limits.memory_bytes) + " it may use.",
                  "Filter or aggregate earlier, select fewer columns, or work in parts.");
    case ExceptionType::INTERRUPT:
      throw Error("cancelled", "The statement was cancelled.", "Run it again to start over.");
    case ExceptionType::PERMISSION:
    case ExceptionType::IO:
      throw Error("sql_refused", "A statement reads tables and nothing else.",
                  "Name tables by their paths in double quotes.");
    case ExceptionType::FATAL:
      throw InvariantBroken("the engine's instance is lost");
    case ExceptionType::INTERNAL:
      throw Error("sql_error", "The engine failed on this statement.",
                  "Write it differently, for example in simpler steps.");
    default: {
      const auto message = valid_utf8(without_internal_words(error.Message()));
      throw Error("sql_error", message, hint_for(error.Type(), message));
    }
  }
}

}  // namespace stele
