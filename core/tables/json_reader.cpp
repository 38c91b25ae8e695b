#include "tables/json_reader.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "tables/encoding.hpp"
#include "tables/typing.hpp"

namespace stele {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// A cell of a sheet that is a date or time: {"date": "2024-01-01"}.
Cell unwrapped(const Cell& cell) {
  for (const std::string_view key : {"{\"date\":\"", "{\"time\":\"", "{\"timestamp\":\""}) {
    if (cell.kind == CellKind::nested && cell.text.starts_with(key) && cell.text.ends_with("\"}")) {
      return {CellKind::text, cell.text.substr(key.size(), cell.text.size() - key.size() - 2)};
    }
  }
  return cell;
}

}  // namespace

JsonReader::JsonReader(std::unique_ptr<ByteSource> utf8, JsonLayout layout, std::size_t columns_max, bool check_utf8)
    : window_(std::move(utf8)),
      layout_(std::move(layout)),
      columns_max_(columns_max),
      names_(layout_.names),
      check_utf8_(check_utf8) {}

void JsonReader::rewind() {
  window_.rewind();
  line_ = 1;
  started_ = ended_ = false;
  malformed_ = {};
  blank_rows_ = 0;
  for (auto left = layout_.offset; left > 0;) {
    if (window_.begin() == window_.end())
      require(!window_.at_end() && window_.grow(), "the rows begin within the file");
    const auto step = static_cast<std::size_t>(
        std::min<std::uint64_t>(left, static_cast<std::size_t>(window_.end() - window_.begin())));
    take(step);
    left -= step;
  }
  if (layout_.kind == JsonLayout::Kind::cell_lines) {
    std::string_view header;
    if (!next_line(header)) return;
    names_.clear();
    try {
      for (const auto& element : scanner_.array(header)) names_.emplace_back(unwrapped(element.cell).text);
    } catch (const JsonFault& fault) {
      refuse(fault, header);
    }
  }
}

bool JsonReader::next() {
  std::string_view text;
  while (next_text(text)) {
    const auto names = names_.size();
    try {
      if (read_record(text)) return true;
    } catch (const JsonFault& fault) {
      // The only row of a file, or a line that a home wrote, is not passed over.
      if (layout_.kind == JsonLayout::Kind::document || layout_.kind == JsonLayout::Kind::cell_lines)
        refuse(fault, text);
      forget_names(names);
      pass_over(fault, text);
    }
  }
  return false;
}

// False if the record is nothing but nulls.
bool JsonReader::read_record(std::string_view text) {
  if (check_utf8_ && !is_utf8(text)) throw JsonFault{0, "is not UTF-8, though other parts of the file are"};
  const bool lists = layout_.kind == JsonLayout::Kind::lists || layout_.kind == JsonLayout::Kind::cell_lines;
  return lists ? read_list(text) : read_object(text);
}

void JsonReader::pass_over(const JsonFault& fault, std::string_view text) {
  malformed_.add(line_of(fault, text), fault.what);
}

// Those that only a malformed row has are no columns.
void JsonReader::forget_names(std::size_t count) {
  for (; names_.size() > count; names_.pop_back()) positions_.erase(names_.back());
}

bool JsonReader::next_text(std::string_view& text) {
  switch (layout_.kind) {
    case JsonLayout::Kind::lines:
    case JsonLayout::Kind::cell_lines:
      return next_line(text);
    case JsonLayout::Kind::list:
    case JsonLayout::Kind::lists:
      return next_element(text);
    case JsonLayout::Kind::document:
      return next_document(text);
  }
  return false;
}

// Gives up the front of the window, counting its lines.
void JsonReader::take(std::size_t bytes) {
  char* const begin = window_.begin();
  line_ += static_cast<std::uint64_t>(std::count(begin, begin + bytes, '\n'));
  window_.take_to(begin + bytes);
}

bool JsonReader::grow() {
  if (window_.at_end()) return false;
  if (!window_.grow()) refuse_line("begins a record longer than 32 MiB");
  return true;
}

// Passes over blanks; 0 at the end of the file.
char JsonReader::first_ahead() {
  for (;;) {
    const std::string_view ahead(window_.begin(), static_cast<std::size_t>(window_.end() - window_.begin()));
    const auto first = static_cast<std::size_t>(std::find_if_not(ahead.begin(), ahead.end(), is_blank) - ahead.begin());
    take(first);
    if (first < ahead.size()) return *window_.begin();
    if (!grow()) return '\0';
  }
}

