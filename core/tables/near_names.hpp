// Near names: what a caller may have meant by a name that is not there. It decides nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stele {

// ASCII letters in lower case, every other byte as it is.
std::string lower_ascii(std::string_view text);

// Up to `count` of the candidates that are near the name, nearest first: the same but for case, the same last part of a
// path, or a few letters off.
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& candidates, std::size_t count);

}  // namespace stele
