// SegmentFileSystem: the only file system that DuckDB is given. It serves blobs of the store, read-only, to whoever
// shows this engine's capability, and spill files; it never touches a disk, lists nothing, and refuses all else in one
// sentence.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/host.hpp"
#include "duckdb/common/file_system.hpp"
#include "engine/limits.hpp"
#include "store/blobs.hpp"
#include "store/spill.hpp"

namespace stele {

class SegmentFileSystem final : public duckdb::FileSystem {
 public:
  // `blobs` outlives the file system. Draws the capability and the prefixes from the host.
  SegmentFileSystem(Blobs& blobs, Host& host, const Limits& limits);
  ~SegmentFileSystem() override;

  // How a blob is named for reading: its path with the capability in extended_info, where SQL cannot put it.
  duckdb::OpenFileInfo readable(const BlobInfo& blob) const;

  // DuckDB keeps only the text of what the store throws while it reads or spills. To be called before and after its
  // work: the first forgets, the second throws what the store threw in between, if it did.
  void forget_failure() { failure_ = nullptr; }
  void rethrow_failure() const;

  // The folders that DuckDB must be allowed to ask us for.
  const std::string& segment_prefix() const { return segment_prefix_; }
  const std::string& spill_prefix() const { return spill_prefix_; }

  duckdb::unique_ptr<duckdb::FileHandle> OpenFile(const std::string& path, duckdb::FileOpenFlags flags,
                                                  duckdb::optional_ptr<duckdb::FileOpener> opener) override;
  void Read(duckdb::FileHandle& handle, void* buffer, int64_t nr_bytes, duckdb::idx_t location) override;
  int64_t Read(duckdb::FileHandle& handle, void* buffer, int64_t nr_bytes) override;
  void Write(duckdb::FileHandle& handle, void* buffer, int64_t nr_bytes, duckdb::idx_t location) override;
  int64_t Write(duckdb::FileHandle& handle, void* buffer, int64_t nr_bytes) override;
  bool Trim(duckdb::FileHandle& handle, duckdb::idx_t offset_bytes, duckdb::idx_t length_bytes) override;
  int64_t GetFileSize(duckdb::FileHandle& handle) override;
  duckdb::timestamp_t GetLastModifiedTime(duckdb::FileHandle& handle) override;
  std::string GetVersionTag(duckdb::FileHandle& handle) override;
  duckdb::FileType GetFileType(duckdb::FileHandle& handle) override;
  void Truncate(duckdb::FileHandle& handle, int64_t new_size) override;
  void FileSync(duckdb::FileHandle& handle) override;
  void Seek(duckdb::FileHandle& handle, duckdb::idx_t location) override;
  void Reset(duckdb::FileHandle& handle) override;
  duckdb::idx_t SeekPosition(duckdb::FileHandle& handle) override;
  bool CanSeek() override { return true; }
  bool OnDiskFile(duckdb::FileHandle&) override { return true; }

  bool DirectoryExists(const std::string& directory, duckdb::optional_ptr<duckdb::FileOpener> opener) override;
  void CreateDirectory(const std::string& directory, duckdb::optional_ptr<duckdb::FileOpener> opener) override;
  void RemoveDirectory(const std::string& directory, duckdb::optional_ptr<duckdb::FileOpener> opener) override;
  bool ListFiles(const std::string& directory, const std::function<void(const std::string&, bool)>& callback,
                 duckdb::FileOpener* opener) override;
  void MoveFile(const std::string& source, const std::string& target,
                duckdb::optional_ptr<duckdb::FileOpener> opener) override;
  bool FileExists(const std::string& path, duckdb::optional_ptr<duckdb::FileOpener> opener) override;
  bool IsPipe(const std::string& path, duckdb::optional_ptr<duckdb::FileOpener> opener) override;
  void RemoveFile(const std::string& path, duckdb::optional_ptr<duckdb::FileOpener> opener) override;
  bool TryRemoveFile(const std::string& path, duckdb::optional_ptr<duckdb::FileOpener> opener) override;
  duckdb::vector<duckdb::OpenFileInfo> Glob(const std::string& path, duckdb::FileOpener* opener) override;
  std::string ExpandPath(const std::string& path) override { return path; }
  std::string PathSeparator(const std::string&) override { return "/"; }
  void RegisterSubSystem(duckdb::unique_ptr<duckdb::FileSystem>) override {}
  void RegisterSubSystem(duckdb::FileCompressionType, duckdb::unique_ptr<duckdb::FileSystem>) override {}
  duckdb::vector<std::string> ListSubSystems() override { return {}; }
  void SetDisabledFileSystems(const duckdb::vector<std::string>&) override {}
  bool SubSystemIsDisabled(const std::string&) override { return false; }
  std::string GetName() const override { return "segments"; }

 protected:
  duckdb::unique_ptr<duckdb::FileHandle> OpenFileExtended(const duckdb::OpenFileInfo& file, duckdb::FileOpenFlags flags,
                                                          duckdb::optional_ptr<duckdb::FileOpener> opener) override;
  bool SupportsOpenFileExtended() const override { return true; }

 private:
  bool is_spill(const std::string& path) const;
  duckdb::unique_ptr<duckdb::FileHandle> open_spill(const std::string& path, duckdb::FileOpenFlags flags);

  // Does `work`, remembering what it throws.
  template <class Work>
  void with_store(const Work& work);

  Blobs& blobs_;
  std::string capability_;
  std::string segment_prefix_;
  std::string spill_prefix_;
  std::exception_ptr failure_;
  Spill spill_;
  std::unordered_map<std::string, std::shared_ptr<SpillFile>> spill_files_;
};

}  // namespace stele
