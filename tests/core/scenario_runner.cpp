#include "core/scenario_runner.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "core.hpp"
#include "core/scenario_matcher.hpp"
#include "store/native_sqlite_store.hpp"
#include "support/memory_host.hpp"
#include "tools/schema.hpp"

namespace stele {
namespace {

namespace fs = std::filesystem;

// Functions, since tests are registered before this file's own objects are made.
fs::path cases_folder() { return STELE_TEST_CASES; }
fs::path checks_folder() { return cases_folder() / "checks"; }
fs::path scenarios_folder() { return STELE_TEST_SCENARIOS; }

std::string file_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

// Puts case files where {"$case": …} stands, and the step's value where {"$each": true} does.
Json filled(const Json& written, const Json& each) {
  if (written.is_object() && written.contains("$each")) return each;
  if (written.is_object() && written.contains("$case")) {
    const std::string text = file_text(cases_folder() / written["$case"].get<std::string>());
    return written.contains("at") ? Json::parse(text).at(Json::json_pointer(written["at"].get<std::string>()))
                                  : Json(text);
  }
  if (!written.is_structured()) return written;
  Json copy = written;
  for (auto& part : copy) part = filled(part, each);
  return copy;
}

Limits limits_of(const Json& changed) {
  Limits limits;
  limits.query_ms = 1'000'000;
  limits.answer_bytes = changed.value("answer_bytes", limits.answer_bytes);
  limits.answer_cell_chars = changed.value("answer_cell_chars", limits.answer_cell_chars);
  limits.import_bytes = changed.value("import_bytes", limits.import_bytes);
  limits.columns_max = changed.value("columns_max", limits.columns_max);
  return limits;
}

bool runs_natively(const Json& check) { return check.value("native", true); }

Caller caller_of(const Json& changed) {
  Caller caller;
  caller.author = changed.value("author", "scenario");
  caller.read = changed.value("read", true);
  caller.write = changed.value("write", true);
  caller.share = changed.value("share", true);
  caller.origin = changed.value("origin", "https://stele.example");
  return caller;
}

class Player {
 public:
  explicit Player(const Json& scenario)
      : files_(scenario.value("files", Json::object())),
        core_(Core::open(store_, host_, limits_of(scenario.value("limits", Json::object())))) {
    const Json described = core_->tools();
    for (const auto& tool : described["tools"]) outputs_[tool["name"].get<std::string>()] = tool["outputSchema"];
  }

  // What did not hold, and on which step; empty if all did.
  std::vector<std::string> play(const Json& steps) {
    failures_.clear();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      at_ = "step " + std::to_string(i + 1) + ": ";
      if (steps[i].contains("together")) {
        play_together(steps[i]);
        continue;
      }
      const Json once = Json::array({nullptr});
      for (const auto& each : steps[i].value("each", once)) play_one(steps[i], each);
    }
    return failures_;
  }

 private:
  struct Played {
    std::string name;  // of the tool or view
    bool is_view = false;
    CallId id = 0;
    std::optional<Step> done;
  };

  void fail(const std::string& what) { failures_.push_back(at_ + what); }

  Played begin(const Json& call, const Json& each) {
    Played played;
    played.is_view = call.contains("view");
    played.name = call[played.is_view ? "view" : "tool"].get<std::string>();
    Json arguments = filled(call.value("arguments", Json::object()), each);
    Caller caller = caller_of(call.value("caller", Json::object()));
    played.id = played.is_view ? core_->start_view(played.name, std::move(arguments), std::move(caller))
                               : core_->start(played.name, std::move(arguments), std::move(caller));
    return played;
  }

  void slice(Played& call) {
    Step step = core_->step(call.id);
    if (step.state == Step::State::asking) core_->answer(call.id, reply_to(step.value));
    if (step.state == Step::State::done) call.done = std::move(step);
  }

  void play_one(const Json& step, const Json& each) {
    Played call = begin(step, each);
    while (!call.done) slice(call);
    const std::string wrong = wrong_with(step, call);
    if (!wrong.empty()) fail(call.name + (each.is_null() ? "" : " with " + each.dump()) + ": " + wrong);
  }

  void play_together(const Json& step) {
    std::vector<Played> calls;
    for (const auto& call : step["together"])
      for (int i = 0; i < call.value("times", 1); ++i) calls.push_back(begin(call, nullptr));
    const auto is_open = [](const Played& call) { return !call.done; };
    while (std::any_of(calls.begin(), calls.end(), is_open))
      for (auto& call : calls)
        if (is_open(call)) slice(call);
    for (const auto& outcome : step["outcomes"]) {
      std::string why;
      int count = 0;
      for (const auto& call : calls) {
        const std::string wrong = wrong_with(outcome, call);
        if (wrong.empty())
          ++count;
        else
          why = wrong;
      }
      if (count != outcome["count"])
        fail(std::to_string(count) + " calls have the outcome " + outcome.dump() + "; " + why);
    }
  }

