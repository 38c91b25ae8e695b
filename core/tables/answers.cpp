#include "tables/answers.hpp"

#include "base/error.hpp"
#include "tables/sql_values.hpp"

namespace stele {

namespace {

constexpr std::int64_t kept_ms = std::int64_t{30} * 24 * 60 * 60 * 1000;

}  // namespace

std::optional<Json> find_answer(SqlStore& store, const std::string& idempotency_key,
                                const std::string& request_digest) {
  const SqlValue key[] = {idempotency_key};
  const SqlRows rows = store.query("SELECT request_digest, answer FROM answers WHERE idempotency_key = ?", key);
  if (rows.empty()) return std::nullopt;
  if (text_of(rows[0][0]) != request_digest) {
    throw Error("idempotency_conflict", "The idempotency_key \"" + idempotency_key + "\" was used for another request.",
                "Use a new key for a new request, and the same key only to repeat the very same one.");
  }
  Json answer = Json::parse(text_of(rows[0][1]));
  answer["repeated"] = true;
  return answer;
}

std::vector<SqlStatement> keep_answer(const std::string& idempotency_key, const std::string& request_digest,
                                      const Json& answer, std::int64_t now_ms) {
  return {{"DELETE FROM answers WHERE made_ms < ?", {now_ms - kept_ms}},
          {"INSERT INTO answers (idempotency_key, request_digest, answer, made_ms) VALUES (?, ?, ?, ?)",
           {idempotency_key, request_digest, answer.dump(-1, ' ', false, Json::error_handler_t::replace), now_ms}}};
}

}  // namespace stele
