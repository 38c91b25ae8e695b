#include "engine/segment_writer.hpp"

#include <string>
#include <utility>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "engine/chunk_cursor.hpp"
#include "engine/logical_type.hpp"
#include "engine/parquet_scan.hpp"
#include "engine/row_buffer.hpp"

namespace stele {

namespace {

// Removes a blob that served only to make another.
class Temporary {
 public:
  Temporary(Blobs& blobs, BlobId id) : blobs_(blobs), id_(id) {}
  ~Temporary() {
    try {
      blobs_.remove(id_);
    } catch (const StoreError&) {
      // Unpublished as it is, it goes at the next sweep.
    }
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

 private:
  Blobs& blobs_;
  BlobId id_;
};

}  // namespace

ParquetSegmentWriter::ParquetSegmentWriter(EngineImpl& engine, std::vector<Column> columns)
    : engine_(engine), columns_(std::move(columns)), forms_(columns_.size(), StoredForm::compact) {
  require(!columns_.empty(), "a segment has a column");
  for (const Column& column : columns_) logical_.push_back(parse_type(column.type));
  begin_file();
}

void ParquetSegmentWriter::begin_file() {
  duckdb::vector<duckdb::LogicalType> types;
  duckdb::vector<std::string> names;
  to_stored_.clear();
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    types.push_back(stored_type(logical_[column], forms_[column]));
    names.push_back("c" + std::to_string(columns_[column].id));
    to_stored_.push_back(stored_cast(engine_.context(), logical_[column], types.back()));
  }
  stored_.Destroy();
  stored_.InitializeEmpty(types);
  file_ = std::make_unique<SegmentFile>(engine_.context(), engine_.blobs(), engine_.limits(), std::move(types),
                                        std::move(names));
}

std::unique_ptr<RowBuffer> ParquetSegmentWriter::buffer() {
  return std::make_unique<DuckRowBuffer>(engine_.context(), logical_);
}

void ParquetSegmentWriter::append(const RowBuffer& rows) {
  auto& chunk = dynamic_cast<const DuckRowBuffer&>(rows).chunk();
  require(chunk.GetTypes() == logical_, "a buffer goes to the writer that made it");
  append_logical(chunk);
}

void ParquetSegmentWriter::append(const Cursor& cursor) {
  auto& chunk = dynamic_cast<const ChunkCursor&>(cursor).chunk();
  require(chunk.ColumnCount() == logical_.size(), "a cursor has the columns of the writer it is written to");
  if (chunk.GetTypes() == logical_) return append_logical(chunk);
  duckdb::DataChunk logical;
  logical.Initialize(engine_.context(), logical_);
  for (std::size_t column = 0; column < logical_.size(); ++column) {
    std::string refusal;
    if (!duckdb::VectorOperations::TryCast(engine_.context(), chunk.data[column], logical.data[column], chunk.size(),
                                           &refusal)) {
      throw Error("column_conflict",
                  "Column \"" + columns_[column].name + "\" is " + columns_[column].type + ": " + refusal,
                  "Cast the column in the query to a type that the table's column holds.");
    }
  }
  logical.SetCardinality(chunk);
  append_logical(logical);
}

void ParquetSegmentWriter::append_logical(duckdb::DataChunk& logical) {
  if (logical.size() == 0) return;
  while (const auto misfit = to_stored(logical)) rewrite_as_text(*misfit);
  file_->append(stored_);
}

std::optional<std::size_t> ParquetSegmentWriter::to_stored(duckdb::DataChunk& logical) {
  for (std::size_t column = 0; column < logical_.size(); ++column) {
    auto& from = logical.data[column];
    auto& into = stored_.data[column];
    if (from.GetType() == into.GetType()) {
      into.Reference(from);
      continue;
    }
    duckdb::Vector cast(into.GetType(), logical.size());
    if (!cast_vector(engine_.context(), to_stored_[column], from, cast, logical.size())) return column;
    into.Reference(cast);
  }
  stored_.SetCardinality(logical);
  return std::nullopt;
}

void ParquetSegmentWriter::rewrite_as_text(std::size_t column) {
  require(forms_[column] == StoredForm::compact, "text holds every value");
  const BlobInfo written = file_->finish();
  const Temporary temporary(engine_.blobs(), written.id);
  forms_[column] = StoredForm::text;
  begin_file();

  ParquetScan scan(engine_, written);
  scan.begin();
  while (scan.next()) {
    auto& chunk = scan.chunk();
    duckdb::DataChunk logical;
    logical.Initialize(engine_.context(), logical_);
    for (std::size_t i = 0; i < logical_.size(); ++i) {
      const auto cast = stored_cast(engine_.context(), chunk.data[i].GetType(), logical_[i]);
      require(cast_vector(engine_.context(), cast, chunk.data[i], logical.data[i], chunk.size()),
              "what was stored can be read");
    }
    logical.SetCardinality(chunk);
    require(!to_stored(logical), "what was stored can be stored again");
    file_->append(stored_);
  }
}

Segment ParquetSegmentWriter::finish() {
  Segment segment;
  segment.rows = file_->rows();
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    segment.columns.push_back({columns_[column].id, "c" + std::to_string(columns_[column].id),
                               stored_type(logical_[column], forms_[column]).ToString()});
  }
  segment.blob = file_->finish();
  return segment;
}

std::unique_ptr<SegmentWriter> EngineImpl::write(std::vector<Column> columns) {
  return std::make_unique<ParquetSegmentWriter>(*this, std::move(columns));
}

}  // namespace stele
