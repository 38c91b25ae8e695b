// A core without an engine whose tools misbehave on demand, behind the real binding: what the homes do about traps,
// full memory, endless slices and questions is tested with it. Its one table counts in the store, to show what
// survived.
#include <map>
#include <vector>

#include "base/error.hpp"
#include "base/task.hpp"
#include "core.hpp"

namespace stele {
namespace {

struct Tables {
  SqlStore& store;

  std::int64_t count() { return std::get<std::int64_t>(store.query("SELECT n FROM counter").front().front()); }
  void add() {
    std::vector<SqlStatement> batch{{"UPDATE counter SET n = n + 1", {}}};
    store.commit(batch);
  }
};

using Tool = Task<Json> (*)(Tables tables, Json arguments);

Task<Json> count(Tables tables, Json) { co_return Json{{"n", tables.count()}}; }

Task<Json> add(Tables tables, Json) {
  tables.add();
  co_return Json{{"n", tables.count()}};
}

// {"slices"}: that many slices, then how many.
Task<Json> slow(Tables, Json arguments) {
  const auto slices = arguments.at("slices").get<int>();
  for (int i = 1; i <= slices; ++i) {
    Progress progress{static_cast<double>(i), static_cast<double>(slices), "counting"};
    co_await end_slice(progress);
  }
  co_return Json{{"slices", slices}};
}

// {"question"}: what the home replies.
Task<Json> ask(Tables, Json arguments) {
  Json question = arguments.at("question");
  Json reply = co_await ask_home(std::move(question));
  co_return reply;
}

Task<Json> refuse(Tables, Json) {
  throw Error("refused", "This is refused.", "Call another.");
  co_return Json();
}

// Adds to the counter and then goes wrong, as a write that was committed before a trap.
Task<Json> trap(Tables tables, Json) {
  tables.add();
  __builtin_trap();
  co_return Json();
}

Task<Json> break_invariant(Tables, Json) {
  require(false, "this never holds");
  co_return Json();
}

Task<Json> fill_memory(Tables, Json) {
  std::vector<std::vector<char>> held;
  for (;;) held.emplace_back(std::size_t{1} << 20, 'x');
  co_return Json();
}

Task<Json> overflow_stack(Tables tables, Json arguments) {
  struct Deep {
    static std::int64_t down(volatile char* above, std::int64_t deeper) {
      if (deeper == 0) return 0;
      volatile char frame[4096];
      frame[0] = static_cast<char>(above[0] + 1);
      return down(frame, deeper - 1) + frame[0];
    }
  };
  volatile char first[1] = {0};
  co_return Json{{"n", tables.count() + Deep::down(first, arguments.value("deeper", 1'000'000'000))}};
}

Task<Json> hang(Tables tables, Json) {
  volatile bool going = true;
  while (going) {
  }
  co_return Json{{"n", tables.count()}};
}

const std::map<std::string, Tool, std::less<>> tools_by_name = {{"count", count},
                                                                {"add", add},
                                                                {"slow", slow},
                                                                {"ask", ask},
                                                                {"refuse", refuse},
                                                                {"trap", trap},
                                                                {"break_invariant", break_invariant},
                                                                {"fill_memory", fill_memory},
                                                                {"overflow_stack", overflow_stack},
                                                                {"hang", hang}};

class ScriptedCore : public Core {
 public:
  explicit ScriptedCore(SqlStore& store) : tables_{store} {
    std::vector<SqlStatement> batch{{"CREATE TABLE IF NOT EXISTS counter (n INTEGER NOT NULL)", {}},
                                    {"INSERT INTO counter SELECT 0 WHERE NOT EXISTS (SELECT * FROM counter)", {}}};
    store.commit(batch);
  }

  void prepare() override {}

  Json tools() const override {
    Json list = Json::array();
    for (const auto& [name, tool] : tools_by_name)
      list.push_back({{"name", name}, {"inputSchema", {{"type", "object"}}}});
    return {{"tools", list}, {"instructions", "Misbehave."}};
  }

  CallId start(std::string_view tool, Json arguments, Caller) override {
    const auto found = tools_by_name.find(tool);
    if (found == tools_by_name.end()) throw Error("unknown_tool", "There is no such tool.", "Call count.");
    calls_.emplace(++last_call_, std::make_unique<Routine>(found->second(tables_, std::move(arguments))));
    return last_call_;
  }

  // The tools are the views.
  CallId start_view(std::string_view view, Json arguments, Caller caller) override {
    return start(view, std::move(arguments), std::move(caller));
  }

  Step step(CallId id) override {
    Routine& routine = *calls_.at(id);
    try {
      if (routine.step()) return end(id, routine.take(), false);
    } catch (const Error& error) {
      return end(id, {{"error", error.kind()}, {"message", error.message()}, {"hint", error.hint()}}, true);
    }
    if (routine.question()) return {Step::State::asking, *routine.question()};
    const auto& [done, total, what] = routine.progress();
    return {Step::State::working, {{"done", done}, {"total", total}, {"what", what}}};
  }

  void answer(CallId id, Json reply) override { calls_.at(id)->answer(std::move(reply)); }
  void cancel(CallId id) override { calls_.at(id)->cancel(); }
  Json call(std::string_view, Json, Caller) override { return {}; }
  Json view(std::string_view, Json, Caller) override { return {}; }

  std::optional<Json> receipt(std::string_view) override { return {}; }
  std::optional<Json> shared(std::string_view) override { return {}; }
  void make_private(std::string_view) override {}

  StagedId stage() override { return staged_.emplace(++last_staged_, Bytes()).first->first; }
  void stage_append(StagedId id, std::span<const std::uint8_t> bytes) override {
    staged_.at(id).insert(staged_.at(id).end(), bytes.begin(), bytes.end());
  }
  void stage_end(StagedId) override {}
  void unstage(StagedId id) override { staged_.erase(id); }
  std::uint64_t staged_size(StagedId id) override { return staged_.at(id).size(); }
  void staged_read(StagedId id, std::uint64_t offset, std::span<std::uint8_t> into) override {
    const auto& bytes = staged_.at(id);
    require(offset + into.size() <= bytes.size(), "what is read was staged");
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
  }

 private:
  Step end(CallId id, Json value, bool is_error) {
    calls_.erase(id);
    return {Step::State::done, std::move(value), is_error};
  }

  Tables tables_;
  std::map<CallId, std::unique_ptr<Routine>> calls_;
  std::map<StagedId, Bytes> staged_;
  CallId last_call_ = 0;
  StagedId last_staged_ = 0;
};

}  // namespace

std::unique_ptr<Core> Core::open(SqlStore& store, Host&, const Limits&) {
  return std::make_unique<ScriptedCore>(store);
}

}  // namespace stele
