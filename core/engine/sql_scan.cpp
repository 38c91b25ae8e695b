#include "engine/sql_scan.hpp"

#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "duckdb/common/string_util.hpp"
#include "duckdb/parser/parser.hpp"

namespace stele {
namespace {

// What stands between two brackets. `copied` are the tokens of CTE bodies directly inside, `bodies` how many there are.
struct Level {
  bool is_cte_body = false;
  double tokens = 0;
  double copied = 0;
  double bodies = 0;
  double pivots = 0;

  // The tokens that the parser makes of this level: a CTE of k stands in the map of each of its k siblings, in the map
  // of the query and as a query of its own; a PIVOT copies what it pivots.
  double cost() const { return (tokens + copied * (bodies + 3)) * (1 + pivots); }
};

Error too_deep() {
  return Error(
      "sql_refused",
      "The statement nests brackets more than " + std::to_string(bracket_depth_max) + " deep, which is not run here.",
      "Name intermediate results with WITH instead of nesting them.");
}

Error too_many_copies() {
  return Error("sql_refused",
               "The statement has too many or too deeply nested WITH or PIVOT clauses to be planned here.",
               "Put the CTEs side by side instead of inside one another, or save an intermediate result as a table.");
}

void close_level(std::vector<Level>& levels) {
  const Level closed = levels.back();
  levels.pop_back();
  Level& outer = levels.back();
  if (closed.is_cte_body) {
    outer.copied += closed.cost() + cte_tokens;
    outer.bodies += 1;
  } else {
    outer.tokens += closed.cost();
  }
  if (outer.cost() > copied_tokens_max) throw too_many_copies();
}

std::string_view word_at(const std::string& sql, std::size_t start) {
  std::size_t end = start;
  while (end < sql.size() && (duckdb::StringUtil::CharacterIsAlpha(sql[end]) || sql[end] == '_')) ++end;
  return std::string_view(sql).substr(start, end - start);
}

bool is_word(std::string_view word, const char* keyword) {
  return duckdb::StringUtil::CIEquals(std::string(word), keyword);
}

}  // namespace

void check_before_parsing(const std::string& sql) {
  std::vector<Level> levels(1);
  bool body_may_follow = false;  // after AS and MATERIALIZED an opening bracket begins a CTE's body
  for (const auto& token : duckdb::Parser::Tokenize(sql)) {
    const char first = sql[token.start];
    const std::string_view word = word_at(sql, token.start);
    levels.back().tokens += 1;
    if (is_word(word, "pivot") || is_word(word, "pivot_wider")) levels.back().pivots += 1;
    if (first == '(' || first == '[' || first == '{') {
      if (levels.size() > bracket_depth_max) throw too_deep();
      levels.push_back({});
      levels.back().is_cte_body = body_may_follow;
    } else if ((first == ')' || first == ']' || first == '}') && levels.size() > 1) {
      close_level(levels);
    }
    body_may_follow = is_word(word, "as") || is_word(word, "materialized");
  }
  while (levels.size() > 1) close_level(levels);  // the parser names the bracket that is missing
  if (levels.back().cost() > copied_tokens_max) throw too_many_copies();
}

}  // namespace stele
