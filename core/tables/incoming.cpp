#include "tables/incoming.hpp"

#include "tables/column_names.hpp"
#include "tables/type_family.hpp"

namespace stele {

namespace {

// Empty if the row has every column.
std::string left_out_pattern(const RowSource& rows, std::size_t row, std::size_t columns) {
  std::string pattern;
  for (std::size_t column = 0; column < columns; ++column) {
    if (!rows.left_out(row, column)) continue;
    pattern.resize(columns, '0');
    pattern[column] = '1';
  }
  return pattern;
}

}  // namespace

std::vector<Column> incoming_columns(const ColumnPlan& plan, const std::vector<SourceColumn>& incoming) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < incoming.size(); ++i) columns.push_back({plan.ids[i], incoming[i].name, plan.types[i]});
  return columns;
}

Task<StagedSegment> stage_rows(Engine& engine, Blobs& blobs, RowSource& rows, std::vector<Column> columns,
                               LeftOut& left_out) {
  std::vector<std::string> types;
  for (const Column& column : columns) types.push_back(column.type);
  std::unique_ptr<SegmentWriter> writer = engine.write(columns);
  std::unique_ptr<RowBuffer> buffer = writer->buffer();
  rows.rewind(std::move(types));
  bool more = true;
  while (more) {
    buffer->clear();
    more = rows.fill(*buffer);
    if (rows.any_left_out()) {
      for (std::size_t row = 0; row < buffer->rows(); ++row) {
        const std::string pattern = left_out_pattern(rows, row, columns.size());
        if (!pattern.empty()) left_out.add(writer->rows() + row, pattern);
      }
    }
    writer->append(*buffer);
    co_await end_slice({static_cast<double>(writer->rows()), static_cast<double>(rows.rows()), "writing rows"});
  }
  co_return StagedSegment(blobs, writer->finish());
}

std::vector<SourceColumn> source_columns(const std::vector<ResultColumn>& columns, std::vector<Warning>& warnings) {
  std::vector<SourceColumn> sources;
  std::vector<std::string> written;
  for (const ResultColumn& column : columns) written.push_back(column.name);
  const std::vector<std::string> names = column_names(written, warnings);
  for (std::size_t i = 0; i < columns.size(); ++i) sources.push_back({names[i], columns[i].type, 0, false});
  return sources;
}

Task<std::optional<RowSource::Misfit>> staged_misfit(Engine& engine, SnapshotPtr staged, Column column,
                                                     std::string type) {
  const std::string name = id_name(column.id);
  std::string misfits = name + " IS NOT NULL";
  if (may_stand_in(column.type, type)) {
    const std::string cast = "TRY_CAST(" + name + " AS " + type + ")";
    misfits +=
        " AND (" + cast + " IS NULL OR TRY_CAST(" + cast + " AS " + column.type + ") IS DISTINCT FROM " + name + ")";
  }
  std::vector<SnapshotPtr> snapshots{std::move(staged)};
  std::unique_ptr<Cursor> cursor =
      engine.start_own("SELECT stele_row, CAST(" + name + " AS VARCHAR) FROM scan(0, positions := true) WHERE " +
                           misfits + " ORDER BY stele_row LIMIT 1",
                       std::move(snapshots));
  const bool found = co_await next_chunk(*cursor, "checking types");
  std::optional<RowSource::Misfit> misfit;
  if (found && cursor->row_count() > 0) {
    misfit = RowSource::Misfit{cursor->text(0, 1), static_cast<std::uint64_t>(cursor->int64(0, 0)) + 1};
  }
  co_return misfit;
}

}  // namespace stele
