#include "tables/json_path.hpp"

#include <algorithm>

namespace stele {
namespace {

constexpr std::size_t key_bytes_max = 1'000;

std::string unescaped(std::string_view part) {
  std::string key;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool escape = part[i] == '~' && i + 1 < part.size() && (part[i + 1] == '0' || part[i + 1] == '1');
    key += escape ? (part[++i] == '1' ? '/' : '~') : part[i];
  }
  return key;
}

}  // namespace

JsonPathScanner::JsonPathScanner(std::string_view path) {
  if (path.starts_with('/')) path.remove_prefix(1);
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find('/', begin), path.size());
    keys_.push_back(unescaped(path.substr(begin, end - begin)));
    begin = end + 1;
  }
}

void JsonPathScanner::feed(std::string_view block) {
  for (const char c : block) {
    if (expect_ == Expect::nothing) return;
    step(c);
    ++offset_;
  }
}

void JsonPathScanner::step(char c) {
  if (in_string_) {
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
      return;
    }
    if (depth_ == matched_ + 1 && string_.size() < key_bytes_max) string_ += c;
    return;
  }
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return;
  note(c);
  if (c == '"') {
    in_string_ = true;
    string_.clear();
  } else if (c == '{' || c == '[') {
    ++depth_;
  } else if ((c == '}' || c == ']') && depth_ > 0) {
    // The object that had to hold the next key is closed.
    if (--depth_ <= matched_) expect_ = Expect::nothing;
  }
}

// A character that is not blank and not within a string.
void JsonPathScanner::note(char c) {
  if (expect_ == Expect::inside) {
    first_inside_ = c;
    inside_ = offset_;
    expect_ = Expect::nothing;
  } else if (expect_ == Expect::value) {
    if (matched_ + 1 == keys_.size()) {
      first_ = c;
      expect_ = c == '[' ? Expect::inside : Expect::nothing;
    } else if (c == '{') {
      ++matched_;
      expect_ = Expect::key;
    } else {
      expect_ = Expect::nothing;
    }
  } else if (c == ':' && depth_ == matched_ + 1 && string_ == keys_[matched_]) {
    expect_ = Expect::value;
  }
}

}  // namespace stele
