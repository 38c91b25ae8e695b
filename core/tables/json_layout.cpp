#include "tables/json_layout.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "tables/json_path.hpp"
#include "tables/json_scan.hpp"
#include "tables/typing.hpp"

namespace stele {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::size_t members_max = 1'000;
constexpr std::size_t key_bytes_max = 200;
constexpr std::size_t names_bytes_max = std::size_t{1} << 20;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// A member of the outermost object: its key as written, and what its value begins with.
struct Member {
  std::string key;
  char first = 0;            // '{', '[', '"', …
  char first_inside = 0;     // of a list: what its first element begins with, ']' if it is empty
  std::uint64_t inside = 0;  // of a list: where that stands
};

// Follows brackets and strings through a document of any size and keeps the outermost members.
class OutlineScanner {
 public:
  std::vector<Member> members;
  std::uint64_t members_count = 0;
  std::uint64_t lines = 1;

  void feed(std::string_view block) {
    for (const char c : block) {
      step(c);
      ++offset_;
    }
  }
  bool complete() const { return started_ && depth_ == 0 && !in_string_; }

 private:
  void step(char c) {
    if (c == '\n') ++lines;
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
        return;
      }
      if (in_key_ && key_.size() < key_bytes_max) key_ += c;
      return;
    }
    if (is_blank(c)) return;
    note(c);
    if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      started_ = true;
      ++depth_;
    } else if ((c == '}' || c == ']') && depth_ > 0) {
      --depth_;
    }
  }

  // A character that is not blank and not within a string.
  void note(char c) {
    if (list_begins_ && depth_ == 2) {
      if (members_count <= members_max) members.back().first_inside = c, members.back().inside = offset_;
    }
    list_begins_ = false;
    if (depth_ != 1) return;
    if (c == ':') {
      in_key_ = false;
      value_begins_ = true;
    } else if (c == ',') {
      value_begins_ = false;
    } else if (value_begins_) {
      value_begins_ = false;
      list_begins_ = c == '[';
      if (++members_count <= members_max) members.push_back({key_, c});
    } else if (c == '"') {
      in_key_ = true;
      key_.clear();
    }
  }

  std::uint64_t offset_ = 0;
  std::uint64_t depth_ = 0;
  bool started_ = false, in_string_ = false, escaped_ = false, in_key_ = false, value_begins_ = false,
       list_begins_ = false;
  std::string key_;
};

std::string text_from(ByteSource& bytes, std::uint64_t offset, std::size_t count) {
  auto text = head_of(bytes, static_cast<std::size_t>(offset) + count);
  return text.substr(std::min<std::size_t>(text.size(), offset));
}

// The strings of the list at `offset`; nothing if it holds anything else.
std::optional<std::vector<std::string>> strings_at(ByteSource& bytes, std::uint64_t list_begin) {
  if (list_begin > names_bytes_max) return {};
  const auto text = "[" + text_from(bytes, list_begin, names_bytes_max);
  const auto end = json_value_end(text);
  if (!end) return {};
  std::vector<std::string> strings;
  JsonScanner scanner;
  try {
    for (const auto& element : scanner.array(std::string_view(text).substr(0, *end))) {
      if (element.cell.kind != CellKind::text) return {};
      strings.emplace_back(element.cell.text);
    }
  } catch (const JsonFault&) {
    return {};
  }
  return strings;
}

std::string keys_of(const std::vector<const Member*>& members) {
  std::string keys;
  for (std::size_t i = 0; i < members.size() && i < 10; ++i) keys += (i ? ", " : "") + in_quotes(members[i]->key);
  return members.size() > 10 ? keys + ", …" : keys;
}

