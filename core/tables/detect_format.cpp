// detect_format: by the bytes where they tell, by name and content type where they do not.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "engine/gunzip.hpp"
#include "tables/byte_source.hpp"
#include "tables/importer.hpp"
#include "tables/json_scan.hpp"
#include "tables/typing.hpp"

namespace stele {
namespace {

constexpr std::size_t head_bytes = std::size_t{64} << 10;

std::string lower(std::string_view text) {
  std::string folded(text);
  for (auto& c : folded) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return folded;
}

// The extension of a name or URL, without .gz, query and fragment.
std::string extension_of(std::string_view url) {
  auto path = lower(url.substr(0, url.find_first_of("?#")));
  if (path.ends_with(".gz")) path.resize(path.size() - 3);
  const auto dot = path.find_last_of("./");
  return dot != std::string::npos && path[dot] == '.' ? path.substr(dot + 1) : "";
}

std::optional<Format> claimed_by_name(const StagedFile& file) {
  const auto extension = extension_of(file.url_or_name);
  if (extension == "csv" || extension == "txt") return Format::csv;
  if (extension == "tsv" || extension == "tab") return Format::tsv;
  if (extension == "json" || extension == "geojson") return Format::json;
  if (extension == "ndjson" || extension == "jsonl") return Format::ndjson;
  if (extension == "parquet") return Format::parquet;
  if (extension == "xlsx") return Format::xlsx;
  return {};
}

std::optional<Format> claimed_by_type(const StagedFile& file) {
  const auto type = lower(file.content_type.substr(0, file.content_type.find(';')));
  const auto says = [&](std::string_view word) { return type.find(word) != std::string::npos; };
  if (says("tab-separated")) return Format::tsv;
  if (says("csv")) return Format::csv;
  if (says("ndjson") || says("jsonl") || says("json-seq")) return Format::ndjson;
  if (says("json")) return Format::json;
  if (says("parquet")) return Format::parquet;
  if (says("spreadsheetml")) return Format::xlsx;
  if (type == "text/plain") return Format::csv;
  return {};
}

[[noreturn]] void refuse(const char* what) {
  throw Error("not_data", std::string("The file is ") + what + ", not a table.",
              "Give the address of the data itself: CSV, TSV, JSON, NDJSON, Parquet or XLSX.");
}

// A body such as {"message": "Not Found"}, which servers send in place of what was asked for.
void refuse_error_body(std::string_view text, bool whole) {
  if (!whole) return;
  const auto body = Json::parse(text, nullptr, false);
  if (!body.is_object()) return;
  const bool has_rows = std::any_of(body.begin(), body.end(), [](const Json& member) { return member.is_array(); });
  for (const char* key : {"error", "errors", "message"}) {
    const auto found = body.find(key);
    if (found == body.end() || has_rows || body.size() > 4) continue;
    throw Error("not_data",
                "The file is an error message, not a table: " +
                    in_quotes(found->is_string() ? found->get<std::string>() : found->dump()) + ".",
                "Check the address, and whether it needs a login.");
  }
}

// "{" begins one document, or the first of a line each.
Format json_or_ndjson(std::string_view text) {
  const auto end = json_value_end(text);
  if (!end) return Format::json;
  const auto rest = text.substr(*end);
  const auto next = rest.find_first_not_of(" \t\r\n");
  const bool on_a_new_line = rest.substr(0, next).find('\n') != std::string_view::npos;
  return next != std::string_view::npos && on_a_new_line ? Format::ndjson : Format::json;
}

}  // namespace

Format detect_format(const StagedFile& file, Blobs& blobs) {
  BlobBytes bytes(blobs, file.blob.id, file.blob.size);
  auto head = head_of(bytes, head_bytes);
  bool whole = head.size() == file.blob.size;
  if (is_gzip(head)) {
    head = gunzip_head(head, head_bytes);
    whole = false;
  }
  if (file.blob.size == 0) throw Error("empty_file", "The file is empty.", "Check the address or the export.");
  if (head.starts_with("PAR1")) return Format::parquet;
  if (head.starts_with("PK\x03\x04")) return Format::xlsx;

  std::string_view text = head;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
  if (text.size() > 1 && text[0] == '<' &&
      (text[1] == '!' || text[1] == '?' || text[1] == '/' || (lower(text)[1] >= 'a' && lower(text)[1] <= 'z'))) {
    refuse(lower(text).find("html") != std::string::npos ? "an HTML page" : "XML");
  }
  if (text.starts_with("%PDF-")) refuse("a PDF document");
  const auto by_name = claimed_by_name(file);
  const auto claimed = by_name ? by_name : claimed_by_type(file);
  const bool as_text = claimed == Format::csv || claimed == Format::tsv;
  if (text.starts_with('{')) {
    refuse_error_body(text, whole);
    const auto after = text.find_first_not_of(" \t\r\n", 1);
    const bool like_json = after != std::string_view::npos && (text[after] == '"' || text[after] == '}');
    if (!as_text || like_json) return claimed == Format::ndjson ? Format::ndjson : json_or_ndjson(text);
  }
  if (text.starts_with('[') && !as_text) return claimed == Format::ndjson ? Format::ndjson : Format::json;
  if (claimed == Format::parquet || claimed == Format::xlsx) {
    refuse(claimed == Format::parquet ? "called Parquet but does not begin as such a file"
                                      : "called XLSX but does not begin as such a file");
  }
  if (claimed) return *claimed;
  if (text.find('\0') != std::string_view::npos && !head.starts_with("\xFF\xFE") && !head.starts_with("\xFE\xFF")) {
    throw Error("unknown_format", "The file is binary, of no format that is read here.",
                "Tables come from CSV, TSV, JSON, NDJSON, Parquet and XLSX files.");
  }
  return Format::csv;
}

}  // namespace stele
