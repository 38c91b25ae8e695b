// Error: what a caller can cause and is told about. Never used for broken invariants, which are assertions
// (assert.hpp).
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace stele {

// Thrown anywhere in the core, caught once at its face, answered as {"error": kind, "message", "hint"}.
// `kind` is a stable snake_case word that programs may switch on; `message` says what happened, naming the value;
// `hint` names the call or the change that would work.
class Error : public std::exception {
 public:
  Error(std::string kind, std::string message, std::string hint)
      : kind_(std::move(kind)), message_(std::move(message)), hint_(std::move(hint)) {}

  const std::string& kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string kind_;
  std::string message_;
  std::string hint_;
};

}  // namespace stele
