// import_table: a file from the web becomes a version.
#include "tools/common.hpp"
#include "tools/file_arguments.hpp"
#include "tools/file_intake.hpp"
#include "tools/tools.hpp"

namespace stele {
namespace {

Json definition() {
  std::vector<schema::Member> members = {table_parameter(), source_url_parameter(), mode_parameter("As in write_table"),
                                         key_columns_parameter("As in write_table")};
  for (auto& member : read_parameters(true)) members.push_back(std::move(member));
  members.push_back(
      schema::optional("malformed_rows_to_skip", schema::integer("Leave malformed rows out, if just so many", 0)));
  for (auto& member : {message_parameter(), run_parameter(), idempotency_key_parameter(), expected_version_parameter()})
    members.push_back(member);
  return tool_definition(
      "import_table", "Import a file",
      "Downloads a file into a table without its rows passing through you; for anything too big for write_table. "
      "Typed by the same rules, all rows or none; the answer tells what was skipped or kept as text. "
      "Options "
      "override what its bytes tell. Retry with the same idempotency_key. Example: {\"table\": \"sales/2025\", "
      "\"source_url\": \"https://example.com/sales.csv\", \"idempotency_key\": \"import-sales-1\"}",
      schema::closed_object(std::move(members)), written_schema(), {.open_world = true});
}

Task<Json> import_parquet(Services& services, WriteRequest request, StagedFile file, StagedId id) {
  Engine::ParquetFile parquet = services.engine.inspect_parquet(file.blob);
  Json facts = Json::object();
  facts["format"] = "parquet";
  if (parquet.adoptable && request.mode != WriteMode::upsert) {
    Task<Json> adopting = services.writer.adopt(std::move(request), file.blob, std::move(parquet), std::move(facts));
    Json answer = co_await std::move(adopting);
    if (!answer.value("repeated", false)) services.staging.release(id);
    co_return answer;
  }
  auto warnings = parquet_warnings(parquet);
  auto cursor = services.engine.read_parquet(file.blob);
  Task<Json> writing =
      services.writer.write(std::move(request), std::move(cursor), std::move(warnings), std::move(facts));
  Json answer = co_await std::move(writing);
  co_return answer;
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.write, "write", "import_table");
  WriteRequest request = write_request("import_table", "import", text_of(arguments, "table"), arguments, caller);
  if (auto answered = services.writer.answered_before(request)) co_return std::move(*answered);
  const ReadOptions options = read_options(arguments);
  StagedFiles staged(services.staging);
  Task<TakenFile> taking = take_file(services, staged, text_of(arguments, "source_url"), options);
  TakenFile taken = co_await std::move(taking);
  if (taken.format == Format::parquet) {
    Task<Json> importing = import_parquet(services, std::move(request), std::move(taken.file), taken.id);
    Json answer = co_await std::move(importing);
    co_return answer;
  }
  Task<std::unique_ptr<RowSource>> reading = rows_of_file(services, staged, std::move(taken), options, true);
  std::unique_ptr<RowSource> rows = co_await std::move(reading);
  check_malformed(rows->malformed_rows(), rows->rows(), options.malformed_rows_to_skip);
  Task<Json> writing = services.writer.write(std::move(request), std::move(rows));
  Json answer = co_await std::move(writing);
  co_return answer;
}

}  // namespace

Tool import_table_tool() { return {definition(), run}; }

}  // namespace stele
