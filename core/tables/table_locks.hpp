// Table locks: writes to one table follow one another within a core. Between cores, the store's uniqueness of versions
// does.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "base/task.hpp"

namespace stele {

class TableLocks {
 public:
  // Held until destroyed, also when the call is cancelled.
  class Held {
   public:
    Held(std::shared_ptr<std::set<std::string>> locked, std::string path)
        : locked_(std::move(locked)), path_(std::move(path)) {}
    Held(Held&&) noexcept = default;
    Held& operator=(Held&&) = delete;
    ~Held() {
      if (locked_) locked_->erase(path_);
    }

   private:
    std::shared_ptr<std::set<std::string>> locked_;
    std::string path_;
  };

  // Ends slices until the table is free.
  Task<Held> lock(std::string path) {
    std::shared_ptr<std::set<std::string>> locked = locked_;
    while (!locked->insert(path).second) co_await end_slice({0, 0, "waiting for another write"});
    co_return Held(std::move(locked), std::move(path));
  }

 private:
  std::shared_ptr<std::set<std::string>> locked_ = std::make_shared<std::set<std::string>>();
};

}  // namespace stele
