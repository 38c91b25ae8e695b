// Merge plan: what is worth writing again is chosen, what is not is left, and never beyond the budget.
#include "tables/merge_plan.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace stele;

namespace {

using Candidates = std::vector<MergeCandidate>;

constexpr std::uint64_t kib = 1 << 10;
constexpr std::uint64_t plenty = 1 << 30;

std::string chosen(const Candidates& candidates, std::uint64_t budget = plenty) {
  const auto run = choose_merge(candidates, budget);
  return run ? std::to_string(run->begin) + " to " + std::to_string(run->end) : "none";
}

}  // namespace

TEST_CASE("small neighbours are merged when there are enough of them, and the large one beside them is not") {
  CHECK(chosen(Candidates(7, {kib, 1, 0})) == "none");
  CHECK(chosen(Candidates(8, {kib, 1, 0})) == "0 to 8");
  Candidates beside_large(9, {kib, 1, 0});
  beside_large[0] = {100 << 20, 1'000'000, 0};
  CHECK(chosen(beside_large) == "1 to 9");
}

TEST_CASE("a segment is written again when most of it is dead") {
  CHECK(chosen({{100 * kib, 1000, 600}}) == "none");
  CHECK(chosen({{100 * kib, 1000, 700}}) == "0 to 1");
  CHECK(chosen({{kib, 1000, 700}}) == "none");
  CHECK(chosen({{100 * kib, 1000, 0}, {100 * kib, 1000, 900}, {100 * kib, 1000, 800}}) == "1 to 3");
}

TEST_CASE("a merge never costs more than the budget") {
  CHECK(chosen({{100 * kib, 1000, 800}}, 19 * kib) == "none");
  CHECK(chosen({{100 * kib, 1000, 800}}, 21 * kib) == "0 to 1");
  CHECK(chosen(Candidates(32, {kib, 1, 0}), 10 * kib) != "none");
  CHECK(chosen(Candidates(32, {kib, 1, 0}), 7 * kib) == "none");
}

TEST_CASE("deletion documents of like size are merged when there are sixty-four") {
  CHECK(choose_deletion_merge(std::vector<std::uint64_t>(63, 500)) == 0);
  CHECK(choose_deletion_merge(std::vector<std::uint64_t>(64, 500)) == 64);
  std::vector<std::uint64_t> sizes(64, 500);
  sizes.insert(sizes.begin(), 1 << 20);
  CHECK(choose_deletion_merge(sizes) == 64);
  CHECK(choose_deletion_merge({}) == 0);
}
