#include "engine/pending_rows.hpp"

#include <algorithm>

#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "duckdb/storage/buffer_manager.hpp"
#include "engine/row_capacity.hpp"

namespace stele {

namespace {

using duckdb::FlatVector;
using duckdb::idx_t;
using duckdb::PhysicalType;
using duckdb::Vector;

// What the rows [begin, end) of a flat vector take.
std::uint64_t bytes_of(Vector& vector, idx_t begin, idx_t end) {
  const auto physical = vector.GetType().InternalType();
  std::uint64_t bytes = (end - begin) * duckdb::GetTypeIdSize(physical);
  switch (physical) {
    case PhysicalType::VARCHAR: {
      const auto* texts = FlatVector::GetData<duckdb::string_t>(vector);
      const auto& valid = FlatVector::Validity(vector);
      for (idx_t row = begin; row < end; ++row) {
        if (valid.RowIsValid(row) && !texts[row].IsInlined()) bytes += texts[row].GetSize();
      }
      return bytes;
    }
    case PhysicalType::STRUCT:
      for (auto& child : duckdb::StructVector::GetEntries(vector)) bytes += bytes_of(*child, begin, end);
      return bytes;
    case PhysicalType::LIST: {
      const auto* lists = FlatVector::GetData<duckdb::list_entry_t>(vector);
      const auto& valid = FlatVector::Validity(vector);
      auto& child = duckdb::ListVector::GetEntry(vector);
      for (idx_t row = begin; row < end; ++row) {
        if (valid.RowIsValid(row)) bytes += bytes_of(child, lists[row].offset, lists[row].offset + lists[row].length);
      }
      return bytes;
    }
    case PhysicalType::ARRAY: {
      const auto size = duckdb::ArrayType::GetSize(vector.GetType());
      return bytes + bytes_of(duckdb::ArrayVector::GetEntry(vector), begin * size, end * size);
    }
    default:
      return bytes;
  }
}

}  // namespace

PendingRows::PendingRows(duckdb::ClientContext& context, duckdb::vector<duckdb::LogicalType> types)
    : context_(context), types_(std::move(types)), rows_max_(buffered_rows(types_)) {}

void PendingRows::append(duckdb::DataChunk& rows) {
  // A mask that says of every row that it is there costs more, in the copy and in the writer, than none.
  duckdb::DataChunk whole;
  whole.InitializeEmpty(types_);
  whole.Reference(rows);
  for (auto& vector : whole.data) {
    if (vector.GetVectorType() != duckdb::VectorType::FLAT_VECTOR) continue;
    auto& valid = FlatVector::Validity(vector);
    if (valid.CheckAllValid(rows.size())) valid.Reset();
  }
  for (idx_t from = 0; from < rows.size();) {
    if (chunks_.empty() || chunks_.back().size() == rows_max_) {
      chunks_.emplace_back();
      chunks_.back().Initialize(duckdb::BufferAllocator::Get(context_), types_, rows_max_);
    }
    auto& into = chunks_.back();
    const idx_t begin = into.size();
    const idx_t taken = std::min<idx_t>(rows.size() - from, rows_max_ - begin);
    for (idx_t column = 0; column < types_.size(); ++column) {
      auto& target = into.data[column];
      duckdb::VectorOperations::Copy(whole.data[column], target, from + taken, from, begin);
      bytes_ += bytes_of(target, begin, begin + taken);
    }
    into.SetCardinality(begin + taken);
    count_ += taken;
    from += taken;
  }
}

void PendingRows::clear() {
  chunks_.clear();
  count_ = bytes_ = 0;
}

}  // namespace stele
