#include "tools/common.hpp"

#include <nlohmann/json.hpp>

#include "base/encoding.hpp"
#include "base/error.hpp"
#include "base/sha256.hpp"
#include "tables/catalog.hpp"

namespace stele {
namespace {

WriteMode mode_of(const Json& arguments) {
  const std::string mode = arguments.value("mode", "replace");
  if (mode == "create") return WriteMode::create;
  if (mode == "append") return WriteMode::append;
  if (mode == "upsert") return WriteMode::upsert;
  return WriteMode::replace;
}

// The digest of all that a call asks for. A key of the caller's own is what is compared, so it is left out.
std::string request_digest(const char* tool, const Json& arguments) {
  nlohmann::json asked = arguments;  // a map: its keys are sorted
  asked.erase("idempotency_key");
  return sha256_hex(tool + asked.dump());
}

// A caller that appends by key means to upsert; one that creates or replaces by key loses nothing if the key is not
// used.
void check_keys(WriteRequest& request) {
  if (request.mode == WriteMode::upsert && request.key_columns.empty())
    throw Error("invalid_arguments", "The mode upsert needs key_columns.",
                "Name the columns that identify a row, e.g. [\"id\"].");
  if (request.mode == WriteMode::append && !request.key_columns.empty())
    throw Error("invalid_arguments", "The mode append has no use for key_columns: it adds every row.",
                "Set mode to \"upsert\" to update rows by key, or leave key_columns out.");
  if (request.mode != WriteMode::upsert) request.key_columns.clear();
}

}  // namespace

schema::Member table_parameter() { return schema::required("table", schema::text("Path")); }

schema::Member message_parameter() { return schema::optional("message", schema::text("Why, for the history")); }

schema::Member run_parameter() { return schema::optional("run", schema::text("Your label for this run")); }

schema::Member idempotency_key_parameter() {
  return schema::optional("idempotency_key", schema::text("Unique to this change"));
}

schema::Member expected_version_parameter() {
  return schema::optional("expected_version", schema::integer("Refuse unless this is the latest version", 0));
}

schema::Member mode_parameter(std::string description) {
  return schema::defaulted("mode", schema::choice({"create", "append", "upsert", "replace"}, std::move(description)),
                           "create");
}

schema::Member key_columns_parameter(std::string description) {
  return schema::optional("key_columns", schema::list(schema::text(), std::move(description)));
}

Json written_schema(std::vector<schema::Member> more) {
  std::vector<schema::Member> members = {
      schema::required("table", schema::text()),
      schema::required("version", schema::integer()),
      schema::required("rows", schema::integer()),
      schema::optional("warnings", schema::list(schema::object())),
  };
  for (auto& member : more) members.push_back(std::move(member));
  return schema::open_object(std::move(members));
}

Json tool_definition(const char* name, const char* title, std::string description, Json input, Json output,
                     Annotations annotations) {
  Json definition = Json::object();
  definition["name"] = name;
  definition["title"] = title;
  definition["description"] = std::move(description);
  definition["inputSchema"] = std::move(input);
  definition["outputSchema"] = std::move(output);
  Json& hints = definition["annotations"];
  hints["readOnlyHint"] = annotations.read_only;
  if (!annotations.read_only) {
    hints["destructiveHint"] = annotations.destructive;
    // False is what the protocol takes for granted; every byte of a definition is an agent's context.
    if (annotations.idempotent) hints["idempotentHint"] = true;
  }
  hints["openWorldHint"] = annotations.open_world;
  return definition;
}

void require_scope(bool granted, std::string_view scope, std::string_view what) {
  if (granted) return;
  throw Error("forbidden",
              std::string(what) + " needs the scope \"" + std::string(scope) + "\", which this caller does not have.",
              "Ask the workspace's owner for access with the scope \"" + std::string(scope) + "\".");
}

std::string text_of(const Json& arguments, const char* name) { return arguments.value(name, std::string()); }

std::optional<std::int64_t> integer_of(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  if (found == arguments.end()) return {};
  return found->get<std::int64_t>();
}

ChangeNote note_of(const Json& arguments, const Caller& caller) {
  ChangeNote note;
  note.author = caller.author.empty() ? "unknown" : caller.author;
  note.message = text_of(arguments, "message");
  note.run = text_of(arguments, "run");
  return note;
}

WriteRequest write_request(const char* tool, const char* kind, const std::string& path, const Json& arguments,
                           const Caller& caller) {
  check_path(path);
  WriteRequest request;
  request.path = path;
  request.mode = mode_of(arguments);
  request.key_columns = arguments.value("key_columns", std::vector<std::string>());
  request.note = note_of(arguments, caller);
  request.kind = kind;
  request.expected_version = integer_of(arguments, "expected_version");
  if (arguments.contains("idempotency_key")) request.idempotency_key = text_of(arguments, "idempotency_key");
  request.request_digest = request_digest(tool, arguments);
  check_keys(request);
  return request;
}

Json version_json(const VersionRecord& version) {
  Json shown = Json::object();
  shown["version"] = version.version;
  shown["kind"] = version.kind;
  shown["tool"] = version.tool;
  shown["rows"] = version.rows;
  shown["added"] = version.added;
  shown["updated"] = version.updated;
  shown["removed"] = version.removed;
  if (!version.columns_added.empty()) shown["columns_added"] = version.columns_added;
  if (!version.columns_removed.empty()) shown["columns_removed"] = version.columns_removed;
  if (!version.columns_retyped.empty()) shown["columns_retyped"] = version.columns_retyped;
  if (version.restored_from) shown["restored_from"] = *version.restored_from;
  shown["made_at"] = iso_time(version.made_ms);
  shown["made_by"] = version.note.author;
  if (!version.note.message.empty()) shown["message"] = version.note.message;
  if (!version.note.run.empty()) shown["run"] = version.note.run;
  return shown;
}

}  // namespace stele
