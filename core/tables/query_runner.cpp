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

// Of several versions of a table that were read, a name without one stood for the latest.
const PinnedRead& pinned(const VersionedPath& named, const std::vector<PinnedRead>& reads) {
  const PinnedRead* found = nullptr;
  for (const PinnedRead& read : reads) {
    if (read.name != named.path || (named.version && read.version != *named.version)) continue;
    if (!found || read.version > found->version) found = &read;
  }
  if (!found)
    throw Error("unknown_version", "The query reads \"" + named.path + "\", which is not among what it read before.",
                "Give every table that it read, with its version.");
  return *found;
}

struct VersionedTable {
  TableRecord table;
  VersionRecord version;
};

// `find`: the VersionedTable that a name of the statement stands for.
template <typename Find>
RunningQuery start(Engine& engine, Versions& versions, const std::string& sql, const Find& find) {
  RunningQuery running;
  auto select = engine.guard(sql);
  std::vector<SnapshotPtr> snapshots;
  for (const auto& name : select->tables()) {
    const VersionedTable found = find(parse_name(name));
    const auto& [table, version] = found;
    snapshots.push_back(versions.snapshot(table, version.version));
    running.reads.push_back({table.path, table.id, version.version, version.digest});
  }
  running.cursor = engine.start(std::move(select), std::move(snapshots));
  return running;
}

}  // namespace

RunningQuery start_query(Engine& engine, Catalog& catalog, Versions& versions, const std::string& sql) {
  return start(engine, versions, sql, [&](const VersionedPath& named) {
    TableRecord table = catalog.get(named.path);
    VersionRecord version = versions.get(table, named.version.value_or(table.version));
    return VersionedTable{std::move(table), std::move(version)};
  });
}

RunningQuery start_query_again(Engine& engine, Catalog& catalog, Versions& versions, const std::string& sql,
                               const std::vector<PinnedRead>& reads) {
  return start(engine, versions, sql, [&](const VersionedPath& named) {
    const PinnedRead& read = pinned(named, reads);
    TableRecord table = catalog.get(read.path);
    VersionRecord version = versions.get(table, read.version);
    if (version.digest != read.digest)
      throw Error("unknown_version",
                  "Version " + std::to_string(read.version) + " of \"" + read.path +
                      "\" is another here than the one that was read.",
                  "Run the query where its tables are those that it read.");
    return VersionedTable{std::move(table), std::move(version)};
  });
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
