#include "tools/schema.hpp"

#include "base/assert.hpp"

namespace stele::schema {
namespace {

Json of_type(const char* type, std::string description) {
  Json made = Json::object();
  made["type"] = type;
  if (!description.empty()) made["description"] = std::move(description);
  return made;
}

void bound(Json& schema, const char* least_name, const char* most_name, std::optional<std::int64_t> least,
           std::optional<std::int64_t> most) {
  if (least) schema[least_name] = *least;
  if (most) schema[most_name] = *most;
}

Json object_of(std::vector<Member> members) {
  Json made = of_type("object", {});
  made["properties"] = Json::object();
  Json names = Json::array();
  for (auto& member : members) {
    if (member.required) names.push_back(member.name);
    made["properties"][member.name] = std::move(member.schema);
  }
  if (!names.empty()) made["required"] = std::move(names);
  return made;
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  require(false, "a schema names a type of JSON");
  return false;
}

std::string range_in_words(const Json& schema, const char* least_name, const char* most_name, const char* unit) {
  const auto least = schema.find(least_name);
  const auto most = schema.find(most_name);
  const bool has_least = least != schema.end();
  const bool has_most = most != schema.end();
  if (has_least && has_most)
    return " " + (*unit ? "of " + least->dump() : "from " + least->dump()) + " to " + most->dump() + unit;
  if (has_least) return " of at least " + least->dump() + unit;
  if (has_most) return " of at most " + most->dump() + unit;
  return {};
}

bool outside(const Json& schema, const char* least_name, const char* most_name, std::int64_t value) {
  return (schema.contains(least_name) && value < schema[least_name].get<std::int64_t>()) ||
         (schema.contains(most_name) && value > schema[most_name].get<std::int64_t>());
}

bool out_of_bounds(const Json& schema, const Json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return schema.contains("maximum");
  if (value.is_number_integer()) return outside(schema, "minimum", "maximum", value.get<std::int64_t>());
  if (value.is_array()) return outside(schema, "minItems", "maxItems", static_cast<std::int64_t>(value.size()));
  return false;
}

bool not_a_choice(const Json& schema, const Json& value) {
  const auto choices = schema.find("enum");
  if (choices == schema.end()) return false;
  for (const auto& allowed : *choices)
    if (allowed == value) return false;
  return true;
}

// The value, short enough to stand in a sentence.
std::string shown(const Json& value) {
  constexpr std::size_t chars_max = 60;
  if (value.is_null()) return "null";
  if (value.is_array()) return "a list of " + std::to_string(value.size()) + (value.size() == 1 ? " item" : " items");
  if (value.is_object()) return "an object";
  std::string written = value.dump(-1, ' ', true);  // ASCII, so that a cut falls between characters
  if (written.size() > chars_max) written = written.substr(0, chars_max) + "…";
  return written + (value.is_string() ? " (a string)" : value.is_boolean() ? " (a boolean)" : " (a number)");
}

std::string member_of(const std::string& where, const std::string& name) {
  return where.empty() ? name : where + "." + name;
}

std::optional<Mismatch> mismatch_of_members(const Json& schema, const Json& value, const std::string& where) {
  for (const auto& name : schema.value("required", Json::array()))
    if (!value.contains(name.get<std::string>()))
      return Mismatch{member_of(where, name), "missing", in_words(schema["properties"][name.get<std::string>()])};
  static const Json no_members = Json::object();
  const auto known = schema.find("properties");
  const Json& members = known == schema.end() ? no_members : *known;
  const auto others = schema.find("additionalProperties");
  for (const auto& [name, member] : value.items()) {
    std::optional<Mismatch> found;
    if (const auto of = members.find(name); of != members.end()) {
      found = mismatch(*of, member, member_of(where, name));
    } else if (others != schema.end() && others->is_object()) {
      found = mismatch(*others, member, member_of(where, name));
    } else if (others != schema.end() && !others->get<bool>()) {
      found = Mismatch{member_of(where, name), shown(member), "left out"};
    }
    if (found) return found;
  }
  return {};
}

}  // namespace

Json text(std::string description) { return of_type("string", std::move(description)); }

Json choice(std::vector<std::string> values, std::string description) {
  Json made = of_type("string", std::move(description));
  made["enum"] = std::move(values);
  return made;
}

Json integer(std::string description, std::optional<std::int64_t> least, std::optional<std::int64_t> most) {
  Json made = of_type("integer", std::move(description));
  bound(made, "minimum", "maximum", least, most);
  return made;
}

Json boolean(std::string description) { return of_type("boolean", std::move(description)); }

Json anything(std::string description) {
  Json made = Json::object();
  if (!description.empty()) made["description"] = std::move(description);
  return made;
}

Json list(Json items, std::string description, std::optional<std::int64_t> least, std::optional<std::int64_t> most) {
  Json made = of_type("array", std::move(description));
  made["items"] = std::move(items);
  bound(made, "minItems", "maxItems", least, most);
  return made;
}

Json object(std::string description) { return of_type("object", std::move(description)); }

Json map(Json values, std::string description) {
  Json made = of_type("object", std::move(description));
  made["additionalProperties"] = std::move(values);
  return made;
}

Member required(std::string name, Json schema) { return {std::move(name), std::move(schema), true}; }
Member optional(std::string name, Json schema) { return {std::move(name), std::move(schema)}; }

Member defaulted(std::string name, Json schema, Json value) {
  schema["default"] = std::move(value);
  return {std::move(name), std::move(schema)};
}

Json closed_object(std::vector<Member> members) {
  Json made = object_of(std::move(members));
  made["additionalProperties"] = false;
  return made;
}

Json open_object(std::vector<Member> members) { return object_of(std::move(members)); }

std::optional<Mismatch> mismatch(const Json& schema, const Json& value, const std::string& where) {
  const auto type = schema.find("type");
  const bool wrong_type = type != schema.end() && !has_type(value, type->get<std::string>());
  if (wrong_type || not_a_choice(schema, value) || out_of_bounds(schema, value))
    return Mismatch{where, shown(value), in_words(schema)};
  if (value.is_object()) return mismatch_of_members(schema, value, where);
  const auto items = schema.find("items");
  if (value.is_array() && items != schema.end()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (auto found = mismatch(*items, value[i], where + "[" + std::to_string(i) + "]")) return found;
  }
  return {};
}

std::string in_words(const Json& schema) {
  if (schema.contains("enum")) {
    std::string words = "one of";
    for (const auto& value : schema["enum"]) words += (words.back() == 'f' ? " " : ", ") + value.get<std::string>();
    return words;
  }
  const std::string type = schema.value("type", "");
  if (type == "integer") return "an integer" + range_in_words(schema, "minimum", "maximum", "");
  if (type == "number") return "a number";
  if (type == "string") return "a string";
  if (type == "boolean") return "true or false";
  if (type == "array") return "a list" + range_in_words(schema, "minItems", "maxItems", " items");
  if (type == "object") return "an object";
  return "any value";
}

}  // namespace stele::schema