// The layout of an object: rows in the one list it holds, else itself.
JsonLayout layout_of(const OutlineScanner& outline, ByteSource& bytes) {
  std::vector<const Member*> lists, rest;
  const Member* names = nullptr;
  const Member* lists_of_lists = nullptr;
  for (const auto& member : outline.members) {
    const bool named = member.key == "columns" || member.key == "fields" || member.key == "header";
    if (member.first == '[' && member.first_inside == '[') lists_of_lists = &member;
    if (member.first == '[' && member.first_inside == '"' && named) names = &member;
    (member.first == '[' && member.first_inside == '{' ? lists : rest).push_back(&member);
  }
  if (lists.size() > 1) {
    throw Error("ambiguous_rows", "The file holds several lists of rows: " + keys_of(lists) + ".",
                "Set records_path to the key of one of them, and import each list on its own.");
  }
  JsonLayout layout;
  if (lists.size() == 1) {
    layout = {JsonLayout::Kind::list, lists[0]->inside, true, {}, lists[0]->key, {}};
    if (!rest.empty()) {
      layout.warnings.push_back({"left_out",
                                 "The rows were read from " + in_quotes(lists[0]->key) +
                                     "; what stands beside it was left out: " + keys_of(rest) + ".",
                                 "",
                                 {},
                                 {},
                                 rest.size()});
    }
    return layout;
  }
  if (lists_of_lists && names) {
    if (auto written = strings_at(bytes, names->inside)) {
      layout = {JsonLayout::Kind::lists, lists_of_lists->inside, true, std::move(*written), lists_of_lists->key, {}};
      layout.warnings.push_back({"shape_found",
                                 "The rows were read from " + in_quotes(lists_of_lists->key) +
                                     ", their columns' names from " + in_quotes(names->key) + ".",
                                 "",
                                 {},
                                 {},
                                 {}});
      return layout;
    }
  }
  layout = {JsonLayout::Kind::document, 0, false, {}, {}, {}};
  layout.warnings.push_back(
      {"shape_found",
       "The file is one JSON object and not a list, so it became one row, a column for each of its " +
           std::to_string(outline.members_count) +
           " members. If it holds the rows deeper down, set records_path to the keys that lead there.",
       "",
       {},
       {},
       outline.members_count});
  return layout;
}

// The layout of the list that a caller named.
JsonLayout layout_at(const JsonPathScanner& path, const std::string& records_path, const OutlineScanner& outline) {
  const bool list = path.found() && path.first() == '[';
  if (!list || (path.first_inside() != '{' && path.first_inside() != '[')) {
    std::vector<const Member*> members;
    for (const auto& member : outline.members) members.push_back(&member);
    throw Error(
        "unknown_records_path",
        path.found() ? "What stands under " + in_quotes(records_path) + " is no list of rows."
                     : "There is nothing under " + in_quotes(records_path) + " in the file.",
        "Name the keys that lead to the list of rows, parted by \"/\"; the outermost are " + keys_of(members) + ".");
  }
  const auto kind = path.first_inside() == '{' ? JsonLayout::Kind::list : JsonLayout::Kind::lists;
  return {kind, path.inside(), true, {}, records_path, {}};
}

}  // namespace

Task<JsonLayout> find_json_layout(ByteSource& utf8, std::uint64_t size, std::optional<std::string> records_path) {
  const auto head = head_of(utf8, 64 << 10);
  const auto first = head.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw Error("empty_file", "The file is empty.", "Check the address or the export.");
  if (head[first] == '[') {
    if (records_path) {
      throw Error("unknown_records_path", "The file is a list of rows itself, without keys that lead to it.",
                  "Leave records_path out.");
    }
    const auto inside = head.find_first_not_of(" \t\r\n", first + 1);
    const char element = inside == std::string::npos ? ' ' : head[inside];
    if (element == ']') {
      throw Error("no_rows", "The file is an empty list: it has no rows, and no columns are known.",
                  "A table begins with at least one row.");
    }
    if (element != '{') {
      throw Error("no_rows", "The file is a list whose first element is no object.",
                  "Rows are objects: [{\"name\": \"Ada\"}, …].");
    }
    co_return JsonLayout{JsonLayout::Kind::list, inside, false, {}, {}, {}};
  }
  if (head[first] != '{') {
    throw Error("invalid_json", "The file is called JSON but begins with " + in_quotes(head.substr(first, 20)) + ".",
                "JSON rows are a list of objects.");
  }
  OutlineScanner outline;
  JsonPathScanner path(records_path.value_or(""));
  std::string block(block_bytes, '\0');
  std::uint64_t done = 0;
  while (const auto count = utf8.read(block)) {
    outline.feed(std::string_view(block).substr(0, count));
    if (records_path) path.feed(std::string_view(block).substr(0, count));
    done += count;
    Progress progress{static_cast<double>(done), static_cast<double>(size), "looking for the rows"};
    co_await end_slice(progress);
  }
  if (!outline.complete()) {
    throw Error("invalid_json",
                "The file ends on line " + std::to_string(outline.lines) + " within a value: it is cut off.",
                "Get the file again.");
  }
  auto layout = records_path ? layout_at(path, *records_path, outline) : layout_of(outline, utf8);
  utf8.rewind();
  co_return layout;
}

}  // namespace stele
