#include "core/scenario_matcher.hpp"

#include <algorithm>
#include <cmath>

namespace stele {
namespace {

std::string printed(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 400) text = text.substr(0, 400) + " …";
  return text;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::size_t length_of(const Json& value) {
  if (!value.is_string()) return value.size();
  const auto& text = value.get_ref<const std::string&>();
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool has_match(const Json& expected, const Json& list) {
  return std::any_of(list.begin(), list.end(), [&](const Json& item) { return mismatch_of(expected, &item).empty(); });
}

// One word of a matcher, such as "$has".
bool holds(const std::string& word, const Json& with, const Json& value) {
  if (word == "$any") return true;
  if (word == "$has") return text_of(value).find(with.get<std::string>()) != std::string::npos;
  if (word == "$lacks") return text_of(value).find(with.get<std::string>()) == std::string::npos;
  if (word == "$length") return length_of(value) == with.get<std::size_t>();
  if (word == "$min") return value.is_number() && value.get<double>() >= with.get<double>();
  if (word == "$max") return value.is_number() && value.get<double>() <= with.get<double>();
  if (word == "$near") {
    const double wanted = with.get<double>();
    return value.is_number() && std::abs(value.get<double>() - wanted) <= 1e-12 * std::max(1.0, std::abs(wanted));
  }
  if (word == "$some") return value.is_array() && has_match(with, value);
  if (word == "$first_member") return value.is_object() && !value.empty() && value.begin().key() == with;
  if (word == "$all")
    return std::all_of(with.begin(), with.end(), [&](const Json& one) { return mismatch_of(one, &value).empty(); });
  return false;  // an unknown matcher matches nothing
}

bool is_matcher(const Json& expected) {
  return expected.is_object() && !expected.empty() && expected.begin().key().rfind("$", 0) == 0;
}

}  // namespace

std::string mismatch_of(const Json& expected, const Json* answer, const std::string& where) {
  if (is_matcher(expected) && expected.contains("$absent"))
    return answer ? where + " should not be there, and is " + printed(*answer) : "";
  if (!answer) return where + " is not there, and should be " + printed(expected);
  if (is_matcher(expected)) {
    for (const auto& [word, with] : expected.items())
      if (!holds(word, with, *answer))
        return where + " is " + printed(*answer) + ", which does not match " + printed(expected);
    return {};
  }
  if (expected.is_object() && answer->is_object()) {
    for (const auto& [name, member] : expected.items()) {
      const auto found = answer->find(name);
      auto wrong = mismatch_of(member, found == answer->end() ? nullptr : &*found, where + "." + name);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }
  if (expected.is_array() && answer->is_array() && expected.size() == answer->size()) {
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (auto wrong = mismatch_of(expected[i], &(*answer)[i], where + "[" + std::to_string(i) + "]"); !wrong.empty())
        return wrong;
    return {};
  }
  return expected == *answer ? "" : where + " is " + printed(*answer) + ", and should be " + printed(expected);
}

}  // namespace stele
