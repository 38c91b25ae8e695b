// Every host that tests use keeps what Host promises.
#include <catch2/catch.hpp>

#include "conformance/host_suite.hpp"
#include "support/memory_host.hpp"

using namespace stele;

TEST_CASE("MemoryHost keeps every promise of Host") {
  for (const auto& check : conformance::host_checks()) {
    DYNAMIC_SECTION(check.name) {
      MemoryHost host;
      CHECK(conformance::run<Host>(check, host).value_or("") == "");
    }
  }
}
