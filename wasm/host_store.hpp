// HostStore and JsHost: the store and the host of a home that is JavaScript. They only carry: what a home promises is
// kept in TypeScript (sql_store.ts), and no JavaScript exception ever crosses into C++.
#pragma once

#include <emscripten/val.h>

#include <span>
#include <string_view>

#include "base/host.hpp"
#include "store/sql_store.hpp"

namespace stele {

// The encoding of both ways, little-endian, mirrored by wasm/wire.ts:
//   value      tag byte: 0 null · 1 integer as f64 · 2 double as f64 · 3 text, u32 length, UTF-8 · 4 bytes, u32 length,
//   bytes statement  text value, u32 count, that many values query      statement                 commit  u32 count,
//   that many statements answer     status byte: 0 then u32 rows, u32 columns, values row by row · 1 conflict, 2 full,
//   3 io then a text value
class HostStore : public SqlStore {
 public:
  // `store` has query, commit and commitAhead, each of (Uint8Array): Uint8Array, which never throw. The arrays they
  // are given are views, valid during the call.
  explicit HostStore(emscripten::val store) : store_(std::move(store)) {}

  SqlRows query(std::string_view sql, std::span<const SqlValue> params = {}) override;
  void commit(std::span<const SqlStatement> batch) override;
  void commit_ahead(std::span<const SqlStatement> batch) override;

 private:
  void write(const char* method, std::span<const SqlStatement> batch);
  Bytes ask(const char* method, const Bytes& request);
  emscripten::val store_;
};

// `host` has nowMs(): number, randomBytes(Uint8Array): void and log(string): void, which never throw.
class JsHost : public Host {
 public:
  explicit JsHost(emscripten::val host) : host_(std::move(host)) {}

  std::int64_t now_ms() override;
  void random_bytes(std::span<std::uint8_t> bytes) override;
  void log(std::string_view line) override;

 private:
  emscripten::val host_;
};

}  // namespace stele
