#include "engine/wildcards.hpp"

#include "duckdb/common/exception.hpp"

namespace stele {

namespace {

constexpr std::size_t none = std::string_view::npos;

// Where one element of a pattern and what it took of the text end; `text` is none where they do not match.
struct Ends {
  std::size_t text = none;
  std::size_t pattern = none;
};

// What an element takes never ends earlier for beginning later. So the first place where the elements between two runs
// match is as good as any: only the last run needs to be tried again, longer by a byte each time.
template <class Syntax>
bool matches(std::string_view text, std::string_view pattern, const Syntax& syntax) {
  std::size_t at = 0;
  std::size_t element = 0;
  std::size_t run_end = none;  // of the text, as the last run of any bytes takes it
  std::size_t after_run = 0;   // in the pattern
  while (true) {
    if (element < pattern.size() && syntax.is_run(pattern[element])) {
      if (++element == pattern.size()) return true;
      run_end = at;
      after_run = element;
      continue;
    }
    if (at == text.size()) return element == pattern.size();
    const Ends ends = element < pattern.size() ? syntax.take(text, at, pattern, element) : Ends();
    if (ends.text != none) {
      at = ends.text;
      element = ends.pattern;
      continue;
    }
    if (run_end == none) return false;
    at = ++run_end;
    element = after_run;
  }
}

bool is_inside_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

struct LikeSyntax {
  std::optional<char> escape;

  bool is_run(char byte) const { return byte == '%' && byte != escape; }

  Ends take(std::string_view text, std::size_t at, std::string_view pattern, std::size_t element) const {
    char wanted = pattern[element++];
    if (wanted == escape) {
      if (element == pattern.size()) throw duckdb::SyntaxException("Like pattern must not end with escape character!");
      wanted = pattern[element++];
    } else if (wanted == '_') {
      at++;
      while (at < text.size() && is_inside_character(text[at])) at++;
      return {at, element};
    }
    return text[at] == wanted ? Ends{at + 1, element} : Ends();
  }
};

char ascii_lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte; }

struct FoldedLikeSyntax {
  bool is_run(char byte) const { return byte == '%'; }

  Ends take(std::string_view text, std::size_t at, std::string_view pattern, std::size_t element) const {
    const char wanted = pattern[element];
    const bool is_taken = wanted == '_' || ascii_lower(text[at]) == ascii_lower(wanted);
    return is_taken ? Ends{at + 1, element + 1} : Ends();
  }
};

struct GlobSyntax {
  bool is_run(char byte) const { return byte == '*'; }

  Ends take(std::string_view text, std::size_t at, std::string_view pattern, std::size_t element) const {
    char wanted = pattern[element++];
    if (wanted == '?') return {at + 1, element};
    if (wanted == '[') return take_set(text, at, pattern, element);
    if (wanted == '\\') {
      if (element == pattern.size()) return {};
      wanted = pattern[element++];
    }
    return text[at] == wanted ? Ends{at + 1, element} : Ends();
  }

 private:
  // `element` is behind the opening bracket. A set that is not closed matches nothing.
  static Ends take_set(std::string_view text, std::size_t at, std::string_view pattern, std::size_t element) {
    const char byte = text[at];
    const bool is_outside = element < pattern.size() && pattern[element] == '!';
    if (is_outside) element++;
    bool is_in_set = false;
    for (const std::size_t first = element; element < pattern.size();) {
      if (pattern[element] == ']' && element > first)
        return is_in_set != is_outside ? Ends{at + 1, element + 1} : Ends();
      const bool is_range = element + 2 < pattern.size() && pattern[element + 1] == '-';
      const char last = is_range ? pattern[element + 2] : pattern[element];
      is_in_set = is_in_set || (byte >= pattern[element] && byte <= last);
      element += is_range ? 3 : 1;
    }
    return {};
  }
};

}  // namespace

bool matches_like(std::string_view text, std::string_view pattern, std::optional<char> escape) {
  return matches(text, pattern, LikeSyntax{escape});
}

bool matches_like_ascii_folded(std::string_view text, std::string_view pattern) {
  return matches(text, pattern, FoldedLikeSyntax{});
}

bool matches_glob(std::string_view text, std::string_view pattern) { return matches(text, pattern, GlobSyntax{}); }

}  // namespace stele
