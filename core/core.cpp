#include "core.hpp"

#include <map>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/task.hpp"
#include "store/schema.hpp"
#include "tools/instructions.hpp"
#include "tools/services.hpp"
#include "tools/tool.hpp"
#include "views/view.hpp"

namespace stele {
namespace {

constexpr std::size_t calls_max = 256;

// Of the memory of the engine, the part that staged bytes may take beside it: one in so many.
constexpr std::uint64_t staged_share = 4;

Json error_json(const std::string& kind, const std::string& message, const std::string& hint) {
  Json answer = Json::object();
  answer["error"] = kind;
  answer["message"] = message;
  answer["hint"] = hint;
  return answer;
}

Json store_error_json(const StoreError& failure) {
  switch (failure.kind()) {
    case StoreError::Kind::conflict:
      return error_json("version_conflict", "Another change came first.", "Nothing was changed; call again.");
    case StoreError::Kind::full:
      return error_json("storage_full", "The home's storage is full.",
                        "Nothing was changed. Free space, then call again.");
    case StoreError::Kind::io:
      break;
  }
  return error_json("storage_failed", std::string("The home's storage failed: ") + failure.what(),
                    "Nothing was changed; call again.");
}

// The answer to the exception that is being handled.
Json current_error_json() {
  try {
    throw;
  } catch (const Error& failure) {
    return error_json(failure.kind(), failure.message(), failure.hint());
  } catch (const StoreError& failure) {
    return store_error_json(failure);
  } catch (const std::bad_alloc&) {
    return error_json("out_of_memory", "The call needed more memory than there is.",
                      "Read fewer rows or columns, filter earlier, or aggregate in steps saved with save_as.");
  } catch (const std::exception& failure) {
    return error_json("internal", std::string("Something is broken in Stele: ") + failure.what(),
                      "Nothing was changed. Call again; if it happens again, report it.");
  }
}

// What an answer holds may come from a file's bytes or an engine's message: it leaves as strict JSON in valid UTF-8.
Json strict(const Json& answer) { return Json::parse(answer.dump(-1, ' ', false, Json::error_handler_t::replace)); }

const Tool& tool_named(std::string_view name) {
  for (const auto& tool : all_tools())
    if (tool.definition["name"] == name) return tool;
  std::string names;
  for (const auto& tool : all_tools())
    names += (names.empty() ? "" : ", ") + tool.definition["name"].get<std::string>();
  throw Error("unknown_tool", "There is no tool \"" + std::string(name) + "\".", "The tools are: " + names + ".");
}

const View& view_named(std::string_view name) {
  for (const auto& view : all_views())
    if (view.name == name) return view;
  std::string names;
  for (const auto& view : all_views()) names += (names.empty() ? "" : ", ") + std::string(view.name);
  throw Error("unknown_view", "There is no view \"" + std::string(name) + "\".", "The views are: " + names + ".");
}

class CoreImpl : public Core {
 public:
  CoreImpl(SqlStore& store, Host& host, const Limits& limits)
      : limits_(limits),
        blobs_(store, limits.memory_bytes / staged_share),
        engine_(Engine::open(blobs_, host, limits_)),
        catalog_(store, host),
        versions_(store, blobs_),
        writer_(store, blobs_, *engine_, catalog_, versions_, host, limits_),
        receipts_(store, host),
        overview_(store),
        staging_(blobs_),
        services_{host,    limits_,   blobs_,   *engine_, catalog_, versions_,
                  writer_, receipts_, staging_, store,    overview_} {
    blobs_.sweep();
  }

  void prepare() override { engine_->prepare(); }

  Json tools() const override {
    Json answer = Json::object();
    answer["tools"] = Json::array();
    for (const auto& tool : all_tools()) answer["tools"].push_back(tool.definition);
    answer["instructions"] = agent_instructions();
    return answer;
  }

  CallId start(std::string_view tool, Json arguments, Caller caller) override {
    return begin([&] {
      const Tool& named = tool_named(tool);
      Json checked = checked_arguments(named.definition["inputSchema"], std::move(arguments));
      return named.run(services_, std::move(checked), std::move(caller));
    });
  }

  CallId start_view(std::string_view view, Json arguments, Caller caller) override {
    return begin([&] {
      const View& named = view_named(view);
      Json checked = checked_arguments(named.arguments, std::move(arguments));
      return named.run(services_, std::move(checked), std::move(caller));
    });
  }

