#include "workspace.hpp"

namespace stele::fuzz {

namespace {

constexpr std::size_t calls_max = 8;
constexpr int slices_max = 300;

std::string text_in(const Json& object, const char* name, const char* otherwise) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

Caller caller_in(const Json& call) {
  Caller caller;
  caller.author = text_in(call, "author", "");
  caller.origin = text_in(call, "origin", "https://home.example");
  for (const char scope : text_in(call, "without", "")) {
    if (scope == 'r') caller.read = false;
    if (scope == 'w') caller.write = false;
    if (scope == 's') caller.share = false;
  }
  return caller;
}

}  // namespace

void calls(std::string_view bytes) {
  static std::unique_ptr<Workspace> workspace;
  const Json list = Json::parse(bytes, nullptr, false);
  if (!list.is_array()) return;
  if (!workspace) workspace = std::make_unique<Workspace>();
  std::size_t done = 0;
  for (const Json& call : list) {
    if (!call.is_object() || ++done > calls_max) continue;
    const std::string tool = text_in(call, "tool", "query");
    workspace->call(tool, call.value("arguments", Json::object()), caller_in(call), slices_max,
                    call.value("file", Json()));
  }
  if (!workspace->is_untouched()) workspace.reset();
}

}  // namespace stele::fuzz
