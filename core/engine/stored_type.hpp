// Stored types: how a segment's Parquet holds a logical type that Parquet has no place for, and the casts both ways. It
// never loses a value: what the compact form cannot hold goes as text.
#pragma once

#include "duckdb/common/types.hpp"
#include "duckdb/function/cast/default_casts.hpp"
#include "duckdb/main/client_context.hpp"
#include "duckdb/planner/expression.hpp"

namespace stele {

//   logical                           compact                          text
//   HUGEINT                           DECIMAL(38,0)                    VARCHAR
//   TIMESTAMP_S, TIMESTAMP_MS         TIMESTAMP                        VARCHAR
//   UHUGEINT, BIGNUM, BIT, TIMETZ,
//   TIME_NS, ENUM                     VARCHAR                          VARCHAR
//   INTERVAL                          STRUCT(interval_months INTEGER, interval_days INTEGER, interval_micros BIGINT)
//   ARRAY                             LIST of the stored child
//   all else that a table may have    itself, with its children stored
enum class StoredForm { compact, text };

// The type is one that kept_type() answers.
duckdb::LogicalType stored_type(const duckdb::LogicalType& logical, StoredForm form = StoredForm::compact);

// The cast between a stored and a logical type in either direction, nested ones included; from a stored type also to
// any type that the column was widened to since. DuckDB's own cast set does not know these and stays as it is, since a
// cast added there would hide JSON casts from SQL.
duckdb::BoundCastInfo stored_cast(duckdb::ClientContext& context, const duckdb::LogicalType& from,
                                  const duckdb::LogicalType& to);

// Runs such a cast. Returns false if a value did not convert; `into` is then of no use.
bool cast_vector(duckdb::ClientContext& context, const duckdb::BoundCastInfo& cast, duckdb::Vector& from,
                 duckdb::Vector& into, duckdb::idx_t count);

// `value` of its stored type as an expression of the logical type; `value` itself if they are the same.
duckdb::unique_ptr<duckdb::Expression> read_stored(duckdb::ClientContext& context,
                                                   duckdb::unique_ptr<duckdb::Expression> value,
                                                   const duckdb::LogicalType& logical);

}  // namespace stele
