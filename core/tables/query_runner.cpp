#include "tables/query_runner.hpp"

#include <charconv>

#include "base/error.hpp"
#include "tables/answer_fit.hpp"

namespace stele {
namespace {

struct VersionedPath {
  std::string path;
  std::optional<std::int64_t> version;  // the latest if there is none
};

// A path holds no '@', so what follows one is a version.
VersionedPath parse_name(const std::string& name) {
  const std::size_t at = name.find('@');
  if (at == std::string::npos) return {name, {}};
  std::int64_t version = 0;
  const char* end = name.data() + name.size();
  const auto [parsed, failure] = std::from_chars(name.data() + at + 1, end, version);
  if (failure != std::errc() || parsed != end)
    throw Error("unknown_version", "\"" + name + "\" names no version: what follows the @ is not a number.",
                "Write \"" + name.substr(0, at) + "@3\" for version 3, or no @ for the latest.");
  return {name.substr(0, at), version};
}

}  // namespace

RunningQuery start_query(Engine& engine, Catalog& catalog, Versions& versions, const std::string& sql) {
  RunningQuery running;
  auto select = engine.guard(sql);
  std::vector<SnapshotPtr> snapshots;
  for (const auto& name : select->tables()) {
    const VersionedPath named = parse_name(name);
    const TableRecord table = catalog.get(named.path);
    const VersionRecord version = versions.get(table, named.version.value_or(table.version));
    snapshots.push_back(versions.snapshot(table, version.version));
    running.reads.push_back({table.path, table.id, version.version, version.digest});
  }
  running.cursor = engine.start(std::move(select), std::move(snapshots));
  return running;
}

Task<Json> answer_rows(std::unique_ptr<Cursor> cursor, std::uint64_t limit, Limits limits) {
  AnswerFit fit(cursor->columns(), limit, limits);
  bool reading = true;
  while (reading) {
    Task<bool> advancing = next_chunk(*cursor, "running the query");
    reading = co_await std::move(advancing);
    for (std::size_t row = 0; reading && row < cursor->row_count(); ++row) reading = fit.take(*cursor, row);
  }
  co_return fit.answer();
}

}  // namespace stele
