// Workspace: a core over a store in memory, for fuzz targets. What every answer owes, whatever was asked, is checked on
// each; a used workspace is exchanged for an empty one, so that no input depends on those before it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core.hpp"
#include "store/native_sqlite_store.hpp"
#include "support/memory_host.hpp"
#include "support/table_world.hpp"
#include "target.hpp"
#include "tools/schema.hpp"

namespace stele::fuzz {

class Workspace {
 public:
  Workspace() : core_(Core::open(store_, host_, limits())) {
    const Json described = core_->tools();
    for (const Json& tool : described["tools"]) outputs_[tool["name"].get<std::string>()] = tool["outputSchema"];
    untouched_ = counts();
  }

  Core& core() { return *core_; }
  const std::map<std::string, Json>& outputs() const { return outputs_; }
  std::string counts() { return testing::store_counts(store_); }
  bool is_untouched() { return counts() == untouched_; }

  // Calls, cancels after `slices_max`, and answers what came. `file` is what a URL gives, if anything.
  Json call(const std::string& tool, Json arguments, Caller caller, int slices_max, const Json& file = nullptr) {
    const std::string before = counts();
    const CallId id = core_->start(tool, std::move(arguments), std::move(caller));
    Step step;
    for (int slice = 0; step.state != Step::State::done; ++slice) {
      if (slice == slices_max) core_->cancel(id);
      step = core_->step(id);
      if (step.state == Step::State::asking) core_->answer(id, reply_to(step.value, file));
    }
    expect(step.value.is_object(), "an answer is an object");
    step.value.dump();  // throws where it is not UTF-8
    if (step.is_error)
      expect_refusal(step.value, before);
    else if (const auto wrong = schema::mismatch(outputs_.at(tool), step.value))
      throw Finding(tool + " answers by its schema: " + wrong->where + " was " + wrong->was);
    return std::move(step.value);
  }

 private:
  static Limits limits() {
    Limits limits;
    limits.memory_bytes = std::uint64_t{128} << 20;
    limits.spill_bytes = std::uint64_t{64} << 20;
    limits.import_bytes = 1 << 20;
    limits.columns_max = 2'000;
    limits.query_ms = 5'000;
    return limits;
  }

  void expect_refusal(const Json& error, const std::string& before) {
    const bool is_full = error.size() == 3 && error.value("error", "") != "" && error.value("message", "") != "" &&
                         error.value("hint", "") != "";
    expect(is_full, "a refusal says kind, message and hint: " + error.dump());
    expect(error["error"] != "internal", "no caller breaks an invariant: " + error.dump());
    expect(counts() == before, "a refused call leaves nothing behind: " + error.dump());
  }

  Json reply_to(const Json& question, const Json& file) {
    Json reply = Json::object();
    if (question["ask"] == "fetch" && file.is_string()) {
      const auto& bytes = file.get_ref<const std::string&>();
      const StagedId id = core_->stage();
      core_->stage_append(id, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
      core_->stage_end(id);
      reply["staged"] = id;
      reply["url"] = question["url"];
      reply["content_type"] = "";
      return reply;
    }
    reply["error"] = "unavailable";
    reply["message"] = "This home cannot.";
    reply["hint"] = "Use another.";
    return reply;
  }

  NativeSqlStore store_{":memory:"};
  MemoryHost host_;
  std::unique_ptr<Core> core_;
  std::map<std::string, Json> outputs_;
  std::string untouched_;
};

}  // namespace stele::fuzz
