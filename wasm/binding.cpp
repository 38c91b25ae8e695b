// The module's surface: one message in, one message out, and bytes beside it. It translates and decides nothing.
#include <emscripten/bind.h>

#include <exception>
#include <functional>
#include <map>
#include <new>
#include <string>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "core.hpp"
#include "host_store.hpp"

namespace stele {
namespace {

// One core an instance; a home that needs another makes another instance.
struct Opened {
  HostStore store;
  JsHost host;
  std::unique_ptr<Core> core;
};
std::unique_ptr<Opened> opened;

Core& core() {
  require(opened && opened->core, "open comes first");
  return *opened->core;
}

Limits limits_from(const Json& given) {
  Limits limits;
  limits.memory_bytes = given.value("memory_bytes", limits.memory_bytes);
  limits.query_ms = given.value("query_ms", limits.query_ms);
  limits.sql_bytes = given.value("sql_bytes", limits.sql_bytes);
  limits.answer_rows_max = given.value("answer_rows_max", limits.answer_rows_max);
  limits.answer_bytes = given.value("answer_bytes", limits.answer_bytes);
  limits.answer_cell_chars = given.value("answer_cell_chars", limits.answer_cell_chars);
  limits.import_bytes = given.value("import_bytes", limits.import_bytes);
  limits.rows_per_write = given.value("rows_per_write", limits.rows_per_write);
  limits.columns_max = given.value("columns_max", limits.columns_max);
  limits.row_group_bytes = given.value("row_group_bytes", limits.row_group_bytes);
  limits.spill_bytes = given.value("spill_bytes", limits.spill_bytes);
  return limits;
}

Caller caller_from(const Json& given) {
  Caller caller;
  caller.author = given.value("author", std::string());
  caller.read = given.value("read", false);
  caller.write = given.value("write", false);
  caller.share = given.value("share", false);
  caller.origin = given.value("origin", std::string());
  return caller;
}

Json step_to_json(const Step& step) {
  static constexpr const char* names[] = {"working", "asking", "done"};
  Json json = {{"state", names[static_cast<int>(step.state)]}, {"value", step.value}};
  if (step.is_error) json["is_error"] = true;
  return json;
}

template <class T>
T field(const Json& message, const char* name) {
  return message.at(name).get<T>();
}

using Handler = Json (*)(const Json& message);

const std::map<std::string, Handler> handlers = {
    {"prepare", [](const Json&) { return core().prepare(), Json(); }},
    {"tools", [](const Json&) { return core().tools(); }},
    {"start",
     [](const Json& m) {
       return Json(core().start(field<std::string>(m, "tool"), m.at("arguments"), caller_from(m.at("caller"))));
     }},
    {"start_view",
     [](const Json& m) {
       return Json(core().start_view(field<std::string>(m, "view"), m.at("arguments"), caller_from(m.at("caller"))));
     }},
    {"step", [](const Json& m) { return step_to_json(core().step(field<CallId>(m, "call"))); }},
    {"answer", [](const Json& m) { return core().answer(field<CallId>(m, "call"), m.at("reply")), Json(); }},
    {"cancel", [](const Json& m) { return core().cancel(field<CallId>(m, "call")), Json(); }},
    {"receipt", [](const Json& m) { return core().receipt(field<std::string>(m, "id")).value_or(Json()); }},
    {"shared", [](const Json& m) { return core().shared(field<std::string>(m, "token")).value_or(Json()); }},
    {"make_private", [](const Json& m) { return core().make_private(field<std::string>(m, "table")), Json(); }},
    {"stage", [](const Json&) { return Json(core().stage()); }},
    {"stage_end", [](const Json& m) { return core().stage_end(field<StagedId>(m, "staged")), Json(); }},
    {"unstage", [](const Json& m) { return core().unstage(field<StagedId>(m, "staged")), Json(); }},
    {"staged_size", [](const Json& m) { return Json(core().staged_size(field<StagedId>(m, "staged"))); }},
};

// Embind's own strings are written through malloc without a look at what it answered, which with a full memory is
// address 0. So bytes come in by a copy of ours and go out as a view, valid until the next call.
emscripten::val view_of(std::string text) {
  static std::string held;
  held = std::move(text);
  return emscripten::val(
      emscripten::typed_memory_view(held.size(), reinterpret_cast<const std::uint8_t*>(held.data())));
}

Bytes copy_of(const emscripten::val& array) {
  Bytes bytes(array["length"].as<std::size_t>());
  emscripten::val(emscripten::typed_memory_view(bytes.size(), bytes.data())).call<void>("set", array);
  return bytes;
}

// {"ok": value}, {"error", "message", "hint"} for what the caller can mend, or {"fatal": kind, "message"}, after which
// the home drops this instance.
emscripten::val reply_of(const std::function<Json()>& work) {
  Json reply;
  try {
    reply["ok"] = work();
  } catch (const Error& error) {
    reply = {{"error", error.kind()}, {"message", error.message()}, {"hint", error.hint()}};
  } catch (const StoreError& error) {
    auto full = error.kind() == StoreError::Kind::full;
    reply = {{"error", full ? "storage_full" : "storage_failed"},
             {"message", error.what()},
             {"hint", full ? "Free some space where the tables are kept, then call again." : "Call again."}};
  } catch (const Json::parse_error&) {
    // What the home writes is JSON; what is left is text that is no Unicode.
    reply = {{"error", "invalid_arguments"},
             {"message", "The arguments hold text with half a surrogate pair, which is no Unicode."},
             {"hint", "Replace the broken characters and call again."}};
  } catch (const std::bad_alloc&) {
    reply = {{"fatal", "out_of_memory"}, {"message", "The engine's memory is used up."}};
  } catch (const std::exception& broken) {
    reply = {{"fatal", "internal"}, {"message", broken.what()}};
  }
  return view_of(reply.dump(-1, ' ', false, Json::error_handler_t::replace));
}

emscripten::val open(emscripten::val store, emscripten::val host, emscripten::val limits) {
  return reply_of([&] {
    require(!opened, "an instance opens one store");
    // abort() throws into JavaScript, which every clean-up on the way catches and answers with abort() again; a trap
    // ends it.
    std::set_terminate([] { __builtin_trap(); });
    opened.reset(new Opened{HostStore(store), JsHost(host), nullptr});
    opened->core = Core::open(opened->store, opened->host, limits_from(Json::parse(copy_of(limits))));
    return Json();
  });
}

emscripten::val send(emscripten::val text) {
  return reply_of([&] {
    auto message = Json::parse(copy_of(text));
    auto handler = handlers.find(field<std::string>(message, "do"));
    require(handler != handlers.end(), "a message names what it wants done");
    return handler->second(message);
  });
}

emscripten::val stage_append(double staged, emscripten::val bytes) {
  return reply_of([&] {
    core().stage_append(static_cast<StagedId>(staged), copy_of(bytes));
    return Json();
  });
}

// Fills `into`, a Uint8Array of the home's, with the bytes from `offset` on.
emscripten::val staged_read(double staged, double offset, emscripten::val into) {
  return reply_of([&] {
    Bytes bytes(into["length"].as<std::size_t>());
    core().staged_read(static_cast<StagedId>(staged), static_cast<std::uint64_t>(offset), bytes);
    into.call<void>("set", emscripten::val(emscripten::typed_memory_view(bytes.size(), bytes.data())));
    return Json();
  });
}

}  // namespace
}  // namespace stele

EMSCRIPTEN_BINDINGS(stele) {
  emscripten::function("open", &stele::open);
  emscripten::function("send", &stele::send);
  emscripten::function("stage_append", &stele::stage_append);
  emscripten::function("staged_read", &stele::staged_read);
}
