// The first look at a statement, over the tokens of DuckDB's own lexer: bounds on what the parser itself would do with
// it. It decides nothing about meaning; it keeps the parser, which cannot be interrupted, from taking minutes or the
// stack.
#pragma once

#include <cstddef>
#include <string>

namespace stele {

// Brackets inside brackets, of any kind. The parser recurses for each, on a stack that is small in WebAssembly.
inline constexpr std::size_t bracket_depth_max = 100;

// The parser copies the text of a CTE once for each of its siblings, and again at each level of nesting: eleven CTEs
// nested in one another, 239 characters, took it 27 s. This bounds the tokens it would copy to about half a second:
// 30 CTEs of 300 tokens pass, or 120 of a few.
inline constexpr std::size_t copied_tokens_max = 400'000;
inline constexpr std::size_t cte_tokens = 20;  // what a copied CTE costs beside its tokens

// Throws Error sql_refused.
void check_before_parsing(const std::string& sql);

}  // namespace stele
