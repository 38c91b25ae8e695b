#include "base/nearest.hpp"

#include <catch2/catch.hpp>

using namespace stele;

TEST_CASE("nearest_names finds misspelt names, nearest first, and leaves out strangers") {
  const std::vector<std::string> names{"price", "prices", "colour", "research/competitors"};
  CHECK(nearest_names("prize", names, 3) == std::vector<std::string>{"price", "prices"});
  CHECK(nearest_names("COLOUR", names, 1) == std::vector<std::string>{"colour"});
  CHECK(nearest_names("competitors", names, 3) == std::vector<std::string>{"research/competitors"});
  CHECK(nearest_names("research competitors", {"research/all competitors"}, 3).size() == 1);
  CHECK(nearest_names("zebra", names, 3).empty());
}
