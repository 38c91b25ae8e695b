#include "workspace.hpp"

namespace stele::fuzz {

namespace {

constexpr int slices_max = 40;

bool is_utf8(std::string_view bytes) {
  try {
    Json(std::string(bytes)).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

// With a table of each kind of column, one of two versions.
std::unique_ptr<Workspace> furnished() {
  auto workspace = std::make_unique<Workspace>();
  const char* writes[] = {
      R"({"table": "t", "rows": [{"id": 1, "note": "one", "x": 1.5, "day": "2025-01-31", "ok": true, "j": {"a": [1, 2]}},
                                 {"id": 2, "note": null, "x": null, "day": null, "ok": null, "j": null}]})",
      R"({"table": "t", "mode": "append", "rows": [{"id": 3, "note": "three"}]})",
      R"({"table": "a/b c", "rows": [{"id": 1, "when": "2025-01-31T06:45:00Z", "big": "12345678901234567890"}]})",
  };
  for (const char* arguments : writes) {
    const Json answer = workspace->call("write_table", Json::parse(arguments), {}, 1'000);
    expect(!answer.contains("error"), "the tables are made: " + answer.dump());
  }
  return workspace;
}

}  // namespace

void guard(std::string_view bytes) {
  static const auto workspace = furnished();
  if (!is_utf8(bytes)) return;  // no such text crosses the border
  const std::string before = workspace->counts();
  Json arguments = Json::object();
  arguments["sql"] = std::string(bytes);
  arguments["limit"] = 5;
  workspace->call("query", std::move(arguments), {}, slices_max);
  expect(workspace->counts() == before, "a query changes nothing");
}

}  // namespace stele::fuzz