bool JsonReader::next_line(std::string_view& line) {
  if (first_ahead() == '\0') return false;
  for (;;) {
    char* const begin = window_.begin();
    char* const end = std::find(begin, window_.end(), '\n');
    if (end == window_.end() && grow()) continue;
    record_line_ = line_;
    line = {begin, static_cast<std::size_t>(end - begin)};
    take(line.size());
    return true;
  }
}

bool JsonReader::next_element(std::string_view& element) {
  if (ended_) return false;
  char first = first_ahead();
  if (started_ && first == ',') {
    take(1);
    first = first_ahead();
    if (first == ']') refuse_line("has a comma with no row behind it");
  } else if (started_ && first != ']') {
    refuse_line(first ? "has a row that no comma parts from the one before"
                      : "ends before the list does: the file is cut off");
  }
  started_ = true;
  if (first == ']') {
    take(1);
    ended_ = true;
    check_end();
    return false;
  }
  record_line_ = line_;
  for (;;) {
    const std::string_view ahead(window_.begin(), static_cast<std::size_t>(window_.end() - window_.begin()));
    const auto end = json_value_end(ahead);
    if (!end) {
      if (grow()) continue;
      refuse_line("begins a row that never ends: the file is cut off");
    }
    element = ahead.substr(0, *end);
    take(*end);
    if (element.empty()) refuse_line("has something that is no JSON value");
    return true;
  }
}

bool JsonReader::next_document(std::string_view& document) {
  if (started_ || first_ahead() == '\0') return false;
  started_ = true;
  record_line_ = line_;
  while (grow()) {
  }
  document = {window_.begin(), static_cast<std::size_t>(window_.end() - window_.begin())};
  take(document.size());
  return true;
}

// Nothing may follow a list that is the whole file.
void JsonReader::check_end() {
  if (layout_.enveloped || first_ahead() == '\0') return;
  record_line_ = line_;
  refuse_line("has more text behind the list");
}

bool JsonReader::read_object(std::string_view text) {
  if (text[0] != '{') throw JsonFault{0, "is no object"};
  const auto& members = scanner_.object(text);
  cells_.assign(names_.size(), Cell{});
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto position = position_of(members[i], i);
    if (cells_[position].kind != CellKind::absent)
      throw JsonFault{0, "has the key " + in_quotes(members[i].key) + " twice"};
    cells_[position] = members[i].cell;
  }
  return true;
}

// Most rows have their keys in one order, so the next key is most likely the next column.
std::size_t JsonReader::position_of(const JsonMember& member, std::size_t guess) {
  if (guess < names_.size() && names_[guess] == member.key) return guess;
  if (positions_.size() < names_.size()) {
    for (std::size_t i = 0; i < names_.size(); ++i) positions_.emplace(names_[i], i);
  }
  const auto [found, added] = positions_.emplace(std::string(member.key), names_.size());
  if (added) {
    if (names_.size() == columns_max_) {
      throw Error("too_many_columns", "The rows have more than " + std::to_string(columns_max_) + " different keys.",
                  "Perhaps a key holds data; a table has at most " + std::to_string(columns_max_) + " columns.");
    }
    names_.emplace_back(member.key);
    cells_.emplace_back();
  }
  return found->second;
}

bool JsonReader::read_list(std::string_view text) {
  if (text[0] != '[') throw JsonFault{0, "is no list"};
  const auto& elements = scanner_.array(text);
  if (elements.size() > columns_max_) refuse_line("has more than " + std::to_string(columns_max_) + " cells");
  cells_.assign(names_.size(), Cell{CellKind::null, {}});
  if (cells_.size() < elements.size()) cells_.resize(elements.size());
  bool blank = true;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    cells_[i] = layout_.kind == JsonLayout::Kind::cell_lines ? unwrapped(elements[i].cell) : elements[i].cell;
    blank = blank && !cells_[i].holds_value();
  }
  if (blank) ++blank_rows_;
  return !blank;
}

std::uint64_t JsonReader::line_of(const JsonFault& fault, std::string_view text) const {
  const auto before = text.substr(0, fault.offset);
  return record_line_ + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
}

void JsonReader::refuse(const JsonFault& fault, std::string_view text) const {
  throw Error("invalid_json", "Line " + std::to_string(line_of(fault, text)) + " " + fault.what + ".",
              "Correct the line, or export the file again.");
}

void JsonReader::refuse_line(const std::string& what) const { refuse({0, what}, {}); }

}  // namespace stele
