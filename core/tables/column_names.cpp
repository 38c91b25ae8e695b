#include "tables/column_names.hpp"

#include <cstdio>
#include <unordered_set>

#include "tables/typing.hpp"

namespace stele {
namespace {

constexpr std::size_t renames_told_max = 50;

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

// `text` is valid UTF-8.
Character character_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  char32_t code = first & (0x7F >> bytes);
  for (std::size_t i = 1; i < bytes && at + i < text.size(); ++i)
    code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3F);
  return {code, bytes};
}

bool is_blank(char32_t c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

// Takes no room on the screen: controls, zero-width characters, directional marks. The joiner stays: emoji are made
// with it.
bool is_invisible(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x200B || c == 0x200C || c == 0x200E || c == 0x200F ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

bool is_combining(char32_t c) { return c >= 0x300 && c <= 0x36F; }

// The name with blanks as single spaces within and none around, and without what cannot be seen.
std::string visible(std::string_view written) {
  std::string name;
  bool blank = false;
  for (std::size_t at = 0; at < written.size();) {
    const auto character = character_at(written, at);
    if (is_blank(character.code)) {
      blank = true;
      // Plain spaces are part of the name as they are; only their rarer kin are replaced.
      if (character.code == ' ' && !name.empty()) name += ' ', blank = false;
    } else if (!is_invisible(character.code)) {
      if (blank && !name.empty()) name += ' ';
      blank = false;
      name.append(written.substr(at, character.bytes));
    }
    at += character.bytes;
  }
  name.erase(name.find_last_not_of(' ') + 1);
  return name;
}

// With everything beyond ASCII and every control as \u{…}, so that look-alikes can be told apart.
std::string escaped(std::string_view name) {
  std::string shown;
  for (std::size_t at = 0; at < name.size();) {
    const auto character = character_at(name, at);
    if (is_blank(character.code) ? character.code != ' '
                                 : is_invisible(character.code) || is_combining(character.code)) {
      char code[16];
      std::snprintf(code, sizeof code, "\\u{%X}", static_cast<unsigned>(character.code));
      shown += code;
    } else {
      shown.append(name.substr(at, character.bytes));
    }
    at += character.bytes;
  }
  return shown;
}

// As the engine compares names.
std::string folded(std::string_view name) {
  std::string lower(name);
  for (auto& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return lower;
}

Warning renamed(std::size_t position, const std::string& written, const std::string& name, const std::string& why) {
  return {"column_renamed",
          "Column " + std::to_string(position + 1) + " " + why + " and is called " + in_quotes(name) + ".",
          name,
          escaped(written),
          {},
          {}};
}

}  // namespace

std::vector<std::string> column_names(const std::vector<std::string>& written, std::vector<Warning>& warnings) {
  std::vector<std::string> names;
  std::vector<bool> first_of_its_name;
  std::unordered_set<std::string> taken;
  for (const auto& name : written) {
    names.push_back(visible(name));
    first_of_its_name.push_back(!names.back().empty() && taken.insert(folded(names.back())).second);
  }
  std::vector<Warning> told;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string why;
    if (names[i].empty()) {
      names[i] = "column" + std::to_string(i + 1);
      for (int n = 2; !taken.insert(folded(names[i])).second; ++n)
        names[i] = "column" + std::to_string(i + 1) + "_" + std::to_string(n);
      why = "has no name";
    } else if (!first_of_its_name[i]) {
      const auto base = names[i];
      for (int n = 2; !taken.insert(folded(names[i])).second; ++n) names[i] = base + "_" + std::to_string(n);
      why = "has a name that another has too, " + in_quotes(escaped(written[i])) + ",";
    } else if (names[i] != written[i]) {
      why = "was written with blanks or invisible characters, " + in_quotes(escaped(written[i])) + ",";
    }
    if (!why.empty()) {
      told.push_back(renamed(i, written[i], names[i], why));
    } else if (escaped(names[i]) != names[i]) {
      told.push_back({"look_alike_name",
                      "The name of column " + std::to_string(i + 1) + " is written with combining marks, " +
                          in_quotes(escaped(names[i])) + ": it is another name than the one with whole letters.",
                      names[i],
                      escaped(names[i]),
                      {},
                      {}});
    }
  }
  const auto count = told.size();
  if (count > renames_told_max) {
    told.resize(renames_told_max);
    told.push_back({"column_renamed",
                    std::to_string(count - renames_told_max) + " more columns were renamed in the same ways.",
                    "",
                    {},
                    {},
                    count - renames_told_max});
  }
  for (auto& warning : told) warnings.push_back(std::move(warning));
  return names;
}

}  // namespace stele
