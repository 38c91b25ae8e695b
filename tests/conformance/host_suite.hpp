// The conformance suite of Host: what core/base/host.hpp promises, asserted of any implementation. It never waits.
#pragma once

#include <span>

#include "base/host.hpp"
#include "conformance/check.hpp"

namespace stele::conformance {

// In any order.
std::span<const Check<Host>> host_checks();

}  // namespace stele::conformance
