#include "tables/json_scan.hpp"

#include <algorithm>
#include <utility>

namespace stele {
namespace {

constexpr int depth_max = 200;
constexpr std::string_view blanks = " \t\r\n";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char folded = static_cast<char>(c | 0x20);
  return folded >= 'a' && folded <= 'f' ? folded - 'a' + 10 : -1;
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int extra = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(leads[extra] | code >> (6 * extra));
  for (int shift = 6 * (extra - 1); shift >= 0; shift -= 6) out += static_cast<char>(0x80 | (code >> shift & 0x3F));
}

// Nested text without the blanks between its parts.
std::string without_blanks(std::string_view text) {
  std::string shorter;
  shorter.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string || blanks.find(c) == std::string_view::npos) shorter += c;
    if (in_string && c == '\\') shorter += text[++i];
    if (c == '"') in_string = !in_string;
  }
  return shorter;
}

// Past the closing quote of the string that opens at `at`.
std::optional<std::size_t> string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  return {};
}

}  // namespace

std::optional<std::size_t> json_value_end(std::string_view text, std::size_t at) {
  at = text.find_first_not_of(blanks, at);
  if (at == std::string_view::npos) return {};
  std::size_t depth = 0;
  do {
    const char c = text[at];
    if (c == '"') {
      const auto end = string_end(text, at);
      if (!end) return {};
      at = *end;
    } else if (c == '{' || c == '[') {
      ++depth;
      ++at;
    } else if (c == '}' || c == ']') {
      if (depth > 0) ++at, --depth;
    } else if (depth > 0) {
      ++at;
    } else {
      at = text.find_first_of(",:[]{}\"\t\r\n ", at);
      if (at == std::string_view::npos) return {};
    }
  } while (depth > 0 && at < text.size());
  if (depth > 0) return {};
  return at;
}

const std::vector<JsonMember>& JsonScanner::object(std::string_view text) {
  begin(text);
  expect('{');
  if (skip_blanks() == '}') {
    ++at_;
    return end(), members_;
  }
  for (;;) {
    skip_blanks();
    const auto key = string();
    skip_blanks();
    expect(':');
    skip_blanks();
    members_.push_back({key, value()});
    if (skip_blanks() == '}') break;
    expect(',');
  }
  ++at_;
  return end(), members_;
}

const std::vector<JsonMember>& JsonScanner::array(std::string_view text) {
  begin(text);
  expect('[');
  if (skip_blanks() == ']') {
    ++at_;
    return end(), members_;
  }
  for (;;) {
    skip_blanks();
    members_.push_back({{}, value()});
    if (skip_blanks() == ']') break;
    expect(',');
  }
  ++at_;
  return end(), members_;
}

void JsonScanner::begin(std::string_view text) {
  text_ = text;
  at_ = 0;
  members_.clear();
  kept_count_ = 0;
  skip_blanks();
}

void JsonScanner::end() {
  skip_blanks();
  if (at_ != text_.size()) fault("has more text behind its value");
}

Cell JsonScanner::value() {
  const auto begin = at_;
  const char c = at_ < text_.size() ? text_[at_] : '\0';
  if (c == '"') return {CellKind::text, string()};
  check_value(1);
  const auto text = text_.substr(begin, at_ - begin);
  if (c == 'n') return {CellKind::null, {}};
  if (c == 't' || c == 'f') return {CellKind::boolean, text};
  if (c != '{' && c != '[') return {CellKind::number, text};
  if (text.find_first_of(blanks) == std::string_view::npos) return {CellKind::nested, text};
  return {CellKind::nested, keep(without_blanks(text))};
}

// A string's text, unescaped if it has to be.
std::string_view JsonScanner::string() {
  const auto begin = at_ + 1;
  check_string();
  const auto raw = text_.substr(begin, at_ - begin - 1);
  if (raw.find('\\') == std::string_view::npos) return raw;
  std::string text;
  text.reserve(raw.size());
  const auto unit = [&](std::size_t at) {
    unsigned code = 0;
    for (std::size_t i = 0; i < 4; ++i) code = code << 4 | static_cast<unsigned>(hex_digit(raw[at + i]));
    return code;
  };
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      text += raw[i];
      continue;
    }
    switch (const char c = raw[++i]) {
      case 'b':
        text += '\b';
        break;
      case 'f':
        text += '\f';
        break;
      case 'n':
        text += '\n';
        break;
      case 'r':
        text += '\r';
        break;
      case 't':
        text += '\t';
        break;
      case 'u': {
        auto code = unit(i + 1);
        i += 4;
        if (code >= 0xD800 && code < 0xDC00) {
          code = 0x10000 + ((code - 0xD800) << 10) + (unit(i + 3) - 0xDC00);
          i += 6;
        }
        append_utf8(text, code);
        break;
      }
      default:
        text += c;
    }
  }
  return keep(std::move(text));
}

