#include "engine/segment_file_system.hpp"

#include <algorithm>
#include <array>

namespace stele {

namespace {

using duckdb::FileHandle;
using duckdb::idx_t;

constexpr const char* capability_key = "stele_capability";
constexpr const char* blob_key = "stele_blob";
constexpr const char* size_key = "stele_size";

std::string random_word(Host& host) {
  std::array<std::uint8_t, 16> bytes{};
  host.random_bytes(bytes);
  constexpr char digits[] = "0123456789abcdef";
  std::string word;
  for (const auto byte : bytes) {
    word += digits[byte >> 4];
    word += digits[byte & 15];
  }
  return word;
}

[[noreturn]] void refuse() { throw duckdb::PermissionException("No file can be opened here"); }

// One comparison for all lengths and contents, so that time tells nothing.
bool same(const std::string& left, const std::string& right) {
  unsigned difference = left.size() == right.size() ? 0 : 1;
  for (std::size_t i = 0; i < left.size() && i < right.size(); i++)
    difference |= static_cast<unsigned>(left[i] ^ right[i]);
  return difference == 0;
}

class SegmentHandle final : public FileHandle {
 public:
  SegmentHandle(duckdb::FileSystem& files, const std::string& name, duckdb::FileOpenFlags how, BlobId blob_id,
                std::uint64_t size_bytes)
      : FileHandle(files, name, how), blob(blob_id), size(size_bytes) {}
  void Close() override {}

  const BlobId blob;
  const std::uint64_t size;
  std::uint64_t position = 0;
};

class SpillHandle final : public FileHandle {
 public:
  SpillHandle(duckdb::FileSystem& files, const std::string& name, duckdb::FileOpenFlags how,
              std::shared_ptr<SpillFile> spill_file)
      : FileHandle(files, name, how), file(std::move(spill_file)) {}
  void Close() override {}

