#include "tables/receipts.hpp"

#include <nlohmann/json.hpp>

#include "base/encoding.hpp"
#include "base/ids.hpp"
#include "base/sha256.hpp"
#include "engine/engine.hpp"
#include "tables/sql_values.hpp"

namespace stele {
namespace {

constexpr std::size_t id_bytes = 16;
constexpr std::size_t link_chars_max = 2'000;

Json reads_json(const std::vector<TableRead>& reads) {
  Json shown = Json::array();
  for (const auto& read : reads) {
    Json one = Json::object();
    one["table"] = read.path;
    one["table_id"] = read.table_id;
    one["version"] = read.version;
    one["digest"] = read.digest;
    shown.push_back(std::move(one));
  }
  return shown;
}

// One spelling only: members by name, no spaces. Its digest is the receipt's, so it is kept and sent as text: a reader
// that parsed and printed it again might write a number otherwise.
std::string canonical(const Json& document) {
  const nlohmann::json sorted = document;
  return sorted.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// What the receipt holds beside its document: the signature, or why there is none.
Json sealed(const std::string& id, const std::string& document, const std::string& digest, const Json& reply) {
  Json receipt = Json::object();
  receipt["id"] = id;
  receipt["document"] = document;
  receipt["digest"] = digest;
  if (reply.is_object() && !reply.contains("error") && reply.contains("signature")) {
    for (const char* member : {"algorithm", "public_key", "signature"}) receipt[member] = reply.value(member, "");
  } else {
    receipt["unsigned"] =
        reply.is_object() ? reply.value("message", "The home did not sign.") : "The home did not sign.";
  }
  return receipt;
}

// What a list shows of a receipt's document.
Json listed(const std::string& id, const Json& receipt) {
  const Json document = Json::parse(receipt["document"].get_ref<const std::string&>());
  Json shown = Json::object();
  shown["id"] = id;
  shown["created_at"] = document.value("made_at", "");
  shown["author"] = document.value("made_by", "");
  shown["message"] = document.value("message", "");
  shown["sql"] = document.value("sql", "");
  shown["row_count"] = document.value("row_count", std::int64_t{0});
  shown["tables"] = Json::array();
  for (const Json& read : document.value("reads", Json::array())) {
    Json table = Json::object();
    table["path"] = read.value("table", "");
    table["version"] = read.value("version", std::int64_t{0});
    shown["tables"].push_back(std::move(table));
  }
  return shown;
}

// A receipt that fits travels whole in the link's fragment, which no server sees and which needs none to be kept.
std::string link_of(const Json& receipt, const std::string& origin) {
  const std::string whole = origin + "/r#" + base64url(receipt.dump());
  return whole.size() <= link_chars_max ? whole : origin + "/r/" + receipt["id"].get<std::string>();
}

}  // namespace

Task<Json> Receipts::issue(std::string sql, std::vector<TableRead> reads, Json answer, ChangeNote note,
                           std::string origin) {
  const std::int64_t now_ms = host_.now_ms();
  const std::string id = random_token(host_, id_bytes);
  Json content = Json::object();
  content["stele_receipt"] = 1;
  content["sql"] = std::move(sql);
  content["reads"] = reads_json(reads);
  for (const char* member : {"notice", "columns", "rows", "row_count", "truncated", "cut"})
    if (answer.contains(member)) content[member] = std::move(answer[member]);
  content["made_at"] = iso_time(now_ms);
  content["made_by"] = note.author;
  if (!note.message.empty()) content["message"] = note.message;
  if (!note.run.empty()) content["run"] = note.run;
  content["engine"] = Engine::version();
  const std::string document = canonical(content);
  const std::string digest = sha256_hex(document);

  Json question = Json::object();
  question["ask"] = "sign";
  question["digest"] = digest;
  const Json reply = co_await ask_home(std::move(question));
  const Json receipt = sealed(id, document, digest, reply);

  SqlStatement statement;
  statement.sql = "INSERT INTO receipts (id, document, made_ms) VALUES (?, ?, ?)";
  statement.params = {id, receipt.dump(), now_ms};
  store_.commit(std::span(&statement, 1));

  Json issued = Json::object();
  issued["id"] = id;
  if (!origin.empty()) issued["url"] = link_of(receipt, origin);
  issued["digest"] = digest;
  if (receipt.contains("public_key")) issued["signed_by"] = receipt["public_key"];
  std::string remarks;
  if (receipt.contains("unsigned")) remarks += "Not signed: " + receipt["unsigned"].get<std::string>();
  if (origin.empty())
    remarks += std::string(remarks.empty() ? "" : " ") +
               "This home has no web address: open the receipt by its id in the app, or under /r/" + id +
               " of a server on the same store (stele serve).";
  if (!remarks.empty()) issued["note"] = remarks;
  co_return issued;
}

std::optional<Json> Receipts::find(std::string_view id) {
  const std::vector<SqlValue> params = {std::string(id)};
  const SqlRows rows = store_.query("SELECT document FROM receipts WHERE id = ?", params);
  if (rows.empty()) return {};
  return Json::parse(std::get<std::string>(rows.front().front()));
}

Json Receipts::list(std::size_t limit, std::size_t offset) {
  Json answer = Json::object();
  answer["receipts"] = Json::array();
  const SqlValue page[] = {sql_integer(limit), sql_integer(offset)};
  // One document at a time, since each may be large.
  for (const SqlRow& row :
       store_.query("SELECT id FROM receipts ORDER BY made_ms DESC, id DESC LIMIT ? OFFSET ?", page))
    if (const auto receipt = find(text_of(row[0]))) answer["receipts"].push_back(listed(text_of(row[0]), *receipt));
  answer["total"] = integer_of(store_.query("SELECT count(*) FROM receipts")[0][0]);
  return answer;
}

}  // namespace stele
