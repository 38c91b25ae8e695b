// Overview: what a workspace's owner sees of it as a whole: shares, trash, totals. It reads catalogues and never a row
// of a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/sql_store.hpp"

namespace stele {

class Overview {
 public:
  explicit Overview(SqlStore& store) : store_(store) {}

  struct Share {
    std::string path;
    std::string token;
    std::optional<std::int64_t> since_ms;  // unknown of shares made before it was kept
    std::int64_t version = 0;              // what the link shows
  };
  std::vector<Share> shares();  // by path

  struct Trashed {
    std::string path;
    std::int64_t version = 0;
    std::int64_t rows = 0;
    std::int64_t bytes = 0;
    std::int64_t trashed_ms = 0;
  };
  std::vector<Trashed> trash();  // last deleted first

  struct Totals {
    std::int64_t tables = 0;
    std::int64_t trashed = 0;
    std::int64_t versions = 0;  // of all tables, those in the trash too
    std::int64_t rows = 0;      // of the latest versions outside the trash
    std::int64_t bytes = 0;     // all that is stored of all versions
    std::int64_t receipts = 0;
    std::int64_t shares = 0;
  };
  Totals totals();

 private:
  std::int64_t number(const char* sql);

  SqlStore& store_;
};

}  // namespace stele
