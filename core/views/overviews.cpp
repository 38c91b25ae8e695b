// The views of the workspace as a whole: receipts, shares, trash, totals.
#include "base/encoding.hpp"
#include "tables/overview.hpp"
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "views/view.hpp"

namespace stele {
namespace {

Json or_null(const std::optional<std::int64_t>& ms) { return ms ? Json(iso_time(*ms)) : Json(); }

Task<Json> list_receipts(Services& services, Json arguments, Caller caller) {
  require_scope(caller.read, "read", "list_receipts");
  co_return services.receipts.list(arguments["limit"].get<std::size_t>(), arguments["offset"].get<std::size_t>());
}

Task<Json> list_shares(Services& services, Json, Caller caller) {
  require_scope(caller.read, "read", "list_shares");
  Json answer = Json::object();
  answer["shares"] = Json::array();
  for (const auto& share : services.overview.shares()) {
    Json shown = Json::object();
    shown["path"] = share.path;
    shown["token"] = share.token;
    shown["since"] = or_null(share.since_ms);
    shown["version"] = share.version;
    answer["shares"].push_back(std::move(shown));
  }
  co_return answer;
}

Task<Json> list_trash(Services& services, Json, Caller caller) {
  require_scope(caller.read, "read", "list_trash");
  Json answer = Json::object();
  answer["tables"] = Json::array();
  for (const auto& table : services.overview.trash()) {
    Json shown = Json::object();
    shown["path"] = table.path;
    shown["version"] = table.version;
    shown["rows"] = table.rows;
    shown["bytes"] = table.bytes;
    shown["trashed_at"] = iso_time(table.trashed_ms);
    answer["tables"].push_back(std::move(shown));
  }
  co_return answer;
}

Task<Json> workspace(Services& services, Json, Caller caller) {
  require_scope(caller.read, "read", "workspace");
  const auto totals = services.overview.totals();
  Json answer = Json::object();
  answer["tables"] = totals.tables;
  answer["trashed"] = totals.trashed;
  answer["versions"] = totals.versions;
  answer["rows"] = totals.rows;
  answer["bytes"] = totals.bytes;
  answer["receipts"] = totals.receipts;
  answer["shares"] = totals.shares;
  co_return answer;
}

}  // namespace

View list_receipts_view() {
  return {"list_receipts",
          schema::closed_object({schema::defaulted("limit", schema::integer("", 1, 500), 100),
                                 schema::defaulted("offset", schema::integer("", 0, SqlStore::integer_max), 0)}),
          list_receipts};
}
View list_shares_view() { return {"list_shares", schema::closed_object({}), list_shares}; }
View list_trash_view() { return {"list_trash", schema::closed_object({}), list_trash}; }
View workspace_view() { return {"workspace", schema::closed_object({}), workspace}; }

}  // namespace stele
