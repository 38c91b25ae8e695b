#include "tools/file_arguments.hpp"

#include "base/error.hpp"

namespace stele {
namespace {

constexpr std::uint64_t skip_rows_max = 10'000;
constexpr std::uint64_t null_values_max = 20;

std::optional<std::string> text_if_given(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  if (found == arguments.end()) return {};
  return found->get<std::string>();
}

void bound(const char* name, std::uint64_t given, std::uint64_t most) {
  if (given <= most) return;
  throw Error("invalid_arguments",
              std::string(name) + " is " + std::to_string(given) + ", more than " + std::to_string(most) + ".",
              "Give at most " + std::to_string(most) + ".");
}

std::optional<std::uint64_t> count_if_given(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  if (found == arguments.end()) return {};
  return found->get<std::uint64_t>();
}

}  // namespace

schema::Member source_url_parameter() {
  return schema::required("source_url", schema::text("Public http(s) URL of CSV, TSV, JSON, NDJSON, Parquet or XLSX"));
}

std::vector<schema::Member> read_parameters(bool described) {
  const auto words = [&](const char* description) { return std::string(described ? description : ""); };
  return {
      schema::optional("delimiter", schema::text()),
      schema::optional("header", schema::boolean()),
      schema::optional("encoding", schema::text(words("UTF-8, UTF-16LE/BE, Windows-1252"))),
      schema::optional("skip_rows", schema::integer(words("Lines above header"), 0)),
      schema::optional("sheet", schema::text(words("XLSX; else first visible"))),
      schema::optional("records_path", schema::text(words("JSON: path to rows: data/items"))),
      schema::optional("null_values", schema::list(schema::text(), words("Cells that are NULL"))),
      schema::optional("decimal_comma", schema::boolean(words("1.234,5 is a number"))),
  };
}

ReadOptions read_options(const Json& arguments) {
  ReadOptions options;
  if (const auto delimiter = text_if_given(arguments, "delimiter")) options.delimiter = parse_delimiter(*delimiter);
  if (arguments.contains("header")) options.header = arguments["header"].get<bool>();
  if (const auto encoding = text_if_given(arguments, "encoding")) options.encoding = parse_encoding(*encoding);
  options.skip_rows = count_if_given(arguments, "skip_rows");
  options.sheet = text_if_given(arguments, "sheet");
  options.records_path = text_if_given(arguments, "records_path");
  if (arguments.contains("null_values")) options.null_values = arguments["null_values"].get<std::vector<std::string>>();
  options.decimal_comma = arguments.value("decimal_comma", false);
  options.malformed_rows_to_skip = count_if_given(arguments, "malformed_rows_to_skip");
  bound("skip_rows", options.skip_rows.value_or(0), skip_rows_max);
  bound("The number of null_values", options.null_values.size(), null_values_max);
  if (options.delimiter == ',' && options.decimal_comma) {
    throw Error("invalid_arguments", "A comma cannot part cells and stand in numbers at once.",
                "Leave delimiter out: it is found; with quoted cells decimal_comma alone is enough.");
  }
  return options;
}

}  // namespace stele
