#include "engine/parquet_import.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "duckdb/common/vector_operations/vector_operations.hpp"
#include "engine/engine_impl.hpp"
#include "engine/sql_failure.hpp"
#include "engine/type_lattice.hpp"
#include "engine/value_json.hpp"

namespace stele {

namespace {

using duckdb::LogicalTypeId;
using duckdb::ParquetColumnSchema;
using duckdb::ParquetExtraTypeInfo;

[[noreturn]] void throw_invalid(const std::string& reason) {
  throw Error("invalid_parquet", "The file cannot be read as Parquet: " + reason,
              "Check that it arrived whole and is not encrypted, then write it again with a current Parquet writer, or "
              "send CSV.");
}

// DuckDB names the file in its messages, which is a name of ours.
std::string without_file_name(std::string message, const std::string& file) {
  for (auto at = message.find(file); at != std::string::npos; at = message.find(file, at))
    message.replace(at, file.size(), "it");
  return valid_utf8(std::move(message));
}

// Runs work on bytes from outside: whatever DuckDB finds wrong with them is the file's fault, unless the store failed.
template <class Work>
auto reading(EngineImpl& engine, const BlobInfo& blob, const Work& work) {
  try {
    return work();
  } catch (const duckdb::OutOfMemoryException& failure) {
    throw_failure(duckdb::ErrorData(failure), engine.limits());
  } catch (const duckdb::Exception& failure) {
    engine.files().rethrow_failure();
    throw_invalid(without_file_name(duckdb::ErrorData(failure).RawMessage(), engine.files().readable(blob).path));
  } catch (const duckdb_apache::thrift::TException&) {
    throw_invalid("its footer is damaged.");
  } catch (const std::runtime_error&) {  // as DuckDB's page readers throw when a page ends before its values do
    engine.files().rethrow_failure();
    throw_invalid("a page of it is damaged.");
  }
}

void find_losses(const ParquetColumnSchema& schema, const std::string& column, std::vector<std::string>& losses) {
  const auto id = schema.type.id();
  if (schema.type_info == ParquetExtraTypeInfo::IMPALA_TIMESTAMP) {
    losses.push_back("Column \"" + column + "\" holds INT96 timestamps: digits past the microsecond are cut.");
  } else if (schema.type_info == ParquetExtraTypeInfo::UNIT_NS && id != LogicalTypeId::TIMESTAMP_NS) {
    losses.push_back("Column \"" + column + "\" counts nanoseconds: digits past the microsecond are cut, as " +
                     schema.type.ToString() + " has none.");
  } else if (schema.type_info == ParquetExtraTypeInfo::DECIMAL_BYTE_ARRAY && id == LogicalTypeId::DOUBLE) {
    losses.push_back("Column \"" + column + "\" holds decimals of more than 38 digits: they are rounded to DOUBLE.");
  }
  for (const ParquetColumnSchema& child : schema.children) find_losses(child, column, losses);
}

bool has_adoptable_groups(const duckdb_parquet::FileMetaData& metadata) {
  std::int64_t rows = 0;
  for (const auto& group : metadata.row_groups) {
    if (group.num_rows < 0 || group.num_rows > adopted_group_rows_max) return false;
    if (group.total_byte_size < 0 || group.total_byte_size > adopted_group_bytes_max) return false;
    rows += group.num_rows;
    for (const auto& column : group.columns) {
      // Columns in files of their own, or under keys of their own.
      if (column.__isset.file_path || column.__isset.crypto_metadata) return false;
    }
  }
  return rows == metadata.num_rows && rows <= std::numeric_limits<std::uint32_t>::max();
}

// Names are what a segment's columns are found by; each stands once, as DuckDB's reader sees to.
bool has_adoptable_columns(const duckdb::ParquetReader& reader, const Limits& limits) {
  const auto survives = [](const duckdb::MultiFileColumnDefinition& column) {
    return !column.name.empty() && kept_type(column.type) == column.type;
  };
  return reader.columns.size() <= limits.columns_max &&
         std::all_of(reader.columns.begin(), reader.columns.end(), survives);
}

std::vector<ResultColumn> kept_columns(const duckdb::ParquetReader& reader) {
  std::vector<ResultColumn> columns;
  for (const auto& column : reader.columns)
    columns.push_back({valid_utf8(column.name), kept_type(column.type).ToString()});
  return columns;
}

}  // namespace

ParquetCursor::ParquetCursor(EngineImpl& engine, const BlobInfo& blob) : engine_(engine), blob_(blob) {
  reading(engine_, blob_, [&] {
    scan_ = std::make_unique<ParquetScan>(engine_, blob_);
    columns_ = kept_columns(scan_->reader());
    duckdb::vector<duckdb::LogicalType> types;
    for (const auto& column : scan_->reader().columns) types.push_back(kept_type(column.type));
    rows_.Initialize(engine_.context(), types);
    scan_->begin();
  });
}

Cursor::State ParquetCursor::step() {
  rows_.Reset();
  return reading(engine_, blob_, [&] {
    if (!scan_->next()) return State::done;
    auto& read = scan_->chunk();
    for (std::size_t column = 0; column < rows_.ColumnCount(); ++column) {
      duckdb::VectorOperations::Cast(engine_.context(), read.data[column], rows_.data[column], read.size());
    }
    rows_.SetCardinality(read);
    rows_.Flatten();
    return State::chunk;
  });
}

double ParquetCursor::progress() const {
  return scan_->rows() == 0 ? 1 : static_cast<double>(scan_->rows_read()) / static_cast<double>(scan_->rows());
}

Engine::ParquetFile EngineImpl::inspect_parquet(const BlobInfo& blob) {
  return reading(*this, blob, [&] {
    ParquetScan scan(*this, blob);
    auto& reader = scan.reader();
    const auto& metadata = *reader.GetFileMetadata();
    ParquetFile file;
    file.columns = kept_columns(reader);
    file.rows = scan.rows();
    for (const ParquetColumnSchema& column : reader.root_schema->children) {
      find_losses(column, valid_utf8(column.name), file.warnings);
    }
    file.adoptable = file.warnings.empty() && !metadata.__isset.encryption_algorithm &&
                     has_adoptable_groups(metadata) && has_adoptable_columns(reader, limits_);
    return file;
  });
}

std::unique_ptr<Cursor> EngineImpl::read_parquet(const BlobInfo& blob) {
  return std::make_unique<ParquetCursor>(*this, blob);
}

}  // namespace stele
