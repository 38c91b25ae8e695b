// Type families: which types may become which when a table's column is widened, and which values may pass between them.
// The engine knows what is lossless; this file knows what a reader of the table would still call the same column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stele {

bool is_integer_type(std::string_view type);
bool is_number_type(std::string_view type);  // DECIMAL, FLOAT and DOUBLE too

// The types that a column of type `table` may be widened to for values of type `incoming`, narrowest first.
std::vector<std::string> wider_candidates(const std::string& table, const std::string& incoming);

// Whether a value of `from` may stand in a column of `to` if it comes back unharmed: numbers in numbers, dates in
// timestamps, text in anything that is written as text. A number never becomes a boolean.
bool may_stand_in(std::string_view from, std::string_view to);

}  // namespace stele
