// Staging: files as a home stages them, in a store in memory, and what the importer makes of them. For tests alone.
#pragma once

#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

#include "store/native_sqlite_store.hpp"
#include "store/schema.hpp"
#include "tables/importer.hpp"
#include "tables/read_options.hpp"

namespace stele::testing {

// The bytes of a file of tests/cases.
inline std::string case_file(const std::string& name) {
  std::ifstream file(std::string(STELE_TEST_CASES) + "/" + name, std::ios::binary);
  if (!file) throw std::runtime_error("no case file " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Staging {
 public:
  Limits limits;
  ReadOptions options;

  Staging() { migrate(store_); }

  StagedFile stage(const std::string& bytes, const std::string& name, const std::string& content_type = "") {
    const auto writer = blobs_.create(BlobKind::staged);
    writer->append({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    return {writer->finish(), name, content_type};
  }
  Format format_of(const std::string& bytes, const std::string& name, const std::string& content_type = "") {
    return detect_format(stage(bytes, name, content_type), blobs_);
  }
  std::unique_ptr<RowSource> import(const std::string& bytes, const std::string& name = "t.csv") {
    return import_staged(stage(bytes, name));
  }
  std::unique_ptr<RowSource> import_staged(const StagedFile& file) {
    const auto format = detect_format(file, blobs_);
    const bool json = format == Format::json || format == Format::ndjson;
    auto rows = run_to_end(json ? source_of_json(file, format, options, blobs_, limits)
                                : source_of_text(file, format, options, blobs_, limits));
    check_malformed(rows->malformed_rows(), rows->rows(), options.malformed_rows_to_skip);
    return rows;
  }
  std::unique_ptr<RowSource> import_case(const std::string& name) { return import(case_file(name), name); }
  std::unique_ptr<RowSource> import_cells(const std::string& bytes) {
    return run_to_end(source_of_cells(stage(bytes, "t.xlsx"), options, blobs_, limits));
  }
  std::size_t blobs_left() {
    return static_cast<std::size_t>(std::get<std::int64_t>(store_.query("SELECT count(*) FROM blobs")[0][0]));
  }

 private:
  NativeSqlStore store_{":memory:"};
  Blobs blobs_{store_};
};

}  // namespace stele::testing
