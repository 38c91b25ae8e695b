// Schema: the few words of JSON Schema that the tools speak, and the check of a value against them. Every MCP client
// takes what is made here: no combinators, no references, no list of types; what these words cannot say is said by a
// handler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"

namespace stele::schema {

Json text(std::string description = {});
Json choice(std::vector<std::string> values, std::string description = {});
Json integer(std::string description = {}, std::optional<std::int64_t> least = {},
             std::optional<std::int64_t> most = {});
Json boolean(std::string description = {});
Json anything(std::string description = {});
// A list; `most` bounds its length where given.
Json list(Json items, std::string description = {}, std::optional<std::int64_t> least = {},
          std::optional<std::int64_t> most = {});
// An object of free member names whose values all match `values`.
Json object(std::string description = {});  // any members
Json map(Json values, std::string description = {});

struct Member {
  Member(std::string member_name, Json member_schema, bool must_be_there = false)
      : name(std::move(member_name)), schema(std::move(member_schema)), required(must_be_there) {}
  std::string name;
  Json schema;
  bool required;
};
Member required(std::string name, Json schema);
Member optional(std::string name, Json schema);
// The call acts as if the caller had given `value`.
Member defaulted(std::string name, Json schema, Json value);

// Of these members and no others, as tools take them.
Json closed_object(std::vector<Member> members);
// Of at least the required members, as tools answer them.
Json open_object(std::vector<Member> members);

struct Mismatch {
  std::string where;     // "rows[3].name"; empty for the value itself
  std::string was;       // "\"50\" (a string)"
  std::string expected;  // "an integer from 1 to 500"
};
// The first place where a value does not match a schema made here; nothing if all of it does.
std::optional<Mismatch> mismatch(const Json& schema, const Json& value, const std::string& where = {});

// "an integer from 1 to 500".
std::string in_words(const Json& schema);

}  // namespace stele::schema
