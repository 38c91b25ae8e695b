#include <cmath>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "support/recorded_rows.hpp"
#include "support/staging.hpp"
#include "tables/encoding.hpp"
#include "tables/letter_case.hpp"
#include "target.hpp"

namespace stele::fuzz {

namespace {

using Rows = std::vector<std::vector<std::string>>;

void expect_columns(const RowSource& source) {
  std::set<std::string> names;
  for (const SourceColumn& column : source.columns()) {
    expect(!column.name.empty(), "a column has a name");
    expect(names.insert(lower_ascii(column.name)).second, "names of columns differ, whatever the case");
    expect(column.nulls <= source.rows(), "a column has no more nulls than rows");
    expect(column.all_null || column.nulls < source.rows(), "a column is all null where every row is");
  }
}

// dump() throws where a text is not UTF-8. What is quoted from a file of mixed encodings may be none: the border
// replaces it.
void expect_sayable(const RowSource& source) {
  const auto say = [](const Json& told) { return told.dump(-1, ' ', false, Json::error_handler_t::replace); };
  say(source.facts());
  for (const SourceColumn& column : source.columns()) Json(column.name).dump();
  for (const Warning& warning : source.warnings()) {
    say(warning.to_json());
    expect(!warning.kind.empty() && !warning.message.empty(), "a warning says something");
  }
}

void expect_texts(const Rows& rows) {
  for (const auto& row : rows)
    for (const std::string& cell : row) Json(cell).dump();
}

// A whole number keeps every digit, and no cell but one of empty text becomes null on the way to its type.
void expect_lossless(const RowSource& source, const Rows& typed, const Rows& written) {
  for (std::size_t column = 0; column < source.columns().size(); ++column) {
    const SourceColumn& told = source.columns()[column];
    std::uint64_t nulls = 0;
    for (std::size_t row = 0; row < typed.size(); ++row) {
      const std::string& value = typed[row][column];
      const std::string& text = written[row][column];
      nulls += value == "NULL";
      expect(text == "NULL" || text == "''" ? true : value != "NULL", "a value is not lost: " + text);
      expect(text != "NULL" || value == "NULL", "nothing is made of null: " + value);
      expect(!told.all_null || text == "NULL" || text == "''", "a column that is all null has no value: " + text);
      if (value == "NULL" || told.type != "BIGINT") continue;
      std::string digits;
      for (const char c : text)
        if ((c >= '0' && c <= '9') || c == '-') digits += c;
      expect(digits == value, "an integer is written with these digits: " + text + " became " + value);
    }
    expect(nulls == told.nulls, "nulls are counted as they are delivered");
  }
}

void look_at(RowSource& source) {
  expect_columns(source);
  expect_sayable(source);
  const Rows typed = testing::rows_of(source);
  const std::vector<std::string> as_text(source.columns().size(), "VARCHAR");
  const Rows written = testing::rows_of(source, as_text);
  expect(typed.size() == source.rows() && written.size() == source.rows(), "as many rows come as were counted");
  expect_texts(typed);
  expect_texts(written);
  expect_lossless(source, typed, written);
  for (std::size_t column = 0; column < std::min<std::size_t>(source.columns().size(), 3); ++column) {
    for (const char* type : {"BOOLEAN", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "DECIMAL(18,2)", "JSON"}) {
      if (run_to_end(source.misfit(column, type))) continue;
      std::vector<std::string> types = as_text;
      types[column] = type;
      expect(testing::rows_of(source, types).size() == source.rows(), "rows come as any type that fits them");
    }
  }
}

template <class Import>
void look_through(Import&& make_source) {
  std::unique_ptr<RowSource> source;
  try {
    source = make_source();
  } catch (const Error& error) {
    expect(!error.kind().empty() && !error.hint().empty(), "a refusal says what would work");
    return;
  }
  look_at(*source);  // a file that was looked at whole is not refused later
}

}  // namespace

void text(std::string_view bytes) {
  // Making a store takes longer than most files do.
  static std::unique_ptr<testing::Staging> staging;
  static int files = 0;
  if (files++ % 100 == 0) {
    staging = std::make_unique<testing::Staging>();
    staging->limits.import_bytes = 1 << 20;
    staging->limits.columns_max = 2'000;
  }
  const std::string file(bytes);
  const std::size_t before = staging->blobs_left();
  look_through([&] { return staging->import(file, ""); });
  expect(staging->blobs_left() <= before + 1, "nothing that was unpacked stays in the store");
  // Cells are staged by the home that unpacked them, as UTF-8.
  if (file.starts_with('[') && is_utf8(file)) look_through([&] { return staging->import_cells(file); });
}

}  // namespace stele::fuzz
