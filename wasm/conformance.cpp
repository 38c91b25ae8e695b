// The conformance suites behind Embind, so that a home runs them against its own store and host. It has no engine in
// it.
#include <emscripten/bind.h>

#include "base/json.hpp"
#include "conformance/host_suite.hpp"
#include "conformance/sql_store_suite.hpp"
#include "host_store.hpp"

namespace stele {
namespace {

template <class Port>
void run_checks(std::span<const conformance::Check<Port>> checks, Port& port, Json& results) {
  for (const auto& check : checks) {
    auto failure = conformance::run(check, port);
    results.push_back({{"name", check.name}, {"failure", failure ? Json(*failure) : Json()}});
  }
}

// [{"name", "failure": what was seen instead, or null}]
std::string run_store_checks(emscripten::val js_store) {
  HostStore store(js_store);
  Json results = Json::array();
  run_checks<SqlStore>(conformance::sql_store_checks(), store, results);
  return results.dump();
}

std::string run_host_checks(emscripten::val js_host) {
  JsHost host(js_host);
  Json results = Json::array();
  run_checks<Host>(conformance::host_checks(), host, results);
  return results.dump();
}

void write_before_reopening(emscripten::val js_store) {
  HostStore store(js_store);
  conformance::write_before_reopening(store);
}

// What was seen instead of what was written; empty if it is all there.
std::string check_after_reopening(emscripten::val js_store) {
  HostStore store(js_store);
  return conformance::check_after_reopening(store).value_or("");
}

}  // namespace
}  // namespace stele

EMSCRIPTEN_BINDINGS(stele_conformance) {
  emscripten::function("run_store_checks", &stele::run_store_checks);
  emscripten::function("run_host_checks", &stele::run_host_checks);
  emscripten::function("write_before_reopening", &stele::write_before_reopening);
  emscripten::function("check_after_reopening", &stele::check_after_reopening);
}
