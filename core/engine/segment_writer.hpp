// ParquetSegmentWriter: rows of logical types in, a segment of stored types out. It never keeps a segment that lost a
// value: where the compact form of a type does not hold one, the segment is written again with that column as text.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "duckdb/common/types/data_chunk.hpp"
#include "engine/engine_impl.hpp"
#include "engine/segment_file.hpp"
#include "engine/stored_type.hpp"

namespace stele {

class ParquetSegmentWriter final : public SegmentWriter {
 public:
  ParquetSegmentWriter(EngineImpl& engine, std::vector<Column> columns);

  std::unique_ptr<RowBuffer> buffer() override;
  void append(const RowBuffer& rows) override;
  void append(const Cursor& cursor) override;
  std::uint64_t rows() const override { return file_->rows(); }
  Segment finish() override;

 private:
  void begin_file();
  void append_logical(duckdb::DataChunk& logical);
  // The first column with a value that its stored type does not hold, if any; `stored_` is filled otherwise.
  std::optional<std::size_t> to_stored(duckdb::DataChunk& logical);
  void rewrite_as_text(std::size_t column);

  EngineImpl& engine_;
  std::vector<Column> columns_;
  duckdb::vector<duckdb::LogicalType> logical_;
  std::vector<StoredForm> forms_;
  std::vector<duckdb::BoundCastInfo> to_stored_;
  duckdb::DataChunk stored_;
  std::unique_ptr<SegmentFile> file_;
};

}  // namespace stele
