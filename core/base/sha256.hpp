// Sha256: the digest by which bytes are named (FIPS 180-4), fed piece by piece. It never holds more than one block of
// input.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stele {

class Sha256 {
 public:
  void update(std::span<const std::uint8_t> bytes);
  // The digest of all that was fed, as 64 lower-case hex digits. Ends this object: nothing is fed or asked afterwards.
  std::string hex();

 private:
  void compress(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> block_{};
  std::uint64_t size_ = 0;  // bytes fed so far
};

std::string sha256_hex(std::span<const std::uint8_t> bytes);
std::string sha256_hex(std::string_view text);

}  // namespace stele
