// JSON scan: from JSON text to its parts, by the grammar of RFC 8259 and nothing beyond it. It keeps text as written:
// digits, escapes and order are the caller's to read.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/record_reader.hpp"

namespace stele {

// What is wrong and where, as an offset into the text; callers turn it into an Error with a line.
struct JsonFault {
  std::size_t offset = 0;
  std::string what;  // ends the sentence "Line 2 …"
};

// The end of the value that begins at `at` (blanks before it are passed over), by brackets and strings alone; nothing
// if the text ends within it. A bare word or number ends where text that cannot belong to it begins.
std::optional<std::size_t> json_value_end(std::string_view text, std::size_t at = 0);

struct JsonMember {
  std::string_view key;  // unescaped
  Cell cell;             // unescaped text; nested values as written but without blanks between their parts
};

// Takes whole values apart. Results borrow from the text and from the scanner, until the next call.
class JsonScanner {
 public:
  // The members of the object that `text` is, blanks around it allowed. Throws JsonFault.
  const std::vector<JsonMember>& object(std::string_view text);
  // The elements of the array that `text` is.
  const std::vector<JsonMember>& array(std::string_view text);

 private:
  void begin(std::string_view text);
  void end();
  Cell value();
  std::string_view string();
  void check_string();
  void check_number();
  void check_word(std::string_view word);
  void check_value(int depth);
  void check_members(int depth, char close);
  char skip_blanks();
  void expect(char c);
  std::string_view keep(std::string text);
  [[noreturn]] void fault(std::string what) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<JsonMember> members_;
  std::vector<std::unique_ptr<std::string>> kept_;  // unescaped and shortened text
  std::size_t kept_count_ = 0;
};

}  // namespace stele
