// Schema: brings a store to the schema that this core knows, forward only. It never changes a store that a later Stele
// wrote.
//
// How the schema moves on: schema.sql makes version 1 in an empty store, schema_2.sql leads a store from 1 to 2,
// schema_3.sql from 2 to 3, without a gap. The build embeds them in that order; a new version is one more file and
// nothing else. A released file never changes. Each file is one commit together with the version it reaches, so that a
// crash between two leaves a store that the next start moves on. A file holds statements parted by ";" at a line's end;
// "--" begins a comment wherever it stands, so neither may occur inside a literal.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "store/sql_store.hpp"

namespace stele {

// Leads an empty store, or one of an earlier version, to the version of the last file; does nothing at that version.
// Throws Error store_newer, naming both versions, if the store is past it, and StoreError if the store refuses.
void migrate(SqlStore& store);

// The same with files of the caller's: files[0] makes version 1, files[n-1] leads to version n.
void migrate(SqlStore& store, std::span<const std::string_view> files);

// The version that a store is at; 0 if it is empty.
std::int64_t schema_version(SqlStore& store);

// The files that the build embedded, version 1 first.
std::span<const std::string_view> schema_files();

}  // namespace stele
