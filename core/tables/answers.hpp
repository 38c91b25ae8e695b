// Answers: what calls with an idempotency key were answered, so that a repeated call changes nothing. A key is
// forgotten after thirty days.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "store/sql_store.hpp"

namespace stele {

// The stored answer, marked "repeated". Throws Error idempotency_conflict if the key came with another request.
std::optional<Json> find_answer(SqlStore& store, const std::string& idempotency_key, const std::string& request_digest);

// To stand in the commit that makes the version: the answer, and the end of those that are too old.
std::vector<SqlStatement> keep_answer(const std::string& idempotency_key, const std::string& request_digest,
                                      const Json& answer, std::int64_t now_ms);

}  // namespace stele
