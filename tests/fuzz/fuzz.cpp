// libFuzzer's entry: one executable a target, which STELE_FUZZ_TARGET names.
#include <cstdint>

#include "target.hpp"

// DuckDB 1.4.4 forgets what aggregates such as histogram and mode hold of their groups where a query is given up before
// all its groups are gathered. Nothing of ours can free that.
extern "C" const char* __lsan_default_suppressions() { return "leak:ub_duckdb_core_functions_\n"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  stele::fuzz::STELE_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
