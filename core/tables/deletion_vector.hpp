// Deletion vectors: which rows of which segments a version no longer has, and the document that keeps them. A document
// never changes; deleting more adds another.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "store/sql_store.hpp"

namespace stele {

// By segments.number: positions in the file, ascending, each once.
using DeletionVectors = std::map<std::int64_t, std::vector<std::uint32_t>>;

// The document: for each segment its number, a count and the positions, all as steps from the one before.
Bytes deletion_document(const DeletionVectors& vectors);

// Adds the rows of a document to `vectors`, for the segments that are keys there already; the others are passed over.
void add_deletions(std::span<const std::uint8_t> document, DeletionVectors& vectors);

}  // namespace stele
