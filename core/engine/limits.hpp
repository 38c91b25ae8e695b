// Limits: the settings of a core, with the defaults of the desk. A home may set others when it makes the core.
#pragma once

#include <cstdint>

namespace stele {

struct Limits {
  std::uint64_t memory_bytes = std::uint64_t{512} << 20;    // what the engine may hold before it spills or refuses
  std::int64_t query_ms = 30'000;                           // one query, measured by the host's clock between slices
  std::uint64_t sql_bytes = 100 << 10;                      // the text of one statement
  std::uint64_t answer_rows_max = 500;                      // rows of one answer, whatever the caller asks for
  std::uint64_t answer_bytes = 100 << 10;                   // cells of one answer as JSON text
  std::uint64_t answer_cell_chars = 2'000;                  // characters of one cell in an answer
  std::uint64_t import_bytes = std::uint64_t{2} << 30;      // one import, decompressed
  std::uint64_t rows_per_write = 5'000;                     // rows of one write_table call
  std::uint64_t columns_max = 10'000;                       // columns of a table
  std::uint64_t row_group_bytes = std::uint64_t{16} << 20;  // a segment's row groups, before compression
  std::uint64_t spill_bytes = std::uint64_t{8} << 30;       // temporary bytes of all running queries
};

}  // namespace stele