  const std::shared_ptr<SpillFile> file;
  std::uint64_t position = 0;
};

std::span<std::uint8_t> bytes_of(void* buffer, std::int64_t count) {
  return {static_cast<std::uint8_t*>(buffer), static_cast<std::size_t>(count)};
}

}  // namespace

SegmentFileSystem::SegmentFileSystem(Blobs& blobs, Host& host, const Limits& limits)
    : blobs_(blobs),
      capability_(random_word(host)),
      segment_prefix_("segments-" + random_word(host) + "/"),
      spill_prefix_("spill-" + random_word(host)),
      spill_(blobs, limits.spill_bytes) {}

SegmentFileSystem::~SegmentFileSystem() = default;

duckdb::OpenFileInfo SegmentFileSystem::readable(const BlobInfo& blob) const {
  duckdb::OpenFileInfo file(segment_prefix_ + std::to_string(blob.id) + "." + blob.sha256.substr(0, 16));
  file.extended_info = duckdb::make_shared_ptr<duckdb::ExtendedOpenFileInfo>();
  auto& options = file.extended_info->options;
  options[capability_key] = duckdb::Value(capability_);
  options[blob_key] = duckdb::Value::BIGINT(blob.id);
  options[size_key] = duckdb::Value::UBIGINT(blob.size);
  return file;
}

duckdb::unique_ptr<FileHandle> SegmentFileSystem::OpenFile(const std::string& path, duckdb::FileOpenFlags flags,
                                                           duckdb::optional_ptr<duckdb::FileOpener> opener) {
  return OpenFileExtended(duckdb::OpenFileInfo(path), flags, opener);
}

duckdb::unique_ptr<FileHandle> SegmentFileSystem::OpenFileExtended(const duckdb::OpenFileInfo& file,
                                                                   duckdb::FileOpenFlags flags,
                                                                   duckdb::optional_ptr<duckdb::FileOpener>) {
  if (is_spill(file.path)) return open_spill(file.path, flags);
  if (!file.extended_info || flags.OpenForWriting()) refuse();
  auto& options = file.extended_info->options;
  const auto capability = options.find(capability_key);
  if (capability == options.end() || !same(capability->second.ToString(), capability_)) refuse();
  return duckdb::make_uniq<SegmentHandle>(*this, file.path, flags, options[blob_key].GetValue<int64_t>(),
                                          options[size_key].GetValue<uint64_t>());
}

bool SegmentFileSystem::is_spill(const std::string& path) const {
  const std::string folder = spill_prefix_ + "/";
  return path.compare(0, folder.size(), folder) == 0;
}

duckdb::unique_ptr<FileHandle> SegmentFileSystem::open_spill(const std::string& path, duckdb::FileOpenFlags flags) {
  auto& file = spill_files_[path];
  if (!file || flags.OverwriteExistingFile()) file = spill_.open();
  return duckdb::make_uniq<SpillHandle>(*this, path, flags, file);
}

void SegmentFileSystem::rethrow_failure() const {
  if (failure_) std::rethrow_exception(failure_);
}

template <class Work>
void SegmentFileSystem::with_store(const Work& work) {
  try {
    work();
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

void SegmentFileSystem::Read(FileHandle& handle, void* buffer, int64_t count, idx_t location) {
  if (auto* spill = dynamic_cast<SpillHandle*>(&handle)) {
    return with_store([&] { spill->file->read(location, bytes_of(buffer, count)); });
  }
  const auto& segment = handle.Cast<SegmentHandle>();
  // A damaged file leads past its end: its fault, and not the store's.
  if (location > segment.size || static_cast<std::uint64_t>(count) > segment.size - location) {
    throw duckdb::InvalidInputException("it points past its end");
  }
  with_store([&] { blobs_.read(segment.blob, location, bytes_of(buffer, count)); });
}

int64_t SegmentFileSystem::Read(FileHandle& handle, void* buffer, int64_t count) {
  if (dynamic_cast<SpillHandle*>(&handle)) refuse();  // DuckDB reads spilled blocks by their place
  auto& segment = handle.Cast<SegmentHandle>();
  const auto readable = std::min<std::uint64_t>(static_cast<std::uint64_t>(count), segment.size - segment.position);
  Read(handle, buffer, static_cast<int64_t>(readable), segment.position);
  segment.position += readable;
  return static_cast<int64_t>(readable);
}

void SegmentFileSystem::Write(FileHandle& handle, void* buffer, int64_t count, idx_t location) {
  auto* spill = dynamic_cast<SpillHandle*>(&handle);
  if (!spill) refuse();
  with_store([&] { spill->file->write(location, bytes_of(buffer, count)); });
}

int64_t SegmentFileSystem::Write(FileHandle& handle, void* buffer, int64_t count) {
  auto* spill = dynamic_cast<SpillHandle*>(&handle);
  if (!spill) refuse();
  Write(handle, buffer, count, spill->position);
  spill->position += static_cast<std::uint64_t>(count);
  return count;
}

bool SegmentFileSystem::Trim(FileHandle&, idx_t, idx_t) { return false; }

int64_t SegmentFileSystem::GetFileSize(FileHandle& handle) {
  if (auto* spill = dynamic_cast<SpillHandle*>(&handle)) return static_cast<int64_t>(spill->file->size());
  return static_cast<int64_t>(handle.Cast<SegmentHandle>().size);
}

// A segment never changes under its path, which holds its digest.
duckdb::timestamp_t SegmentFileSystem::GetLastModifiedTime(FileHandle&) { return duckdb::timestamp_t(0); }
std::string SegmentFileSystem::GetVersionTag(FileHandle& handle) { return handle.GetPath(); }
duckdb::FileType SegmentFileSystem::GetFileType(FileHandle&) { return duckdb::FileType::FILE_TYPE_REGULAR; }

void SegmentFileSystem::Truncate(FileHandle& handle, int64_t size) {
  auto* spill = dynamic_cast<SpillHandle*>(&handle);
  if (!spill) refuse();
  spill->file->truncate(static_cast<std::uint64_t>(size));
}

void SegmentFileSystem::FileSync(FileHandle&) {}

void SegmentFileSystem::Seek(FileHandle& handle, idx_t location) {
  if (auto* spill = dynamic_cast<SpillHandle*>(&handle)) {
    spill->position = location;
  } else {
    handle.Cast<SegmentHandle>().position = std::min<std::uint64_t>(location, handle.Cast<SegmentHandle>().size);
  }
}

void SegmentFileSystem::Reset(FileHandle& handle) { Seek(handle, 0); }

idx_t SegmentFileSystem::SeekPosition(FileHandle& handle) {
  if (auto* spill = dynamic_cast<SpillHandle*>(&handle)) return spill->position;
  return handle.Cast<SegmentHandle>().position;
}

// The spill folder is the only one, and it is always there: DuckDB neither makes nor removes it.
bool SegmentFileSystem::DirectoryExists(const std::string& directory, duckdb::optional_ptr<duckdb::FileOpener>) {
  return directory == spill_prefix_;
}
void SegmentFileSystem::CreateDirectory(const std::string&, duckdb::optional_ptr<duckdb::FileOpener>) { refuse(); }
void SegmentFileSystem::RemoveDirectory(const std::string&, duckdb::optional_ptr<duckdb::FileOpener>) { refuse(); }

bool SegmentFileSystem::ListFiles(const std::string& directory,
                                  const std::function<void(const std::string&, bool)>& callback, duckdb::FileOpener*) {
  if (directory != spill_prefix_) return false;
  const auto folder = spill_prefix_.size() + 1;
  std::vector<std::string> names;
  for (const auto& [path, file] : spill_files_) names.push_back(path.substr(folder));
  for (const auto& name : names) callback(name, false);
  return true;
}

void SegmentFileSystem::MoveFile(const std::string&, const std::string&, duckdb::optional_ptr<duckdb::FileOpener>) {
  refuse();
}

bool SegmentFileSystem::FileExists(const std::string& path, duckdb::optional_ptr<duckdb::FileOpener>) {
  return spill_files_.count(path) > 0;
}

bool SegmentFileSystem::IsPipe(const std::string&, duckdb::optional_ptr<duckdb::FileOpener>) { return false; }

void SegmentFileSystem::RemoveFile(const std::string& path, duckdb::optional_ptr<duckdb::FileOpener>) {
  if (spill_files_.erase(path) == 0) refuse();
}

bool SegmentFileSystem::TryRemoveFile(const std::string& path, duckdb::optional_ptr<duckdb::FileOpener>) {
  return spill_files_.erase(path) > 0;
}

duckdb::vector<duckdb::OpenFileInfo> SegmentFileSystem::Glob(const std::string&, duckdb::FileOpener*) { return {}; }

}  // namespace stele
