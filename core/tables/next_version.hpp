// Next version: gathers what changes from one version to the next and turns it into the statements of one commit. It
// writes nothing itself, so that a change that is given up leaves nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/blobs.hpp"
#include "store/sql_store.hpp"
#include "tables/deletion_vector.hpp"
#include "tables/table_state.hpp"
#include "tables/types.hpp"

namespace stele {

class NextVersion {
 public:
  // What the version says of itself (kind, counts, note, …) is the caller's to fill in; number, rows' digest and bytes
  // are not.
  VersionRecord record;

  NextVersion(SqlStore& store, const TableState& before, std::vector<Column> columns, int next_column);

  std::int64_t version() const { return before_.table.version + 1; }
  const LiveSet& live() const { return live_; }
  std::uint64_t written_bytes() const { return written_bytes_; }
  std::uint64_t merged_bytes() const { return merged_bytes_; }

  // A segment of new rows, at the end of the table. Answers it as it will be live.
  LiveSpan add(const Segment& segment);
  // A segment that stands for others, in the place of the first.
  void add_merged(const Segment& segment, std::int64_t place);
  void end(const LiveSpan& segment);
  void end_all();
  // One document of rows that this version no longer has.
  void delete_rows(const DeletionVectors& vectors);
  // One document that stands for several older ones; none if nothing is left to say.
  void merge_deletions(const std::vector<LiveDeletion>& ended, const DeletionVectors& vectors);
  // Makes exactly this set live: ends what is not in it and begins again what is not live.
  void become(const LiveSet& other);
  // Takes the table out of the trash.
  void untrash() { trashed_ms_.reset(); }
  // Any statement that belongs to the same commit.
  void also(SqlStatement statement) { extra_.push_back(std::move(statement)); }

  // Fills in the record's number, digest and bytes.
  std::vector<SqlStatement> statements();

 private:
  void insert_segment(const Segment& segment, std::int64_t place, bool data_change);
  void begin_span(std::int64_t segment, bool data_change);
  LiveDeletion insert_document(const Bytes& document);
  std::int64_t column_list(const std::string& columns);
  std::int64_t next_id(const char* table, std::int64_t& last);

  SqlStore& store_;
  const TableState& before_;
  std::vector<Column> columns_;
  int next_column_;
  std::int64_t next_segment_;
  std::uint64_t written_bytes_;
  std::uint64_t merged_bytes_;
  std::optional<std::int64_t> trashed_ms_;
  LiveSet live_;
  std::int64_t last_list_ = 0, last_deletion_ = 0;
  std::map<std::string, std::int64_t> new_lists_;
  std::vector<SqlStatement> changes_, extra_;
};

}  // namespace stele
