// Host: what the core cannot know by itself. The core reads no clock, draws no randomness and opens no file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stele {

class Host {
 public:
  virtual ~Host() = default;

  // Milliseconds since 1970-01-01T00:00:00Z. May stand still within a slice, never goes back.
  virtual std::int64_t now_ms() = 0;

  // Fills `bytes` from a cryptographically secure source.
  virtual void random_bytes(std::span<std::uint8_t> bytes) = 0;

  // One structured line for the operator. Never holds a cell value.
  virtual void log(std::string_view line) = 0;

 private:
  // What keeps ids in order while the clock stands still: here and not in a global, so that the same host and the same
  // randomness give the same ids.
  friend std::string uuid_v7(Host& host);
  struct LastUuid {
    std::int64_t ms = -1;
    std::uint16_t counter = 0;
  };
  LastUuid last_uuid_;
};

}  // namespace stele
