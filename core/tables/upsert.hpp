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

// Which cells of a batch were left out, which is not the same as null: a pattern a row, each pattern once.
class LeftOut {
 public:
  // For the next row of the batch; one character a source column, '1' where it was left out.
  void add_row(const std::string& pattern);
  // The same for a row that has all columns.
  void add_full_row() { of_row_.push_back(0); }
  bool any() const { return patterns_.size() > 1; }

  const std::vector<std::uint32_t>& of_row() const { return of_row_; }
  const std::vector<std::string>& patterns() const { return patterns_; }

 private:
  std::vector<std::string> patterns_{""};  // the first: nothing left out
  std::vector<std::uint32_t> of_row_;
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