void JsonScanner::check_string() {
  expect('"');
  unsigned pending = 0;  // a high surrogate that waits for its other half
  for (;; ++at_) {
    if (at_ >= text_.size()) fault("ends within a string");
    const auto c = static_cast<unsigned char>(text_[at_]);
    const bool unicode = c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == 'u';
    if (pending && !unicode) fault("has half of a \\u pair");
    if (c == '"') break;
    if (c < 0x20) fault("has a control character or a line end within a string");
    if (c != '\\') continue;
    ++at_;
    if (!unicode) {
      if (at_ >= text_.size() || std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos)
        fault("has an unknown escape in a string");
      continue;
    }
    unsigned code = 0;
    for (std::size_t i = 1; i <= 4; ++i) {
      const int digit = at_ + i < text_.size() ? hex_digit(text_[at_ + i]) : -1;
      if (digit < 0) fault("has a \\u escape without four hexadecimal digits");
      code = code << 4 | static_cast<unsigned>(digit);
    }
    at_ += 4;
    const bool low = code >= 0xDC00 && code < 0xE000;
    if (low != (pending != 0)) fault("has half of a \\u pair");
    pending = code >= 0xD800 && code < 0xDC00 ? code : 0;
  }
  ++at_;
}

void JsonScanner::check_number() {
  const auto digits = [&] {
    const auto begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ == begin) fault("has something that is no JSON number");
  };
  if (text_[at_] == '-') ++at_;
  if (at_ < text_.size() && text_[at_] == '0') {
    ++at_;
    if (at_ < text_.size() && is_digit(text_[at_])) fault("has a number with a leading zero, which JSON does not know");
  } else {
    digits();
  }
  if (at_ < text_.size() && text_[at_] == '.') ++at_, digits();
  if (at_ < text_.size() && (text_[at_] | 0x20) == 'e') {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    digits();
  }
}

void JsonScanner::check_word(std::string_view word) {
  if (text_.substr(at_, word.size()) != word) {
    const auto end = text_.find_first_of(",:[]{}\" \t\r\n", at_);
    fault("has \"" + std::string(text_.substr(at_, std::min<std::size_t>(end - at_, 40))) +
          "\", which is no JSON value");
  }
  at_ += word.size();
}

void JsonScanner::check_value(int depth) {
  if (depth > depth_max) fault("is nested deeper than " + std::to_string(depth_max) + " levels");
  const char c = at_ < text_.size() ? text_[at_] : '\0';
  switch (c) {
    case '\0':
      fault("ends within a value");
    case '"':
      return check_string();
    case '{':
      return check_members(depth, '}');
    case '[':
      return check_members(depth, ']');
    case 't':
      return check_word("true");
    case 'f':
      return check_word("false");
    case 'n':
      return check_word("null");
    default:
      break;
  }
  const bool number = is_digit(c) || (c == '-' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]));
  if (!number) check_word(" ");
  check_number();
}

void JsonScanner::check_members(int depth, char close) {
  ++at_;
  if (skip_blanks() == close) {
    ++at_;
    return;
  }
  for (;;) {
    skip_blanks();
    if (close == '}') {
      check_string();
      skip_blanks();
      expect(':');
      skip_blanks();
    }
    check_value(depth + 1);
    if (skip_blanks() == close) break;
    expect(',');
  }
  ++at_;
}

char JsonScanner::skip_blanks() {
  while (at_ < text_.size() && blanks.find(text_[at_]) != std::string_view::npos) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

void JsonScanner::expect(char c) {
  if (at_ >= text_.size()) fault(std::string("ends where '") + c + "' should stand");
  if (text_[at_] != c) fault(std::string("has '") + text_[at_] + "' where '" + c + "' should stand");
  ++at_;
}

// Strings are used again for every record, so that escapes cost no allocation each.
std::string_view JsonScanner::keep(std::string text) {
  if (kept_count_ == kept_.size()) kept_.push_back(std::make_unique<std::string>());
  auto& kept = *kept_[kept_count_++];
  kept.swap(text);
  return kept;
}

void JsonScanner::fault(std::string what) const { throw JsonFault{at_, std::move(what)}; }

}  // namespace stele
