#include "engine/segment_file.hpp"

#include <utility>

#include "base/assert.hpp"
#include "duckdb/common/file_system.hpp"
#include "zstd_file_system.hpp"

namespace stele {

// A file system of one file, handed to the writer alone: no path leads here, so none needs a guard.
class SegmentFile::WriteOnly final : public duckdb::FileSystem {
 public:
  explicit WriteOnly(BlobWriter& blob) : blob_(blob) {}

  duckdb::unique_ptr<duckdb::FileHandle> OpenFile(const std::string& path, duckdb::FileOpenFlags flags,
                                                  duckdb::optional_ptr<duckdb::FileOpener>) override {
    return duckdb::make_uniq<Handle>(*this, path, flags);
  }
  int64_t Write(duckdb::FileHandle&, void* buffer, int64_t bytes) override {
    blob_.append({static_cast<const std::uint8_t*>(buffer), static_cast<std::size_t>(bytes)});
    return bytes;
  }
  std::string GetName() const override { return "write-only"; }

 private:
  struct Handle final : duckdb::FileHandle {
    using FileHandle::FileHandle;
    void Close() override {}
  };
  BlobWriter& blob_;
};

namespace {

duckdb::unique_ptr<duckdb::ParquetWriter> parquet_writer(duckdb::ClientContext& context, duckdb::FileSystem& files,
                                                         duckdb::vector<duckdb::LogicalType> types,
                                                         duckdb::vector<std::string> names) {
  const duckdb::vector<std::pair<std::string, std::string>> no_metadata;
  const duckdb::idx_t string_dictionary_bytes = 1 << 20;
  const bool bloom_filters = false;  // keys have an index of their own, and small segments stay small
  const double unused_ratio = 0.01;
  const bool unused_openssl = false;
  // Version 1 keeps to the encodings that every reader of an export knows.
  return duckdb::make_uniq<duckdb::ParquetWriter>(
      context, files, "segment", std::move(types), std::move(names), duckdb_parquet::CompressionCodec::ZSTD,
      duckdb::ChildFieldIDs(), no_metadata, nullptr, duckdb::optional_idx(), string_dictionary_bytes, bloom_filters,
      unused_ratio, duckdb::ZStdFileSystem::DefaultCompressionLevel(), unused_openssl, duckdb::ParquetVersion::V1,
      duckdb::GeoParquetVersion::NONE);
}

}  // namespace

SegmentFile::SegmentFile(duckdb::ClientContext& context, Blobs& blobs, const Limits& limits,
                         duckdb::vector<duckdb::LogicalType> types, duckdb::vector<std::string> names)
    : context_(context),
      row_group_bytes_(limits.row_group_bytes),
      blob_(blobs.create(BlobKind::segment)),
      files_(std::make_unique<WriteOnly>(*blob_)),
      writer_(parquet_writer(context, *files_, types, std::move(names))),
      pending_(context, std::move(types)) {
  pending_.InitializeAppend(append_state_);
}

SegmentFile::~SegmentFile() = default;

void SegmentFile::append(duckdb::DataChunk& chunk) {
  if (pending_.Count() + chunk.size() > row_group_rows) flush();
  pending_.Append(append_state_, chunk);
  rows_ += chunk.size();
  if (pending_.SizeInBytes() >= row_group_bytes_) flush();
}

void SegmentFile::flush() {
  if (pending_.Count() == 0) return;
  writer_->Flush(pending_);
  pending_.InitializeAppend(append_state_);
}

BlobInfo SegmentFile::finish() {
  require(writer_ != nullptr, "a Parquet file is finished once");
  flush();
  writer_->Finalize();
  writer_.reset();
  return blob_->finish();
}

}  // namespace stele
