// Publisher: makes a version of rows that are staged, by one commit, and again if another core made one meanwhile. It
// stages and types no incoming rows; the writer does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/host.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"
#include "tables/catalog.hpp"
#include "tables/column_plan.hpp"
#include "tables/next_version.hpp"
#include "tables/staged_segment.hpp"
#include "tables/table_state.hpp"
#include "tables/types.hpp"
#include "tables/upsert.hpp"
#include "tables/versions.hpp"

namespace stele {

// The incoming rows, ready to become part of a version.
struct StagedRows {
  std::optional<StagedSegment> segment;
  std::vector<Column> columns;  // of the segment, in its order
  LeftOut left_out;
  std::vector<Warning> warnings;
  Json facts;
};

// How often a write begins again because another core made a version meanwhile.
inline constexpr int publish_attempts_max = 4;

[[noreturn]] void refuse_stale(const std::string& path, std::int64_t current, const std::string& why);

class Publisher {
 public:
  Publisher(SqlStore& store, Blobs& blobs, Engine& engine, Catalog& catalog, Versions& versions, Host& host)
      : store_(store), blobs_(blobs), engine_(engine), catalog_(catalog), versions_(versions), host_(host) {}

  // The table as it is, or a new one. Throws Error table_exists or version_conflict if the request expects another.
  TableState state_for(const WriteRequest& request);

  // Answers WriteOutcome::to_json(). Throws Error version_conflict if the columns that the rows were typed for changed
  // meanwhile, and what upserts refuse.
  Task<Json> publish(WriteRequest request, ColumnPlan plan, StagedRows staged, std::vector<Column> columns_before);

  // The one commit. Nothing if another core made a version meanwhile; then nothing was changed.
  std::optional<Json> commit(const TableState& state, NextVersion& next, WriteOutcome outcome,
                             const std::optional<std::string>& idempotency_key, const std::string& request_digest);

 private:
  void describe(NextVersion& next, const WriteRequest& request, const ColumnPlan& plan, const TableState& state);
  void add_rows(NextVersion& next, const WriteRequest& request, const StagedSegment& staged, const TableState& state,
                std::vector<Warning>& warnings);
  void warn_of_repeat(const Segment& segment, const TableState& state, std::vector<Warning>& warnings);
  void take_upsert(NextVersion& next, const UpsertResult& matched, DeletionVectors& deleted, const TableState& state,
                   const LiveSpan& added, const Key& key);

  SqlStore& store_;
  Blobs& blobs_;
  Engine& engine_;
  Catalog& catalog_;
  Versions& versions_;
  Host& host_;
};

}  // namespace stele