  Step step(CallId id) override {
    Call& call = find(id);
    require(!call.asking, "a call that waits for an answer is not stepped");
    if (call.failure) return end(id, std::move(*call.failure), true);
    if (call.cancelled && !call.begun)
      return end(id,
                 error_json("cancelled", "The call was cancelled.", "Nothing was changed; call again to start over."),
                 true);
    call.begun = true;
    try {
      if (call.cancelled) drop_reply(call);
      call.replied_staged.reset();
      if (call.routine->step()) return end(id, call.routine->take(), false);
    } catch (...) {
      return end(id, current_error_json(), true);
    }
    return unfinished(call);
  }

  void answer(CallId id, Json reply) override {
    Call& call = find(id);
    require(call.asking, "an answer follows a question");
    call.asking = false;
    const auto staged = reply.is_object() ? reply.find("staged") : reply.end();
    if (staged != reply.end() && staged->is_number_integer()) call.replied_staged = staged->get<StagedId>();
    call.routine->answer(std::move(reply));
  }

  void cancel(CallId id) override {
    Call& call = find(id);
    call.cancelled = true;
    call.asking = false;
    if (call.routine) call.routine->cancel();
  }

  Json call(std::string_view tool, Json arguments, Caller caller) override {
    return run(start(tool, std::move(arguments), std::move(caller)));
  }

  Json view(std::string_view view, Json arguments, Caller caller) override {
    return run(start_view(view, std::move(arguments), std::move(caller)));
  }

  std::optional<Json> receipt(std::string_view id) override { return receipts_.find(id); }

  std::optional<Json> shared(std::string_view token) override {
    const auto table = catalog_.find_shared(token);
    if (!table) return {};
    Json answer = Json::object();
    answer["table"] = table->path;
    answer["version"] = table->version;
    return answer;
  }

  void make_private(std::string_view path) override { catalog_.unshare(catalog_.get(path)); }

  StagedId stage() override { return staging_.begin(); }
  void stage_append(StagedId id, std::span<const std::uint8_t> bytes) override { staging_.append(id, bytes); }
  void stage_end(StagedId id) override { staging_.end(id); }
  void unstage(StagedId id) override { staging_.remove(id); }
  std::uint64_t staged_size(StagedId id) override { return staging_.blob(id).size; }
  void staged_read(StagedId id, std::uint64_t offset, std::span<std::uint8_t> into) override {
    blobs_.read(staging_.blob(id).id, offset, into);
  }

 private:
  struct Call {
    std::unique_ptr<Routine> routine;
    std::optional<Json> failure;  // it failed before it began
    bool begun = false;
    bool asking = false;
    bool cancelled = false;
    std::optional<StagedId> replied_staged;  // bytes of the last reply, until the routine has taken it
  };

  template <class MakeTask>
  CallId begin(MakeTask&& make_task) {
    Call& call = calls_[++last_call_];
    try {
      if (calls_.size() > calls_max)
        throw Error("busy", "Too many calls are running.", "Call again when some have ended.");
      call.routine = std::make_unique<Routine>(make_task());
    } catch (...) {
      call.failure = current_error_json();
    }
    return last_call_;
  }

  Json run(CallId id) {
    for (;;) {
      Step step_taken = step(id);
      if (step_taken.state == Step::State::done) return std::move(step_taken.value);
      if (step_taken.state == Step::State::asking)
        answer(id,
               error_json("unavailable", "This home cannot do that.", "Use a home that can, such as `stele serve`."));
    }
  }

  // A cancelled routine does not look at the reply, so what was staged for it would stay.
  void drop_reply(const Call& call) {
    if (call.replied_staged) staging_.remove(*call.replied_staged);
  }

  Call& find(CallId id) {
    const auto call = calls_.find(id);
    require(call != calls_.end(), "a call is stepped, answered and cancelled until it is done");
    return call->second;
  }

  Step end(CallId id, Json value, bool is_error) {
    calls_.erase(id);
    return {Step::State::done, strict(value), is_error};
  }

  static Step unfinished(Call& call) {
    Step step;
    if (call.routine->question()) {
      call.asking = true;
      step.state = Step::State::asking;
      step.value = *call.routine->question();
      return step;
    }
    const Progress& progress = call.routine->progress();
    step.value = Json::object();
    step.value["done"] = progress.done;
    step.value["total"] = progress.total;
    step.value["what"] = progress.what;
    return step;
  }

  Limits limits_;
  Blobs blobs_;
  std::unique_ptr<Engine> engine_;
  Catalog catalog_;
  Versions versions_;
  Writer writer_;
  Receipts receipts_;
  Overview overview_;
  Staging staging_;
  Services services_;
  std::map<CallId, Call> calls_;  // destroyed first: calls use all of the above
  CallId last_call_ = 0;
};

}  // namespace

std::unique_ptr<Core> Core::open(SqlStore& store, Host& host, const Limits& limits) {
  migrate(store);
  return std::make_unique<CoreImpl>(store, host, limits);
}

}  // namespace stele
