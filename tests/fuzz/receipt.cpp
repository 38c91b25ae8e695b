#include <nlohmann/json.hpp>

#include "base/sha256.hpp"
#include "workspace.hpp"

namespace stele::fuzz {

namespace {

constexpr int slices_max = 1'000;

Json query_arguments(const Json& wanted) {
  Json arguments = Json::object();
  arguments["sql"] = "SELECT * FROM t";
  arguments["receipt"] = true;
  for (const char* name : {"sql", "message", "run"})
    if (wanted.contains(name)) arguments[name] = wanted[name];
  return arguments;
}

void expect_sound(Workspace& workspace, const Json& answer, const Json& arguments, const Caller& caller) {
  const std::string id = answer["receipt"]["id"];
  const auto sealed = workspace.core().receipt(id);
  expect(sealed.has_value(), "a receipt that was issued is kept");
  const std::string document = (*sealed)["document"];
  expect((*sealed)["digest"] == sha256_hex(document), "the digest is the document's");
  expect((*sealed)["digest"] == answer["receipt"]["digest"], "the answer names the digest that is kept");
  const nlohmann::json read = nlohmann::json::parse(document);
  expect(read.dump() == document, "a document has one spelling");
  expect(read["rows"] == nlohmann::json(answer["rows"]), "a document has the rows of the answer");
  expect(read["sql"].get<std::string>() == arguments["sql"].get<std::string>(),
         "a document has the statement as it was asked");
  const Json listed = workspace.core().view("list_receipts", Json::object(), caller)["receipts"][0];
  expect(listed["id"] == id && listed["sql"] == arguments["sql"], "a receipt is listed as it was made");
  // A null is an argument left out.
  const Json message = arguments.value("message", Json());
  expect(listed["message"] == (message.is_null() ? Json("") : message), "a receipt is listed with its message");
}

}  // namespace

// {"rows", "sql"?, "message"?, "run"?, "author"?}
void receipt(std::string_view bytes) {
  static std::unique_ptr<Workspace> workspace;
  const Json wanted = Json::parse(bytes, nullptr, false);
  if (!wanted.is_object() || !wanted.contains("rows")) return;
  if (!workspace) workspace = std::make_unique<Workspace>();
  Json write = Json::object();
  write["table"] = "t";
  write["rows"] = wanted["rows"];
  Caller caller;
  if (wanted.contains("author") && wanted["author"].is_string()) caller.author = wanted["author"];
  if (!workspace->call("write_table", write, caller, slices_max).contains("error")) {
    const Json arguments = query_arguments(wanted);
    const Json answer = workspace->call("query", arguments, caller, slices_max);
    if (!answer.contains("error") && answer.contains("receipt")) expect_sound(*workspace, answer, arguments, caller);
    workspace.reset();
  }
}

}  // namespace stele::fuzz
