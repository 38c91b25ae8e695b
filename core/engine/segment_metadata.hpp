// SegmentMetadata: parsed Parquet footers of segments read last, since segments never change. It is bounded by bytes
// and holds nothing that cannot be read again.
#pragma once

#include <list>
#include <string>
#include <unordered_map>

#include "duckdb.hpp"
#include "parquet_file_metadata_cache.hpp"

namespace stele {

class SegmentMetadata {
 public:
  explicit SegmentMetadata(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // Null if it is not kept.
  duckdb::shared_ptr<duckdb::ParquetFileMetadataCache> find(const std::string& path);
  void keep(const std::string& path, duckdb::shared_ptr<duckdb::ParquetFileMetadataCache> metadata);

 private:
  struct Entry {
    std::string path;
    duckdb::shared_ptr<duckdb::ParquetFileMetadataCache> metadata;
    std::size_t bytes;
  };
  std::list<Entry> newest_first_;
  std::unordered_map<std::string, std::list<Entry>::iterator> by_path_;
  std::size_t bytes_ = 0;
  std::size_t bytes_max_;
};

}  // namespace stele
