// IndexedMap against ordered_map: the same steps leave the same members, with few of them and with many.
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "base/json.hpp"

using namespace stele;

TEST_CASE("an object of many members behaves as one of few") {
  std::mt19937 random(7);
  const auto one_of = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
  for (const unsigned keys : {8U, 40U, 400U}) {
    Json ours = Json::object();
    nlohmann::ordered_json theirs = nlohmann::ordered_json::object();
    for (unsigned step = 0; step < 20 * keys; step++) {
      const std::string key = "k" + std::to_string(one_of(keys));
      switch (one_of(6)) {
        case 0:
          CHECK(ours.erase(key) == theirs.erase(key));
          break;
        case 1:
          CHECK(ours.contains(key) == theirs.contains(key));
          CHECK(ours.value(key, -1) == theirs.value(key, -1));
          break;
        case 2:
          CHECK(ours.emplace(key, step).second == theirs.emplace(key, step).second);
          break;
        case 3:
          if (!ours.empty() && one_of(4) == 0) {
            const auto at = one_of(static_cast<unsigned>(ours.size()));
            ours.erase(std::next(ours.begin(), at));
            theirs.erase(std::next(theirs.begin(), at));
          }
          break;
        default:
          ours[key] = step;
          theirs[key] = step;
      }
      if (one_of(50) == 0) ours = Json(ours);                          // a copy has no index yet
      if (one_of(50) == 0) ours = Json(std::exchange(ours, nullptr));  // a moved one has
    }
    CHECK(ours.dump() == theirs.dump());
    CHECK(ours == Json::parse(theirs.dump()));
    CHECK_THROWS_AS(ours.at("none"), Json::out_of_range);
  }
}

TEST_CASE("a member written twice is read once, among many as among few") {
  for (const int members : {3, 3000}) {
    std::string text = "{\"again\":1";
    for (int i = 0; i < members; i++) text += ",\"" + std::to_string(i) + "\":" + std::to_string(i);
    const Json read = Json::parse(text + ",\"again\":2}");
    CHECK(read.size() == static_cast<std::size_t>(members) + 1);
    CHECK(read["again"] == 2);
    CHECK(read.begin().key() == "again");
  }
}

TEST_CASE("an object that was emptied holds nothing of what was there") {
  Json object = Json::object();
  const auto fill = [&](const std::string& prefix) {
    for (int i = 0; i < 40; i++) object[prefix + std::to_string(i)] = i;
  };
  fill("a");
  CHECK(object.contains("a39"));
  object.clear();
  fill("b");
  fill("b");
  CHECK(object.size() == 40);
  CHECK_FALSE(object.contains("a39"));
}
