// Invariants: checks that stay on in production. Never for what a caller can cause (that is Error).
#pragma once

#include <stdexcept>

namespace stele {

// A broken invariant. The face answers it as the error kind "internal" and the home replaces the instance.
class InvariantBroken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool holds, const char* invariant) {
  if (!holds) throw InvariantBroken(invariant);
}

}  // namespace stele
