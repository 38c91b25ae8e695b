// Check: one promise of a port as a named function, so that the same list runs natively under Catch2 and inside a WASM
// module against a home's own implementation. It knows no test framework.
#pragma once

#include <exception>
#include <optional>
#include <string>

namespace stele::conformance {

// What was seen instead of what is promised; nothing if the promise is kept.
using Failure = std::optional<std::string>;

template <class Port>
struct Check {
  const char* name;  // a sentence
  Failure (*run)(Port& port);
};

// Runs one check; an exception that it did not expect is a failure too.
template <class Port>
Failure run(const Check<Port>& check, Port& port) {
  try {
    return check.run(port);
  } catch (const std::exception& error) {
    return std::string("threw: ") + error.what();
  }
}

}  // namespace stele::conformance
