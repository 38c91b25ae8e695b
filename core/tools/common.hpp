// What several tools share: parameters that mean the same everywhere, scopes, and how a change is noted. No tool's own
// work.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/types.hpp"
#include "tools/schema.hpp"
#include "tools/tool.hpp"

namespace stele {

// Parameters.
schema::Member table_parameter();
schema::Member message_parameter();
schema::Member run_parameter();
schema::Member idempotency_key_parameter();
schema::Member expected_version_parameter();
schema::Member mode_parameter(std::string description);
schema::Member key_columns_parameter(std::string description);

// The output of a tool that makes a version: what WriteOutcome::to_json answers, and `more`.
Json written_schema(std::vector<schema::Member> more = {});

struct Annotations {
  bool read_only = false;
  bool destructive = false;
  bool idempotent = false;
  bool open_world = false;
};
Json tool_definition(const char* name, const char* title, std::string description, Json input, Json output,
                     Annotations annotations);

// Throws Error forbidden, naming the scope, unless `granted`.
void require_scope(bool granted, std::string_view scope, std::string_view what);

std::string text_of(const Json& arguments, const char* name);  // empty if left out
std::optional<std::int64_t> integer_of(const Json& arguments, const char* name);

ChangeNote note_of(const Json& arguments, const Caller& caller);
// The request that write_table, import_table and query share. `path` is checked.
WriteRequest write_request(const char* tool, const char* kind, const std::string& path, const Json& arguments,
                           const Caller& caller);

// How histories and answers show a version.
Json version_json(const VersionRecord& version);

}  // namespace stele
