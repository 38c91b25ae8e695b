// File intake: from a URL to a file that can be read, for tools that take files. The home downloads, and unpacks XLSX;
// what it staged is removed at the end of the call unless a table has taken it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tables/importer.hpp"
#include "tables/read_options.hpp"
#include "tools/services.hpp"

namespace stele {

// Staged bytes of one call.
class StagedFiles {
 public:
  explicit StagedFiles(Staging& staging) : staging_(staging) {}
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;
  ~StagedFiles();

  // Takes the id out of a home's reply, or a blob made here, and owns what lies under it.
  StagedId own(const Json& reply);
  StagedId own(const BlobInfo& blob);
  Staging& staging() { return staging_; }

 private:
  Staging& staging_;
  std::vector<StagedId> ids_;
};

struct TakenFile {
  StagedId id = 0;
  StagedFile file;
  Format format = Format::csv;
};

// Asks the home for the file, finds its format and checks that the options go with it. Parquet and XLSX come unpacked
// from gzip. `staged` outlives the task.
Task<TakenFile> take_file(Services& services, StagedFiles& staged, std::string url, ReadOptions options);

// The rows of any file but Parquet. Those that are `to_be_written` may be written while they are looked at.
Task<std::unique_ptr<RowSource>> rows_of_file(Services& services, StagedFiles& staged, TakenFile taken,
                                              ReadOptions options, bool to_be_written);

// What the engine says is lost in reading a Parquet file, as warnings.
std::vector<Warning> parquet_warnings(const Engine::ParquetFile& parquet);

}  // namespace stele
