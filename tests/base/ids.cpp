// Ids: unique, in the order of their making even while the clock stands still, and unguessable text in links.
#include "base/ids.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "support/memory_host.hpp"

using namespace stele;

TEST_CASE("a UUIDv7 carries the host's time, its version and its variant") {
  MemoryHost host;
  const auto id = uuid_v7(host);
  REQUIRE(id.size() == 36);
  CHECK(id.substr(0, 15) == "018bcfe5-6800-7");  // 1,700,000,000,000 ms
  CHECK(std::string("89ab").find(id[19]) != std::string::npos);
  for (std::size_t i = 0; i < id.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    CHECK((id[i] == '-') == dash);
    if (!dash) CHECK(std::string("0123456789abcdef").find(id[i]) != std::string::npos);
  }
}

TEST_CASE("ids ascend while the clock stands still, past the counter's end, and when it moves on") {
  MemoryHost host;
  std::string last;
  const auto ascends = [&] {
    auto next = uuid_v7(host);
    const bool later = next > last;
    last = std::move(next);
    return later;
  };
  bool all = true;
  for (int i = 0; i < 10'000; ++i) all = ascends() && all;
  CHECK(all);
  host.advance(1);  // less than what was borrowed
  CHECK(ascends());
  host.advance(1'000);
  CHECK(ascends());
}

TEST_CASE("two hosts of different randomness never give the same id, and the same seed gives the same ids") {
  MemoryHost one(1), two(2), one_again(1);
  for (int i = 0; i < 100; ++i) {
    const auto id = uuid_v7(one);
    CHECK(id != uuid_v7(two));
    CHECK(id == uuid_v7(one_again));
  }
}

TEST_CASE("a random token is URL-safe, as long as its bytes need, and never the same") {
  MemoryHost host;
  std::set<std::string> seen;
  for (int i = 0; i < 1'000; ++i) {
    const auto token = random_token(host, 16);
    CHECK(token.size() == 22);
    CHECK(token.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
          std::string::npos);
    CHECK(seen.insert(token).second);
  }
}
