// Receipts: immutable documents of how a figure was got: SQL, table versions and digests, columns, rows, when, who,
// engine. The signature is the home's (it holds the key); the document's digest is ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/host.hpp"
#include "base/json.hpp"
#include "base/task.hpp"
#include "store/sql_store.hpp"
#include "tables/query_runner.hpp"
#include "tables/types.hpp"

namespace stele {

class Receipts {
 public:
  Receipts(SqlStore& store, Host& host) : store_(store), host_(host) {}

  // Asks the home to sign, stores the receipt and answers {"id", "url"?, "digest", "signed_by"?, "note"?}.
  // `answer` is what answer_rows gave; `origin` is the caller's.
  Task<Json> issue(std::string sql, std::vector<TableRead> reads, Json answer, ChangeNote note, std::string origin);
  // {"id", "document": canonical JSON as text, "digest": SHA-256 of that text, and either "algorithm", "public_key" and
  // "signature" (of the digest's text) or "unsigned": why}. A link carries the same, as base64url in its fragment.
  std::optional<Json> find(std::string_view id);

  // {"receipts": [{"id", "created_at", "author", "message", "sql", "row_count", "tables": [{"path", "version"}]}],
  // "total"}, newest first.
  Json list(std::size_t limit, std::size_t offset);

 private:
  SqlStore& store_;
  Host& host_;
};

}  // namespace stele
