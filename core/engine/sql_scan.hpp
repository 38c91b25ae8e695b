// The first look at a statement, over the tokens of DuckDB's own lexer: bounds on what the parser itself would do with it.
// It decides nothing about meaning; it keeps the parser, which cannot be interrupted, from taking minutes or the stack.
#pragma once

#include <cstddef>
#include <string>

namespace stele {

// Brackets inside brackets, of any kind. The parser recurses for each, on a stack that is small in WebAssembly.
inline constexpr std::size_t bracket_depth_max = 100;

// The parser copies the text of a CTE once for each of its siblings, and again at each level of nesting: eleven CTEs
// nested in one another, 239 characters, took it 27 s. This bounds the tokens it would copy to about half a second.
inline constexpr std::size_t copied_tokens_max = 200'000;

// Throws Error sql_refused.
void check_before_parsing(const std::string& sql);

}  // namespace stele
