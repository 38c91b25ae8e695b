// libFuzzer's entry: one executable a target, which STELE_FUZZ_TARGET names.
#include <cstdint>

#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  stele::fuzz::STELE_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
