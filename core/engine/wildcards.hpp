// LIKE and GLOB, as DuckDB answers them but in time that the product of the two lengths bounds: its own matcher tries
// each way to share the text out among the wildcards, so that twelve of them hold forty letters up for an hour.
#pragma once

#include <optional>
#include <string_view>

namespace stele {

// Whether `text` matches `pattern`: % is any run of bytes, _ one character. After `escape` a byte is itself. Throws
// duckdb::SyntaxException where a pattern ends in its escape.
bool matches_like(std::string_view text, std::string_view pattern, std::optional<char> escape = {});

// As matches_like, A to Z and a to z being the same; nothing else is folded.
bool matches_like_ascii_folded(std::string_view text, std::string_view pattern);

// * is any run of bytes, ? one byte, [a-z] one of a set and [!a-z] one outside it; after \ a byte is itself.
bool matches_glob(std::string_view text, std::string_view pattern);

}  // namespace stele
