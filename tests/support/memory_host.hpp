// MemoryHost: a host whose clock moves only when told, whose randomness repeats, and whose log can be read. For tests
// alone.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/host.hpp"

namespace stele {

class MemoryHost : public Host {
 public:
  static constexpr std::int64_t start_ms = 1'700'000'000'000;  // 2023-11-14T22:13:20Z

  explicit MemoryHost(std::uint64_t seed = 1) : random_(seed) {}

  std::int64_t now_ms() override { return now_ms_; }
  void random_bytes(std::span<std::uint8_t> bytes) override {
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random_() >> 32);
  }
  void log(std::string_view line) override { lines_.emplace_back(line); }

  void advance(std::int64_t ms) { now_ms_ += ms; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::int64_t now_ms_ = start_ms;
  std::mt19937_64 random_;
  std::vector<std::string> lines_;
};

}  // namespace stele
