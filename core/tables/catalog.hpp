// Catalog: which tables there are, under which paths, and what people say of them. It never touches rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/host.hpp"
#include "store/sql_store.hpp"
#include "tables/types.hpp"

namespace stele {

// Throws Error invalid_path: a path is 1 to 200 characters in segments parted by '/', no empty segment, no control
// characters, no '@', '"' or '\', no leading or trailing space.
void check_path(std::string_view path);

class Catalog {
 public:
  Catalog(SqlStore& store, Host& host) : store_(store), host_(host) {}

  // The table at a path. Throws Error unknown_table with the nearest paths, and says so if it lies in the trash.
  TableRecord get(std::string_view path);
  std::optional<TableRecord> find(std::string_view path);
  // The table most recently trashed from this path.
  std::optional<TableRecord> find_trashed(std::string_view path);
  // Up to `count` paths near a misspelt one, nearest first.
  std::vector<std::string> nearest(std::string_view path, std::size_t count = 3);

  struct Listing {
    std::vector<TableRecord> tables;  // by path
    std::uint64_t total = 0;          // before the limit
  };
  Listing list(std::string_view folder, std::string_view search, std::size_t limit);

  void describe(const TableRecord& table, std::optional<std::string> description,
                const std::map<int, std::string>& column_descriptions);  // empty text removes
  // Throws Error path_taken.
  void rename(const TableRecord& table, std::string_view path);
  void trash(const TableRecord& table);
  // Makes a share token if there is none; answers it. unshare ends it.
  std::string share(const TableRecord& table);
  void unshare(const TableRecord& table);
  std::optional<TableRecord> find_shared(std::string_view token);

 private:
  SqlStore& store_;
  Host& host_;
};

}  // namespace stele
