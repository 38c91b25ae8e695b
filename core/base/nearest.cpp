#include "base/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace stele {
namespace {

constexpr std::size_t bytes_compared = 200;

std::string lower(std::string_view text) {
  std::string lowered(text.substr(0, bytes_compared));
  for (char& c : lowered)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lowered;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row[b.size()];
}

bool holds(const std::string& text, const std::string& part) {
  return part.size() >= 3 && text.find(part) != std::string::npos;
}

// Whether `text` is `part` with letters put in, such as a word: "fleet/boats" and "fleet/all boats".
bool extends(const std::string& text, const std::string& part) {
  if (part.size() < 5 || text.size() > 2 * part.size()) return false;
  std::size_t met = 0;
  for (const char c : text)
    if (met < part.size() && c == part[met]) ++met;
  return met == part.size();
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view written, const std::vector<std::string>& names,
                                       std::size_t count) {
  const std::string wanted = lower(written);
  const std::size_t distance_max = wanted.size() < 4 ? 1 : std::max<std::size_t>(2, wanted.size() / 3);
  std::vector<std::pair<std::size_t, const std::string*>> near;
  for (const auto& name : names) {
    const std::string candidate = lower(name);
    const std::size_t distance = edit_distance(wanted, candidate);
    const bool is_longer = holds(candidate, wanted) || extends(candidate, wanted);
    const bool is_shorter = holds(wanted, candidate) || extends(wanted, candidate);
    if (distance <= distance_max || is_longer || is_shorter) near.emplace_back(distance, &name);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < near.size() && i < count; ++i) nearest.push_back(*near[i].second);
  return nearest;
}

}  // namespace stele
