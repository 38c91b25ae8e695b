// Profile: what a table holds, told in few words: classes, nulls, top values, ranges, histograms and Pearson pairs. It
// reads columns in batches, so that very wide tables neither take minutes nor memory.
#pragma once

#include "base/json.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"
#include "tables/types.hpp"

namespace stele {

enum class Detail { concise, full };

// The members "columns", "first_rows" and "correlations" of describe_table's answer, and "left_out" where something was
// capped. `descriptions` by column id.
Task<Json> profile(Engine& engine, SnapshotPtr snapshot, std::map<int, std::string> descriptions, Detail detail,
                   Limits limits);

}  // namespace stele
