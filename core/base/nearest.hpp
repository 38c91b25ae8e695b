// Nearest names: what a misspelt word may have meant, for hints. It never corrects anything by itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stele {

// Up to `count` of `names` that are near `written` (case aside, two edits or a third of it away, or one holds the
// other, or its letters in their order), nearest first.
std::vector<std::string> nearest_names(std::string_view written, const std::vector<std::string>& names,
                                       std::size_t count);

}  // namespace stele
