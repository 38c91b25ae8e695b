#include "tables/deletion_vector.hpp"

#include <algorithm>
#include <utility>

#include "tables/varint.hpp"

namespace stele {

Bytes deletion_document(const DeletionVectors& vectors) {
  Bytes document;
  std::int64_t last_number = 0;
  for (const auto& [number, positions] : vectors) {
    if (positions.empty()) continue;
    put_varint(document, static_cast<std::uint64_t>(number - last_number));
    put_varint(document, positions.size());
    last_number = number;
    std::uint32_t next = 0;
    for (std::uint32_t position : positions) {
      require(position >= next, "deleted positions ascend");
      put_varint(document, position - next);
      next = position + 1;
    }
  }
  return document;
}

void add_deletions(std::span<const std::uint8_t> document, DeletionVectors& vectors) {
  VarintReader reader(document);
  std::int64_t number = 0;
  while (!reader.at_end()) {
    number += static_cast<std::int64_t>(reader.next());
    const std::uint64_t count = reader.next();
    const auto wanted = vectors.find(number);
    std::vector<std::uint32_t> positions;
    std::uint32_t next = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto position = static_cast<std::uint32_t>(next + reader.next());
      next = position + 1;
      if (wanted != vectors.end()) positions.push_back(position);
    }
    if (wanted == vectors.end()) continue;
    std::vector<std::uint32_t>& known = wanted->second;
    const auto middle = static_cast<std::ptrdiff_t>(known.size());
    known.insert(known.end(), positions.begin(), positions.end());
    std::inplace_merge(known.begin(), known.begin() + middle, known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
  }
}

}  // namespace stele
