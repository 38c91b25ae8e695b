// Value to JSON, as answers show it: strict JSON that no reader can bend. It never rounds, never drops and never throws
// on what a value holds; the column's type beside it says what a string stands for.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "duckdb/common/types/data_chunk.hpp"
#include "duckdb/common/types/value.hpp"

namespace stele {

//   integers within ±(2^53−1), finite FLOAT and DOUBLE     numbers
//   other integers, HUGEINT, UHUGEINT, BIGNUM, DECIMAL     exact text
//   NaN and infinities                                     "NaN", "Infinity", "-Infinity"
//   DATE, TIME, TIMESTAMP                                  "2025-04-03", "04:05:06.789", "2025-04-03 04:05:06.789"
//   TIMESTAMP WITH TIME ZONE                               UTC: "2025-03-30T01:00:00Z"
//   BLOB                                                   lower-case hex
//   LIST, ARRAY, unnamed STRUCT                            arrays
//   STRUCT, UNION                                          objects, of a union with its one member
//   MAP                                                    an object if the keys are text, else an array of [key,
//   value] JSON                                                   itself, if it survives being read, else its text all
//   else                                               DuckDB's text
Json value_json(const duckdb::Value& value);

// The value in a row of a vector. Where that is flat, as flatten_nested() leaves it, a long list takes a tenth of what
// it takes as a Value.
Json value_json(const duckdb::Vector& vector, std::size_t row);

// Lays all columns out flat, with what they nest.
void flatten_nested(duckdb::DataChunk& chunk);

// The JSON value of a text; or the text itself where reading would lose something: a key that stands twice, a depth
// that readers do not bear, or no JSON at all. Numbers that a double cannot hold come as strings.
Json json_of_text(std::string_view text);

// The text with every invalid byte replaced by '?', so that it can stand in JSON.
std::string valid_utf8(std::string text);

}  // namespace stele
