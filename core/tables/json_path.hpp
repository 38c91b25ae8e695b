// JSON path: where in a document of any size the value at a path of keys begins. It follows brackets and strings alone,
// and checks nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stele {

class JsonPathScanner {
 public:
  // Keys parted by "/", a "/" before the first allowed; "~1" stands for "/" in a key, "~0" for "~".
  explicit JsonPathScanner(std::string_view path);

  // The document, block by block from its front.
  void feed(std::string_view block);

  bool found() const { return first_ != 0; }
  char first() const { return first_; }                // what the value begins with
  char first_inside() const { return first_inside_; }  // of a list: what its first element begins with, ']' if none
  std::uint64_t inside() const { return inside_; }     // of a list: where that stands

 private:
  enum class Expect { key, value, inside, nothing };
  void step(char c);
  void note(char c);

  std::vector<std::string> keys_;
  std::size_t matched_ = 0;  // keys whose objects are open
  std::size_t depth_ = 0;
  std::uint64_t offset_ = 0;
  Expect expect_ = Expect::key;
  bool in_string_ = false, escaped_ = false;
  std::string string_;  // the last one in the object that is searched
  char first_ = 0, first_inside_ = 0;
  std::uint64_t inside_ = 0;
};

}  // namespace stele
