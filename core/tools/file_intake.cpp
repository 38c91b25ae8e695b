#include "tools/file_intake.hpp"

#include "base/error.hpp"
#include "engine/gunzip.hpp"
#include "tables/byte_source.hpp"
#include "tools/annotated_source.hpp"

namespace stele {
namespace {

// The error of a home's reply, or what it replied.
Json checked_reply(Json reply) {
  if (!reply.is_object()) throw Error("unavailable", "The home gave no answer.", "Call again.");
  if (!reply.contains("error")) return reply;
  throw Error(reply.value("error", "unavailable"), reply.value("message", "The home could not do this."),
              reply.value("hint", "Call again, or send the rows with write_table."));
}

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

// The home turns a sheet into cells, since XLSX is its trade.
Task<std::unique_ptr<RowSource>> source_of_sheet(Services& services, StagedFiles& staged, StagedId id,
                                                 ReadOptions options) {
  Json question = Json::object();
  question["ask"] = "unpack_xlsx";
  question["staged"] = id;
  question["sheet"] = options.sheet ? Json(*options.sheet) : Json();
  if (options.skip_rows) question["skip_rows"] = *options.skip_rows;
  if (options.header) question["header"] = *options.header;
  Json reply = co_await ask_home(std::move(question));
  reply = checked_reply(std::move(reply));
  StagedFile cells;
  cells.blob = staged.staging().blob(staged.own(reply));
  Task<std::unique_ptr<RowSource>> reading =
      source_of_cells(cells, std::move(options), services.blobs, services.limits);
  std::unique_ptr<RowSource> source = co_await std::move(reading);
  std::vector<Warning> warnings;
  for (const auto& told : reply.value("warnings", Json::array())) warnings.push_back(warning_of(told));
  co_return std::make_unique<AnnotatedSource>(std::move(source), std::move(warnings),
                                              reply.value("facts", Json::object()));
}

bool is_packed(const StagedFile& file, Blobs& blobs) {
  BlobBytes bytes(blobs, file.blob.id, file.blob.size);
  return is_gzip(head_of(bytes, 2));
}

}  // namespace

StagedFiles::~StagedFiles() {
  for (const StagedId id : ids_) {
    try {
      staging_.remove(id);
    } catch (const std::exception&) {
      // At the end of a failed call the store may fail too; what is left is swept when it is next opened.
    }
  }
}

StagedId StagedFiles::own(const Json& reply) {
  const auto staged = reply.find("staged");
  if (staged == reply.end() || !staged->is_number_integer())
    throw Error("unavailable", "The home staged no bytes.", "Call again.");
  ids_.push_back(staged->get<StagedId>());
  return ids_.back();
}

StagedId StagedFiles::own(const BlobInfo& blob) {
  ids_.push_back(staging_.add(blob));
  return ids_.back();
}

Task<TakenFile> take_file(Services& services, StagedFiles& staged, std::string url, ReadOptions options) {
  Json question = Json::object();
  question["ask"] = "fetch";
  question["url"] = url;
  question["max_bytes"] = services.limits.import_bytes;
  Json fetched = co_await ask_home(std::move(question));
  fetched = checked_reply(std::move(fetched));
  TakenFile taken;
  taken.id = staged.own(fetched);
  taken.file.blob = services.staging.blob(taken.id);
  taken.file.url_or_name = fetched.value("url", url);
  taken.file.content_type = fetched.value("content_type", "");
  taken.format = detect_format(taken.file, services.blobs);
  check_options(options, taken.format);
  // Text is unpacked by its reader; these two are read by others.
  const bool binary = taken.format == Format::parquet || taken.format == Format::xlsx;
  if (binary && is_packed(taken.file, services.blobs)) {
    Task<BlobInfo> unpacking = gunzip(taken.file.blob, services.blobs, services.limits.import_bytes);
    taken.file.blob = co_await std::move(unpacking);
    taken.id = staged.own(taken.file.blob);
  }
  co_return taken;
}

Task<std::unique_ptr<RowSource>> rows_of_file(Services& services, StagedFiles& staged, TakenFile taken,
                                              ReadOptions options, bool to_be_written) {
  if (taken.format == Format::xlsx) return source_of_sheet(services, staged, taken.id, std::move(options));
  if (taken.format == Format::csv || taken.format == Format::tsv)
    return source_of_text(std::move(taken.file), taken.format, std::move(options), services.blobs, services.limits,
                          to_be_written ? &services.engine : nullptr);
  return source_of_json(std::move(taken.file), taken.format, std::move(options), services.blobs, services.limits);
}

std::vector<Warning> parquet_warnings(const Engine::ParquetFile& parquet) {
  std::vector<Warning> warnings;
  for (const auto& loss : parquet.warnings) {
    warnings.emplace_back();
    warnings.back().kind = "parquet";
    warnings.back().message = loss;
  }
  return warnings;
}

}  // namespace stele
