#include "tables/near_names.hpp"

#include <algorithm>
#include <utility>

namespace stele {

namespace {

// How many letters must change, with a row of the usual table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& candidates, std::size_t count) {
  const std::string wanted = lower_ascii(name);
  const std::size_t far = std::max<std::size_t>(1, wanted.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : candidates) {
    const std::string lower = lower_ascii(candidate);
    const std::size_t length_apart = std::max(lower.size(), wanted.size()) - std::min(lower.size(), wanted.size());
    if (last_part(lower) == last_part(wanted)) {
      near.emplace_back(lower == wanted ? 0 : 1, candidate);
    } else if (length_apart <= far) {
      const std::size_t distance = edit_distance(wanted, lower);
      if (distance <= far) near.emplace_back(distance, candidate);
    }
  }
  std::sort(near.begin(), near.end());
  if (near.size() > count) near.resize(count);
  std::vector<std::string> names;
  for (auto& [distance, candidate] : near) names.push_back(std::move(candidate));
  return names;
}

}  // namespace stele
