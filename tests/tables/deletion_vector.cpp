// Deletion vectors: a document gives back what went in, and several add up.
#include "tables/deletion_vector.hpp"

#include <catch2/catch.hpp>

#include "base/assert.hpp"

using namespace stele;

TEST_CASE("a deletion document gives back its positions for the segments asked for") {
  const DeletionVectors vectors = {{3, {0}}, {4, {0, 1, 2, 127, 128, 300}}, {900, {4'000'000'000}}, {901, {}}};
  const Bytes document = deletion_document(vectors);
  DeletionVectors read = {{4, {}}, {900, {}}, {902, {}}};
  add_deletions(document, read);
  CHECK(read == DeletionVectors{{4, {0, 1, 2, 127, 128, 300}}, {900, {4'000'000'000}}, {902, {}}});
}

TEST_CASE("deletion documents add up, each position once") {
  DeletionVectors read = {{1, {}}};
  add_deletions(deletion_document({{1, {2, 5}}}), read);
  add_deletions(deletion_document({{1, {1, 5, 9}}}), read);
  CHECK(read == DeletionVectors{{1, {1, 2, 5, 9}}});
}

TEST_CASE("no deletions make no document, and dense ones a small one") {
  CHECK(deletion_document({}).empty());
  CHECK(deletion_document({{1, {}}}).empty());
  std::vector<std::uint32_t> all(1000);
  for (std::uint32_t i = 0; i < 1000; ++i) all[i] = i;
  CHECK(deletion_document({{1, all}}).size() < 1010);
}

TEST_CASE("a document that was cut short is noticed") {
  Bytes document = deletion_document({{1, {2, 5, 700}}});
  document.pop_back();
  DeletionVectors read = {{1, {}}};
  CHECK_THROWS_AS(add_deletions(document, read), InvariantBroken);
}
