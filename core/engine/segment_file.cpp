#include "engine/segment_file.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "duckdb/common/file_system.hpp"
#include "engine/row_capacity.hpp"
#include "writer/primitive_column_writer.hpp"
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
                                                         const Limits& limits,
                                                         duckdb::vector<duckdb::LogicalType> types,
                                                         duckdb::vector<std::string> names) {
  const duckdb::vector<std::pair<std::string, std::string>> no_metadata;
  // Each column of text has a dictionary of so many bytes until its row group is written.
  constexpr duckdb::idx_t dictionary_bytes_min = 1 << 12, dictionary_bytes_max = 1 << 20;
  const auto string_dictionary_bytes =
      std::clamp<duckdb::idx_t>(limits.row_group_bytes / types.size(), dictionary_bytes_min, dictionary_bytes_max);
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
      writer_(parquet_writer(context, *files_, limits, types, names)),
      schema_(1),
      pending_(context, types) {
  const duckdb::ChildFieldIDs no_field_ids;
  const bool geometry = true;
  for (std::size_t i = 0; i < types.size(); ++i) {
    column_schemas_.push_back(
        duckdb::ColumnWriter::FillParquetSchema(schema_, types[i], names[i], geometry, &no_field_ids));
  }
  for (const auto& column : column_schemas_) {
    column_writers_.push_back(duckdb::ColumnWriter::CreateWriterRecursive(context, *writer_, schema_, column, {}));
  }
}

SegmentFile::~SegmentFile() = default;

void SegmentFile::append(duckdb::DataChunk& chunk) {
  if (pending_.count() + chunk.size() > row_group_rows) flush();
  pending_.append(chunk);
  rows_ += chunk.size();
  if (pending_.bytes() >= row_group_bytes_) flush();
}

// A column's pages, compressed, which the writer appends to the file when it has those of all columns.
duckdb::unique_ptr<duckdb::ColumnWriterState> SegmentFile::prepare(duckdb::ColumnWriter& writer, std::size_t column,
                                                                   duckdb_parquet::RowGroup& group) {
  auto state = writer.InitializeWriteState(group);
  auto& chunks = pending_.chunks();
  if (writer.HasAnalyze()) {
    for (auto& chunk : chunks) writer.Analyze(*state, nullptr, chunk.data[column], chunk.size());
    writer.FinalizeAnalyze(*state);
  }
  state->definition_levels.reserve(pending_.count());
  const bool spans_pages = true;
  for (auto& chunk : chunks) writer.Prepare(*state, nullptr, chunk.data[column], chunk.size(), spans_pages);
  writer.BeginWrite(*state);
  for (auto& chunk : chunks) writer.Write(*state, chunk.data[column], chunk.size());
  // With its last value a page was compressed; the encoders that made it would take 36 KB a column until the end.
  if (auto* pages = dynamic_cast<duckdb::PrimitiveColumnWriterState*>(state.get())) {
    for (auto& page : pages->write_info) page.page_state.reset();
    pages->definition_levels = {};
  }
  return state;
}

void SegmentFile::flush() {
  if (pending_.count() == 0) return;
  duckdb::PreparedRowGroup prepared;
  prepared.row_group.num_rows = static_cast<std::int64_t>(pending_.count());
  prepared.row_group.__isset.file_offset = true;
  for (std::size_t column = 0; column < column_writers_.size(); ++column) {
    prepared.states.push_back(prepare(*column_writers_[column], column, prepared.row_group));
  }
  pending_.clear();
  writer_->FlushRowGroup(prepared);
}

BlobInfo SegmentFile::finish() {
  require(writer_ != nullptr, "a Parquet file is finished once");
  flush();
  writer_->Finalize();
  writer_.reset();
  return blob_->finish();
}

}  // namespace stele
