// Incoming rows: a RowSource or a cursor, staged as a segment of the table to be written. It decides no types; the
// column plan does, and asks here what the values allow.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "tables/column_plan.hpp"
#include "tables/row_source.hpp"
#include "tables/staged_segment.hpp"
#include "tables/upsert.hpp"

namespace stele {

// The columns of a segment with the ids and types that the plan gives the incoming ones, in their order.
std::vector<Column> incoming_columns(const ColumnPlan& plan, const std::vector<SourceColumn>& incoming);

// All rows, delivered at the plan's types. `left_out` gets the pattern of every row.
Task<StagedSegment> stage_rows(Engine& engine, Blobs& blobs, RowSource& rows, std::vector<Column> columns,
                               LeftOut& left_out);

// A cursor's columns as a source's, with names that differ without regard to case; a warning tells each rename.
std::vector<SourceColumn> source_columns(const std::vector<ResultColumn>& columns, std::vector<Warning>& warnings);

// As RowSource::misfit, of a staged column: the first value that does not come back the same from a cast to `type` and
// back.
Task<std::optional<RowSource::Misfit>> staged_misfit(Engine& engine, SnapshotPtr staged, Column column,
                                                     std::string type);

}  // namespace stele
