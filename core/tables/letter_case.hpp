// Letter case of names: ASCII letters only, as the engine and the stores compare names. It never changes what is
// stored.
#pragma once

#include <string>
#include <string_view>

namespace stele {

inline std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace stele
