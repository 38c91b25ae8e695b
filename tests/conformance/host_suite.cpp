#include "conformance/host_suite.hpp"

#include <array>
#include <vector>

#include "base/ids.hpp"

namespace stele::conformance {
namespace {

Failure the_clock_is_in_this_century(Host& host) {
  constexpr std::int64_t year_2020_ms = 1'577'836'800'000, year_2100_ms = 4'102'444'800'000;
  const auto now = host.now_ms();
  if (now >= year_2020_ms && now < year_2100_ms) return {};
  return "now_ms answered " + std::to_string(now);
}

Failure the_clock_never_goes_back(Host& host) {
  auto last = host.now_ms();
  for (int i = 0; i < 10'000; ++i) {
    const auto now = host.now_ms();
    if (now < last) return std::to_string(now) + " after " + std::to_string(last);
    last = now;
  }
  return {};
}

Failure random_bytes_differ(Host& host) {
  std::array<std::uint8_t, 16> one{}, two{}, zeros{};
  host.random_bytes(one);
  host.random_bytes(two);
  if (one == zeros || two == zeros) return "16 bytes were left as they were";
  if (one == two) return "the same 16 bytes came twice";
  return {};
}

Failure random_bytes_fill_their_span_alone(Host& host) {
  for (std::size_t size : {0, 1, 7, 16, 255}) {
    std::vector<std::uint8_t> bytes(size + 2, 0xa5);
    host.random_bytes(std::span(bytes).subspan(1, size));
    if (bytes.front() != 0xa5 || bytes.back() != 0xa5)
      return "a byte beside a span of " + std::to_string(size) + " was changed";
  }
  return {};
}

// More at once than a browser gives in one call, and enough of them to see that they are spread evenly.
Failure many_random_bytes_are_even(Host& host) {
  constexpr std::size_t count = 200'000;
  std::vector<std::uint8_t> bytes(count);
  host.random_bytes(bytes);
  std::array<std::size_t, 256> seen{};
  for (const auto byte : bytes) ++seen[byte];
  for (std::size_t value = 0; value < seen.size(); ++value) {
    // 781 are expected, with a deviation of 28: eight of them apart is no chance.
    if (seen[value] < 557 || seen[value] > 1'005) {
      return "byte " + std::to_string(value) + " came " + std::to_string(seen[value]) + " times of " +
             std::to_string(count);
    }
  }
  return {};
}

Failure any_line_is_logged(Host& host) {
  for (const auto& line : {std::string(), std::string("plain"), std::string("{\"event\": \"é 😀\"}"),
                           std::string("a\0b", 3), std::string(100'000, 'x')}) {
    host.log(line);
  }
  return {};
}

Failure ids_ascend(Host& host) {
  std::string last;
  for (int i = 0; i < 5'000; ++i) {
    auto next = uuid_v7(host);
    if (next <= last) return next + " after " + last;
    last = std::move(next);
  }
  return {};
}

constexpr Check<Host> checks[] = {
    {"the clock counts milliseconds since 1970", the_clock_is_in_this_century},
    {"the clock never goes back", the_clock_never_goes_back},
    {"random bytes are never the same", random_bytes_differ},
    {"random bytes fill their span and nothing beside it", random_bytes_fill_their_span_alone},
    {"200,000 random bytes at once are spread evenly", many_random_bytes_are_even},
    {"any line is logged", any_line_is_logged},
    {"ids made with this host ascend", ids_ascend},
};

}  // namespace

std::span<const Check<Host>> host_checks() { return checks; }

}  // namespace stele::conformance
