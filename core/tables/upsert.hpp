// Upsert: which rows of a table a batch of rows replaces, and what they become where the batch leaves columns out. It
// decides and stages; the writer publishes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "tables/column_plan.hpp"
#include "tables/deletion_vector.hpp"
#include "tables/key_index.hpp"
#include "tables/staged_segment.hpp"
#include "tables/table_state.hpp"

namespace stele {

// Which cells of a batch were left out, which is not the same as null: a pattern for each row that has not all columns.
class LeftOut {
 public:
  struct Row {
    std::uint64_t row = 0;      // of the batch, from 0
    std::uint32_t pattern = 0;  // in patterns()
  };

  // One character a source column, '1' where the row left it out.
  void add(std::uint64_t row, const std::string& pattern);
  bool any() const { return !rows_.empty(); }

  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<std::string>& patterns() const { return patterns_; }

 private:
  std::vector<std::string> patterns_;  // each once
  std::vector<Row> rows_;
};

// The batch as it was staged, with the columns that it has.
struct Batch {
  SnapshotPtr rows;             // columns named "c<id>"
  std::vector<Column> columns;  // of these rows, at the table's types, in the batch's order
  const LeftOut* left_out = nullptr;
  std::string path;  // for messages
};

struct UpsertResult {
  DeletionVectors replaced;  // rows of the table that the batch replaces
  std::uint64_t updated = 0;
  std::vector<Fingerprint> fingerprints;   // of the rows to add, ascending
  std::optional<StagedSegment> completed;  // the rows to add, where they are not the batch itself
};

// The columns of a key, in the order given. Throws Error key_missing naming what there is.
Key key_of(const std::vector<std::string>& names, const ColumnPlan& plan);

// Throws Error key_null or key_repeated naming rows of the batch.
Task<void> check_keys(Engine& engine, Batch batch, Key key);

// `state` is the table, `deleted` its deletion vectors, `plan` the columns of the version to be made. Throws Error
// key_repeated if a row of the batch matches several rows of the table. Builds the key's index where a segment lacks
// it.
Task<UpsertResult> match_rows(SqlStore& store, Blobs& blobs, Engine& engine, const TableState& state,
                              const DeletionVectors& deleted, Batch batch, Key key, const ColumnPlan& plan);

}  // namespace stele
