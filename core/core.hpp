// Core: the face. Tools by name, JSON in, JSON out, in slices. One core owns a store; calls of many callers run
// interleaved.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/host.hpp"
#include "base/json.hpp"
#include "engine/limits.hpp"
#include "store/sql_store.hpp"

namespace stele {

using CallId = std::int64_t;
using StagedId = std::int64_t;

// Who calls. `author` goes into histories; scopes are checked against what the call does.
struct Caller {
  std::string author;  // e.g. "claude-desktop 1.2"; "unknown" if empty
  bool read = true;
  bool write = true;
  bool share = true;
  std::string origin;  // where links to this home begin, e.g. "http://127.0.0.1:7411"; empty if it has no address
};

struct Step {
  enum class State { working, asking, done };
  State state = State::working;
  Json value;  // asking: the question; done: the answer, {"error", "message", "hint"} if it failed; working: {done,
               // total, what}
  bool is_error = false;
};

class Core {
 public:
  // Opens the store: migrates its schema, sweeps what was never published. `store` and `host` outlive the core.
  // Throws Error store_newer if a later Stele wrote it.
  static std::unique_ptr<Core> open(SqlStore& store, Host& host, const Limits& limits = {});
  virtual ~Core() = default;

  // Opens the engine ahead of the first call that needs it. Calls that only look into the catalogue do not.
  virtual void prepare() = 0;

  // {"tools": [{name, title, description, inputSchema, outputSchema, annotations}], "instructions": text}
  virtual Json tools() const = 0;

  virtual CallId start(std::string_view tool, Json arguments, Caller caller) = 0;
  // One slice. Not to be called while the last step was `asking`, until answer() or cancel(). A call that is done is
  // forgotten. Throws only InvariantBroken.
  virtual Step step(CallId id) = 0;
  // Questions and their replies; a reply may also be {"error", "message", "hint"}:
  //   {"ask": "fetch", "url"} → {"staged", "url" (after redirects), "content_type"}
  //   {"ask": "unpack_xlsx", "staged", "sheet": name or null, "skip_rows"?: rows of the sheet above the header,
  //   "header"?: whether the first row names the columns} → {"staged" (cells as importer.hpp says), "facts",
  //   "warnings"}
  //   {"ask": "sign", "digest": hex} → {"algorithm": "Ed25519", "public_key", "signature": base64url of the digest's
  //   UTF-8 text}
  virtual void answer(CallId id, Json reply) = 0;
  // The next step ends the call with the error kind "cancelled".
  virtual void cancel(CallId id) = 0;

  // start and step to the end; a question is answered with the error kind "unavailable".
  virtual Json call(std::string_view tool, Json arguments, Caller caller) = 0;

  // Views: what a home's own pages ask beside the tools, by name, in slices as a call; agents do not see them. See
  // views/view.hpp.
  virtual CallId start_view(std::string_view view, Json arguments, Caller caller) = 0;
  virtual Json view(std::string_view view, Json arguments, Caller caller) = 0;

  // For a home's own pages; agents have tools. Nothing if there is none.
  virtual std::optional<Json> receipt(std::string_view id) = 0;    // the document as issued
  virtual std::optional<Json> shared(std::string_view token) = 0;  // {"table": path, "version"}
  virtual void make_private(std::string_view path) = 0;            // ends a share; Error unknown_table

  // The home stages bytes that came from outside: begin, append in order, end; then names the id in a reply.
  virtual StagedId stage() = 0;
  virtual void stage_append(StagedId id, std::span<const std::uint8_t> bytes) = 0;
  virtual void stage_end(StagedId id) = 0;
  virtual void unstage(StagedId id) = 0;
  // For homes that unpack what was staged (XLSX).
  virtual std::uint64_t staged_size(StagedId id) = 0;
  virtual void staged_read(StagedId id, std::uint64_t offset, std::span<std::uint8_t> into) = 0;
};

}  // namespace stele
