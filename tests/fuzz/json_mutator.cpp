// A mutator for targets that take JSON: it changes the tree rather than its text, and knows the names that calls are
// made of, so that what it makes gets past the first check. Every third time the text is changed as any bytes are.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "core.hpp"
#include "target.hpp"
#include "workspace.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t size_max);

namespace stele::fuzz {

namespace {

// Names of tools, of their arguments and of the words that these may be.
class Words {
 public:
  Words() {
    NativeSqlStore store(":memory:");
    MemoryHost host;
    const Json described = Core::open(store, host)->tools();
    for (const Json& tool : described["tools"]) {
      tools.push_back(tool["name"]);
      for (const auto& [name, schema] : tool["inputSchema"]["properties"].items()) {
        arguments[tools.back()].push_back(name);
        for (const Json& word : schema.value("enum", Json::array())) values.push_back(word);
      }
    }
    for (const char* text : {"null",
                             "true",
                             "0",
                             "1",
                             "-1",
                             "2",
                             "5000",
                             "9007199254740993",
                             "1e308",
                             "0.1",
                             "\"\"",
                             "\"t\"",
                             "\"a/b\"",
                             "\"id\"",
                             "\"t@1\"",
                             "[\"id\"]",
                             "[\"id\",\"n\"]",
                             "[{\"id\":1,\"n\":\"x\"}]",
                             "[{\"id\":1,\"n\":2.5},{\"id\":2}]",
                             "[{\"id\":\"007\"}]",
                             "[{\"d\":\"2025-04-03\"}]",
                             "[{\"t\":\"2025-04-03T04:05:06Z\"}]",
                             "[{\"j\":{\"a\":[1,null]}}]",
                             "{}",
                             "[]",
                             "\"SELECT * FROM t\"",
                             "\"SELECT * FROM \\\"t@1\\\"\"",
                             "\"SELECT count(*), max(id) FROM t GROUP BY ALL\"",
                             "\"https://files.example/f.csv\"",
                             "\"id,n\\n1,x\\n2,\\n\"",
                             "\"[{\\\"id\\\":1}]\"",
                             "\"k\"",
                             "\"rws\"",
                             "\"12345678901234567890\"",
                             "\"\\u0000\"",
                             "\"\\ud83d\\ude00\""})
      values.push_back(Json::parse(text));
  }

  std::vector<std::string> tools;
  std::map<std::string, std::vector<std::string>> arguments;
  std::vector<Json> values;
};

class Mutation {
  std::ptrdiff_t at(std::size_t size) { return static_cast<std::ptrdiff_t>(random_() % size); }
  template <class List>
  auto& any(List& list) {
    return list[static_cast<std::size_t>(at(list.size()))];
  }

 public:
  explicit Mutation(unsigned seed) : random_(seed) {}

  void change(Json& document) {
    std::vector<Json*> nodes;
    collect(document, nodes);
    Json& node = *any(nodes);
    switch (random_() % 6) {
      case 0:
        node = any(words().values);
        break;
      case 1:
        if (node.is_array()) node.push_back(node.empty() ? any(words().values) : Json(any(node)));
        if (node.is_object()) add_member(node);
        break;
      case 2:
        if (node.is_structured() && !node.empty()) node.erase(std::next(node.begin(), at(node.size())));
        break;
      case 3:
        node = Json(*any(nodes));
        break;
      case 4:
        if (document.is_array()) document.push_back(any_call());
        break;
      default:
        if (node.is_string()) change_text(node.get_ref<std::string&>());
        if (node.is_number()) node = static_cast<std::int64_t>(random_() % 7) - 3;
    }
  }

  Json any_call() {
    Json call = Json::object();
    call["tool"] = any(words().tools);
    call["arguments"] = Json::object();
    for (int i = 0; i < 3; ++i) add_argument(call["arguments"], call["tool"]);
    return call;
  }

 private:
  static const Words& words() {
    static const Words words;
    return words;
  }

  void collect(Json& node, std::vector<Json*>& nodes) {
    nodes.push_back(&node);
    if (!node.is_structured() || nodes.size() > 500) return;
    for (Json& part : node) collect(part, nodes);
  }

  void add_argument(Json& arguments, const std::string& tool) {
    const auto known = words().arguments.find(tool);
    if (known == words().arguments.end() || known->second.empty()) return;
    arguments[any(known->second)] = any(words().values);
  }

  void add_member(Json& object) {
    if (object.contains("tool") && object["tool"].is_string() && object["arguments"].is_object())
      add_argument(object["arguments"], object["tool"]);
    else
      add_argument(object, any(words().tools));
    if (random_() % 8 == 0) object["c" + std::to_string(random_() % 4)] = any(words().values);
    if (random_() % 16 == 0 && object.contains("tool")) object["file"] = "id,n\n1,x\n";
  }

  void change_text(std::string& text) {
    std::vector<std::uint8_t> bytes(text.begin(), text.end());
    const std::size_t size = bytes.size();
    bytes.resize(size + 16);
    bytes.resize(LLVMFuzzerMutate(bytes.data(), size, bytes.size()));
    text.assign(bytes.begin(), bytes.end());
  }

  std::minstd_rand random_;
};

}  // namespace

std::size_t mutate_json(std::uint8_t* bytes, std::size_t size, std::size_t size_max, unsigned seed) {
  Json document = Json::parse(bytes, bytes + size, nullptr, false);
  if (seed % 3 == 0 || document.is_discarded()) return LLVMFuzzerMutate(bytes, size, size_max);
  Mutation mutation(seed);
  for (unsigned i = 0; i < 1 + seed % 4; ++i) mutation.change(document);
  const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > size_max) return LLVMFuzzerMutate(bytes, size, size_max);
  std::memcpy(bytes, text.data(), text.size());
  return text.size();
}

}  // namespace stele::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t size_max,
                                               unsigned seed) {
  return stele::fuzz::mutate_json(bytes, size, size_max, seed);
}
