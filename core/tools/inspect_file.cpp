// inspect_file: what import_table would make of a file, before anything is written.
#include "base/error.hpp"
#include "tables/sample_rows.hpp"
#include "tools/common.hpp"
#include "tools/file_arguments.hpp"
#include "tools/file_intake.hpp"

namespace stele {
namespace {

constexpr std::size_t sample_rows_max = 5;
constexpr std::size_t columns_told_max = 200;
constexpr std::size_t warnings_told_max = 50;

Json definition() {
  std::vector<schema::Member> members = {source_url_parameter()};
  for (auto& member : read_parameters(false)) members.push_back(std::move(member));
  return tool_definition(
      "inspect_file", "Inspect a file",
      "Shows what import_table would make of a file, writing nothing: dialect, types and what others would lose, "
      "row_count, first rows, malformed rows by line, warnings. Options as in import_table. Example: "
      "{\"source_url\": \"https://example.com/sales.csv\"}",
      schema::closed_object(std::move(members)),
      schema::open_object({
          schema::required("format", schema::text()),
          schema::required("row_count", schema::integer()),
          schema::required("columns", schema::list(schema::object())),
          schema::required("malformed_rows", schema::object()),
      }),
      {.read_only = true, .open_world = true});
}

Json loss_json(const TypeLoss& loss) {
  Json told = Json::object();
  told["type"] = loss.type;
  told["values"] = loss.values;
  told["first"] = loss.first;
  told["row"] = loss.row;
  return told;
}

Json column_json(const SourceColumn& column) {
  Json told = Json::object();
  told["name"] = column.name;
  told["type"] = column.type;
  told["nulls"] = column.nulls;
  if (column.would_lose.empty()) return told;
  told["would_lose"] = Json::array();
  for (const auto& loss : column.would_lose) told["would_lose"].push_back(loss_json(loss));
  return told;
}

Json warnings_json(const std::vector<Warning>& warnings) {
  Json told = Json::array();
  for (std::size_t i = 0; i < warnings.size() && i < warnings_told_max; ++i) told.push_back(warnings[i].to_json());
  return told;
}

Json malformed_json(const MalformedRows& malformed) {
  Json told = Json::object();
  told["count"] = malformed.count;
  told["lines"] = malformed.to_json();
  return told;
}

// The notice of an answer that leaves something out stands first, for whoever reads no further.
Json begin_answer(std::size_t columns, std::size_t warnings) {
  Json answer = Json::object();
  std::string left_out;
  if (columns > columns_told_max)
    left_out =
        "Only the first " + std::to_string(columns_told_max) + " of " + std::to_string(columns) + " columns are told.";
  if (warnings > warnings_told_max) {
    left_out += (left_out.empty() ? "" : " ") + ("Only the first " + std::to_string(warnings_told_max) + " of " +
                                                 std::to_string(warnings) + " warnings are told.");
  }
  if (!left_out.empty()) answer["notice"] = left_out;
  return answer;
}

Json inspected_rows(RowSource& source) {
  const auto& columns = source.columns();
  Json answer = begin_answer(columns.size(), source.warnings().size());
  Json facts = source.facts();
  for (const char* of_an_import : {"rows_read", "rows_stored", "rows_skipped", "nulls", "malformed_rows"})
    facts.erase(of_an_import);
  answer.update(facts);
  answer["row_count"] = source.rows();
  answer["column_count"] = columns.size();
  answer["columns"] = Json::array();
  std::vector<std::string> types;
  for (const auto& column : columns) {
    types.push_back(column.type);
    if (types.size() <= columns_told_max) answer["columns"].push_back(column_json(column));
  }
  SampleRows sample(columns, std::min(columns.size(), columns_told_max), sample_rows_max);
  source.rewind(std::move(types));
  source.fill(sample);
  answer["sample_rows"] = sample.take();
  answer["malformed_rows"] = malformed_json(source.malformed_rows());
  answer["warnings"] = warnings_json(source.warnings());
  return answer;
}

Task<Json> inspect_parquet(Services& services, BlobInfo blob) {
  const Engine::ParquetFile parquet = services.engine.inspect_parquet(blob);
  const auto warnings = parquet_warnings(parquet);
  const auto shown = std::min(parquet.columns.size(), columns_told_max);
  Json answer = begin_answer(parquet.columns.size(), warnings.size());
  answer["format"] = "parquet";
  answer["row_count"] = parquet.rows;
  answer["column_count"] = parquet.columns.size();
  answer["columns"] = Json::array();
  for (std::size_t i = 0; i < shown; ++i) {
    Json column = Json::object();
    column["name"] = parquet.columns[i].name;
    column["type"] = parquet.columns[i].type;
    answer["columns"].push_back(std::move(column));
  }
  Json rows = Json::array();
  auto cursor = services.engine.read_parquet(blob);
  Task<bool> advancing = next_chunk(*cursor, "reading the first rows");
  const bool any = co_await std::move(advancing);
  for (std::size_t row = 0; any && row < std::min(cursor->row_count(), sample_rows_max); ++row) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < shown; ++i) cells.push_back(cursor->json(row, i));
    rows.push_back(std::move(cells));
  }
  answer["sample_rows"] = std::move(rows);
  answer["malformed_rows"] = malformed_json({});
  answer["warnings"] = warnings_json(warnings);
  co_return answer;
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.read, "read", "inspect_file");
  const ReadOptions options = read_options(arguments);
  StagedFiles staged(services.staging);
  Task<TakenFile> taking = take_file(services, staged, text_of(arguments, "source_url"), options);
  TakenFile taken = co_await std::move(taking);
  if (taken.format == Format::parquet) {
    Task<Json> inspecting = inspect_parquet(services, taken.file.blob);
    Json answer = co_await std::move(inspecting);
    co_return answer;
  }
  Task<std::unique_ptr<RowSource>> reading = rows_of_file(services, staged, std::move(taken), options, false);
  const std::unique_ptr<RowSource> rows = co_await std::move(reading);
  co_return inspected_rows(*rows);
}

}  // namespace

Tool inspect_file_tool() { return {definition(), run}; }

}  // namespace stele
