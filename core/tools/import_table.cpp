// import_table: a file from the web becomes a version. The home downloads and unpacks; what it staged is removed in the
// end, whatever happens.
#include "base/error.hpp"
#include "tables/importer.hpp"
#include "tools/annotated_source.hpp"
#include "tools/common.hpp"
#include "tools/services.hpp"
#include "tools/tools.hpp"

namespace stele {
namespace {

Json definition() {
  return tool_definition(
      "import_table", "Import a file",
      "Downloads a file into a table without its rows passing through you; for anything too big for write_table. "
      "Typed, versioned "
      "and refused by the same rules, all rows or none; the answer tells what was skipped or kept as text. gzip is "
      "unpacked. "
      "Retry with the same idempotency_key. Example: {\"table\": \"sales/2025\", \"source_url\": "
      "\"https://example.com/sales.csv\", \"idempotency_key\": \"import-sales-1\"}",
      schema::closed_object({
          table_parameter(),
          schema::required("source_url", schema::text("Public http(s) URL of CSV, TSV, JSON, NDJSON, Parquet or XLSX")),
          mode_parameter("As in write_table"),
          key_columns_parameter("As in write_table"),
          schema::optional("sheet", schema::text("XLSX: the sheet's name; the first visible one by default")),
          message_parameter(),
          run_parameter(),
          idempotency_key_parameter(),
          expected_version_parameter(),
      }),
      written_schema(), {.open_world = true});
}

// The error of a home's reply, or what it replied.
Json checked_reply(Json reply) {
  if (!reply.is_object()) throw Error("unavailable", "The home gave no answer.", "Call again.");
  if (!reply.contains("error")) return reply;
  throw Error(reply.value("error", "unavailable"), reply.value("message", "The home could not do this."),
              reply.value("hint", "Call again, or send the rows with write_table."));
}

// Staged bytes of one call, removed at its end unless a table has taken them.
class StagedFiles {
 public:
  explicit StagedFiles(Staging& staging) : staging_(staging) {}
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;
  ~StagedFiles() {
    for (const StagedId id : ids_) remove(id);
  }
  // Takes the id out of a reply and owns what lies under it.
  StagedId own(const Json& reply) {
    const auto staged = reply.find("staged");
    if (staged == reply.end() || !staged->is_number_integer())
      throw Error("unavailable", "The home staged no bytes.", "Call again.");
    ids_.push_back(staged->get<StagedId>());
    return ids_.back();
  }
  Staging& staging() { return staging_; }

 private:
  // At the end of a failed call the store may fail too; what is left is swept when it is next opened.
  void remove(StagedId id) noexcept {
    try {
      staging_.remove(id);
    } catch (const std::exception&) {
    }
  }
  Staging& staging_;
  std::vector<StagedId> ids_;
};

Warning warning_of(const Json& told) {
  Warning warning;
  warning.kind = "home";
  if (told.is_string()) warning.message = told.get<std::string>();
  if (!told.is_object()) return warning;
  warning.kind = told.value("kind", "home");
  warning.message = told.value("message", "");
  warning.column = told.value("column", "");
  if (told.contains("value") && told["value"].is_string()) warning.value = told["value"].get<std::string>();
  if (told.contains("row") && told["row"].is_number_integer()) warning.row = told["row"].get<std::uint64_t>();
  if (told.contains("count") && told["count"].is_number_integer()) warning.count = told["count"].get<std::uint64_t>();
  return warning;
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
  std::vector<Warning> warnings;
  for (const auto& loss : parquet.warnings) {
    warnings.emplace_back();
    warnings.back().kind = "parquet";
    warnings.back().message = loss;
  }
  auto cursor = services.engine.read_parquet(file.blob);
  Task<Json> writing =
      services.writer.write(std::move(request), std::move(cursor), std::move(warnings), std::move(facts));
  Json answer = co_await std::move(writing);
  co_return answer;
}

// The home turns a sheet into cells, since XLSX is its trade.
Task<std::unique_ptr<RowSource>> source_of_sheet(Services& services, StagedFiles& staged, StagedId id, Json sheet) {
  Json question = Json::object();
  question["ask"] = "unpack_xlsx";
  question["staged"] = id;
  question["sheet"] = std::move(sheet);
  Json reply = co_await ask_home(std::move(question));
  reply = checked_reply(std::move(reply));
  StagedFile cells;
  cells.blob = staged.staging().blob(staged.own(reply));
  Task<std::unique_ptr<RowSource>> reading = source_of_cells(cells, services.blobs, services.limits);
  std::unique_ptr<RowSource> source = co_await std::move(reading);
  std::vector<Warning> warnings;
  for (const auto& told : reply.value("warnings", Json::array())) warnings.push_back(warning_of(told));
  co_return std::make_unique<AnnotatedSource>(std::move(source), std::move(warnings),
                                              reply.value("facts", Json::object()));
}

Task<std::unique_ptr<RowSource>> source_of(Services& services, StagedFiles& staged, StagedId id, StagedFile file,
                                           Format format, Json sheet) {
  if (format == Format::xlsx) return source_of_sheet(services, staged, id, std::move(sheet));
  if (format == Format::csv || format == Format::tsv)
    return source_of_text(std::move(file), format, services.blobs, services.limits);
  return source_of_json(std::move(file), format, services.blobs, services.limits);
}

Task<Json> run(Services& services, Json arguments, Caller caller) {
  require_scope(caller.write, "write", "import_table");
  WriteRequest request = write_request("import_table", "import", text_of(arguments, "table"), arguments, caller);
  if (auto answered = services.writer.answered_before(request)) co_return std::move(*answered);
  StagedFiles staged(services.staging);

  Json question = Json::object();
  question["ask"] = "fetch";
  question["url"] = arguments["source_url"];
  question["max_bytes"] = services.limits.import_bytes;
  Json fetched = co_await ask_home(std::move(question));
  fetched = checked_reply(std::move(fetched));
  StagedId id = staged.own(fetched);
  StagedFile file;
  file.blob = services.staging.blob(id);
  file.url_or_name = fetched.value("url", text_of(arguments, "source_url"));
  file.content_type = fetched.value("content_type", "");

  const Format format = detect_format(file, services.blobs);
  if (arguments.contains("sheet") && format != Format::xlsx)
    throw Error("invalid_arguments", "sheet was given, but the file is no XLSX workbook.", "Leave sheet out.");
  if (format == Format::parquet) {
    Task<Json> importing = import_parquet(services, std::move(request), std::move(file), id);
    Json answer = co_await std::move(importing);
    co_return answer;
  }
  Json sheet = arguments.contains("sheet") ? arguments["sheet"] : Json();
  Task<std::unique_ptr<RowSource>> reading = source_of(services, staged, id, std::move(file), format, std::move(sheet));
  std::unique_ptr<RowSource> rows = co_await std::move(reading);
  Task<Json> writing = services.writer.write(std::move(request), std::move(rows));
  Json answer = co_await std::move(writing);
  co_return answer;
}

}  // namespace

Tool import_table_tool() { return {definition(), run}; }

}  // namespace stele
