// The check of a call's arguments, before anything is read or written.
#include <string>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "tools/schema.hpp"
#include "tools/tool.hpp"

namespace stele {
namespace {

std::string names_of(const Json& properties) {
  std::string names;
  for (const auto& [name, schema] : properties.items()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

[[noreturn]] void refuse_unknown(const std::string& name, const Json& properties) {
  std::vector<std::string> known;
  for (const auto& [property, schema] : properties.items()) known.push_back(property);
  const auto near = nearest_names(name, known, 1);
  throw Error("invalid_arguments", "There is no argument \"" + name + "\".",
              (near.empty() ? "" : "Did you mean \"" + near.front() + "\"? ") +
                  "The arguments are: " + names_of(properties) + ".");
}

// Models send null for what they leave out, and 50.0 where a JSON printer has no integers. Both are meant as they are
// read here.
void read_leniently(const Json& schema, Json& value) {
  if (schema.value("type", "") != "integer" || !value.is_number_float()) return;
  const double written = value.get<double>();
  const auto whole = static_cast<std::int64_t>(written > -9e15 && written < 9e15 ? written : 0);
  if (static_cast<double>(whole) == written) value = whole;
}

// Far above what any argument needs; below it, the statement's own limit and the store's hold.
constexpr std::size_t text_bytes_max = 256 << 10;

void refuse_long(const std::string& name, const Json& value) {
  if (!value.is_string() || value.get_ref<const std::string&>().size() <= text_bytes_max) return;
  throw Error("invalid_arguments",
              "The argument " + name + " was a string of " +
                  std::to_string(value.get_ref<const std::string&>().size()) + " bytes.",
              name + " must be at most " + std::to_string(text_bytes_max) + " bytes long.");
}

}  // namespace

Json checked_arguments(const Json& input_schema, Json arguments) {
  if (arguments.is_null()) arguments = Json::object();
  if (!arguments.is_object())
    throw Error("invalid_arguments", "The arguments are not an object.",
                "Send one JSON object whose members are the arguments.");
  const Json& properties = input_schema["properties"];
  Json checked = Json::object();
  for (auto& [name, value] : arguments.items()) {
    const auto schema = properties.find(name);
    if (schema == properties.end()) refuse_unknown(name, properties);
    if (value.is_null()) continue;
    refuse_long(name, value);
    read_leniently(*schema, value);
    checked[name] = std::move(value);
  }
  if (const auto wrong = schema::mismatch(input_schema, checked))
    throw Error("invalid_arguments", "The argument " + wrong->where + " was " + wrong->was + ".",
                wrong->where + " must be " + wrong->expected + ".");
  for (const auto& [name, schema] : properties.items())
    if (schema.contains("default") && !checked.contains(name)) checked[name] = schema["default"];
  return checked;
}

}  // namespace stele
