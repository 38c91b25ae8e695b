#include "tables/read_options.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/error.hpp"
#include "tables/letter_case.hpp"

namespace stele {
namespace {

void allow(bool given, const char* option, Format format, std::initializer_list<Format> formats) {
  if (!given || std::find(formats.begin(), formats.end(), format) != formats.end()) return;
  std::string names;
  for (const auto allowed : formats) names += (names.empty() ? "" : ", ") + std::string(name_of(allowed));
  throw Error("invalid_arguments",
              std::string(option) + " was given, but the file is " + name_of(format) + "; it goes with " + names + ".",
              std::string("Leave ") + option + " out.");
}

}  // namespace

const char* name_of(Format format) {
  switch (format) {
    case Format::csv:
      return "CSV";
    case Format::tsv:
      return "TSV";
    case Format::json:
      return "JSON";
    case Format::ndjson:
      return "NDJSON";
    case Format::parquet:
      return "Parquet";
    case Format::xlsx:
      return "XLSX";
  }
  return "";
}

char parse_delimiter(const std::string& written) {
  if (written == "tab" || written == "\\t") return '\t';
  const bool one = written.size() == 1 && static_cast<signed char>(written[0]) > 0;
  if (one && written != "\"" && written != "\n" && written != "\r") return written[0];
  throw Error("invalid_arguments", "delimiter is not one character that can part cells.",
              "Give one ASCII character, e.g. \",\", \";\", \"|\" or \"tab\".");
}

Encoding::Kind parse_encoding(const std::string& written) {
  std::string name;
  for (const char c : lower_ascii(written)) {
    if (c != '-' && c != '_' && c != ' ') name += c;
  }
  const auto is_one_of = [&](std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_one_of({"utf8", "ascii", "usascii"})) return Encoding::Kind::utf8;
  if (is_one_of({"utf16le", "utf16"})) return Encoding::Kind::utf16_le;
  if (is_one_of({"utf16be"})) return Encoding::Kind::utf16_be;
  // Programs that say Latin-1 mean Windows-1252, as the Encoding Standard has it.
  if (is_one_of({"windows1252", "cp1252", "latin1", "iso88591"})) return Encoding::Kind::windows_1252;
  throw Error("invalid_arguments", "The encoding " + written.substr(0, 40) + " is not known here.",
              "Give UTF-8, UTF-16LE, UTF-16BE or Windows-1252, or convert the file to UTF-8.");
}

void check_options(const ReadOptions& options, Format format) {
  const auto text = {Format::csv, Format::tsv};
  const auto with_header = {Format::csv, Format::tsv, Format::xlsx};
  const auto encoded = {Format::csv, Format::tsv, Format::json, Format::ndjson};
  const auto with_text = {Format::csv, Format::tsv, Format::json, Format::ndjson, Format::xlsx};
  allow(options.delimiter.has_value(), "delimiter", format, text);
  allow(options.header.has_value(), "header", format, with_header);
  allow(options.skip_rows.has_value(), "skip_rows", format, with_header);
  allow(options.encoding.has_value(), "encoding", format, encoded);
  allow(options.sheet.has_value(), "sheet", format, {Format::xlsx});
  allow(options.records_path.has_value(), "records_path", format, {Format::json});
  allow(!options.null_values.empty(), "null_values", format, with_text);
  allow(options.decimal_comma, "decimal_comma", format, with_text);
  allow(options.malformed_rows_to_skip.value_or(0) > 0, "malformed_rows_to_skip", format, encoded);
}

}  // namespace stele