  std::string wrong_with(const Json& expected, const Played& call) const {
    const Json& answer = call.done->value;
    const std::string error = expected.value("error", "");
    if (call.done->is_error != !error.empty() || (!error.empty() && answer["error"] != error))
      return "answered " + answer.dump().substr(0, 600);
    if (call.done->is_error) {
      const bool complete =
          answer.size() == 3 && !answer.value("message", "").empty() && !answer.value("hint", "").empty();
      if (!complete) return "is no full error: " + answer.dump();
    } else if (const auto wrong = output_mismatch(call, answer)) {
      return "does not match its outputSchema: " + wrong->where + " was " + wrong->was + ", not " + wrong->expected;
    }
    for (const auto& text : expected.value("forbid", Json::array()))
      if (answer.dump().find(text.get<std::string>()) != std::string::npos)
        return "holds the forbidden " + text.dump() + ": " + answer.dump();
    return expected.contains("expect") ? mismatch_of(expected["expect"], &answer) : "";
  }

  // Of views only the homes' own pages know what they answer.
  std::optional<schema::Mismatch> output_mismatch(const Played& call, const Json& answer) const {
    if (call.is_view) return {};
    return schema::mismatch(outputs_.at(call.name), answer);
  }

  Json reply_to(const Json& question) {
    if (question["ask"] == "fetch") return fetched(question["url"].get<std::string>());
    if (question["ask"] == "unpack_xlsx") return unpacked(question["staged"].get<StagedId>());
    return error_reply("unavailable", "This home holds no key.");
  }

  static Json error_reply(const char* kind, const char* message) {
    Json reply = Json::object();
    reply["error"] = kind;
    reply["message"] = message;
    reply["hint"] = "Do otherwise.";
    return reply;
  }

  Json fetched(const std::string& url) {
    if (!files_.contains(url)) return error_reply("fetch_failed", "There is nothing under this URL.");
    const Json& file = files_[url];
    if (file.contains("error")) return file["error"];
    const std::string bytes =
        file.contains("case") ? file_text(cases_folder() / file["case"].get<std::string>()) : file.value("text", "");
    Json reply = Json::object();
    reply["staged"] = stage(bytes);
    reply["url"] = file.value("url", url);
    reply["content_type"] = file.value("content_type", "");
    unpacked_[reply["staged"].get<StagedId>()] = file.value("unpacked", Json::object());
    return reply;
  }

  Json unpacked(StagedId staged) {
    const Json workbook = unpacked_[staged];
    if (workbook.contains("error")) return workbook["error"];
    std::string lines;
    for (const auto& row : workbook["cells"]) lines += row.dump() + "\n";
    Json reply = workbook;
    reply.erase("cells");
    reply["staged"] = stage(lines);
    return reply;
  }

  StagedId stage(const std::string& bytes) {
    const StagedId id = core_->stage();
    core_->stage_append(id, std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
    core_->stage_end(id);
    return id;
  }

  NativeSqlStore store_{":memory:"};
  MemoryHost host_;
  Json files_;
  std::unique_ptr<Core> core_;
  std::map<std::string, Json> outputs_;
  std::map<StagedId, Json> unpacked_;
  std::string at_;
  std::vector<std::string> failures_;
};

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<fs::path> scenario_files() { return files_in(scenarios_folder()); }
std::vector<fs::path> case_files() {
  auto files = files_in(checks_folder());
  std::erase_if(files, [](const fs::path& path) {
    const Json checks = Json::parse(file_text(path))["checks"];
    return std::none_of(checks.begin(), checks.end(), runs_natively);
  });
  return files;
}

std::vector<std::string> run_scenario(const fs::path& path) {
  const Json scenario = Json::parse(file_text(path));
  Player player(scenario);
  return player.play(scenario["steps"]);
}

std::string case_title(const fs::path& path) { return Json::parse(file_text(path))["case"].get<std::string>(); }

std::vector<CheckOutcome> run_case(const fs::path& path) {
  const Json scenario = Json::parse(file_text(path));
  Player player(scenario);
  std::vector<CheckOutcome> outcomes;
  for (const auto& check : scenario["checks"]) {
    if (!runs_natively(check)) continue;
    const auto label = check["check"].get<std::string>() + ": " + check["holds"].get<std::string>();
    outcomes.push_back({label, player.play(check["steps"])});
  }
  return outcomes;
}

}  // namespace stele
