// Rows written while they are looked at: the same as those written in a second pass, or none.
#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <random>
#include <string>

#include "support/table_world.hpp"
#include "tables/classifier.hpp"
#include "tables/plain_values.hpp"
#include "tables/read_options.hpp"

using namespace stele;
using namespace stele::testing;

namespace {

struct FileWorld : TableWorld {
  ReadOptions options;

  std::unique_ptr<RowSource> source(const std::string& csv, bool eager) {
    const auto writer = core->blobs.create(BlobKind::staged);
    writer->append({reinterpret_cast<const std::uint8_t*>(csv.data()), csv.size()});
    const StagedFile file{writer->finish(), "t.csv", ""};
    return run_to_end(
        source_of_text(file, Format::csv, options, core->blobs, core->limits, eager ? core->engine.get() : nullptr));
  }
  Json write_file(const std::string& path, const std::string& csv, bool eager) {
    return run_to_end(core->writer.write(request(path, WriteMode::create), source(csv, eager)));
  }
  // Whether what was written on the way is what the rule wants.
  bool guess_holds(const std::string& csv) {
    const auto rows = source(csv, true);
    std::vector<Column> columns;
    for (const auto& column : rows->columns())
      columns.push_back({static_cast<int>(columns.size()) + 1, column.name, column.type});
    return rows->take_written(columns).has_value();
  }
  std::string digest(const std::string& path) {
    const TableRecord table = core->catalog.get(path);
    return core->versions.get(table, table.version).digest;
  }
  // Imports the file both ways and compares all that can be seen: the answers, and the bytes by their digest.
  void check_same(const std::string& csv) {
    auto later = write_file("later", csv, false), eager = write_file("eager", csv, true);
    later.erase("table");
    eager.erase("table");
    CHECK(later == eager);
    CHECK(types("later") == types("eager"));
    CHECK(digest("later") == digest("eager"));
  }
};

using MakeRow = std::function<std::string(int row)>;

std::string csv_of(const std::string& header, int rows, const MakeRow& make_row) {
  std::string csv = header + "\n";
  for (int row = 0; row < rows; ++row) csv += make_row(row) + "\n";
  return csv;
}

constexpr int many = 20'000;  // more than are guessed from

}  // namespace

TEST_CASE_METHOD(FileWorld, "a file that goes on as it begins is written in one pass") {
  const auto csv = csv_of("id,price,day,at,name,ok,at_zone,empty", many, [](int row) {
    const auto n = std::to_string(row);
    return n + "," + n + ".25,2025-04-03,2025-04-03 06:45:0" + n.substr(0, 1) + ",Zoë " + n + "," +
           (row % 2 ? "true" : "false") + ",2025-04-03T06:45:00Z,";
  });
  CHECK(guess_holds(csv));
  check_same(csv);
  CHECK(types("eager") ==
        "id BIGINT, price DOUBLE, day DATE, at TIMESTAMP, name VARCHAR, ok BOOLEAN, at_zone TIMESTAMP WITH TIME ZONE, "
        "empty VARCHAR");
}

TEST_CASE_METHOD(FileWorld, "whatever comes late, the table is as the rule of typing has it") {
  struct Late {
    const char* usual;
    const char* late;
    bool holds;
  };
  const Late lates[] = {
      {"1", "2.5", false},
      {"1", "007", false},
      {"1", "9007199254740993", true},
      {"1", "9223372036854775808", false},
      {"1", "-0", false},
      {"1", " 5 ", true},
      {"1", "\"\"", true},
      {"1", "", true},
      {"1.5", "3", true},
      {"1.5", "9007199254740993", false},
      {"1.5", "-0", true},
      {"1.5", "9.5e-07", true},
      {"1.5", "0.1234567890123456789", false},
      {"1.5", "0.30000000000000004", true},
      {"1.5", "00.5", false},
      {"1.5", "1e5", false},
      {"true", "false", true},
      {"true", "True", false},
      {"True", "False", true},
      {"2025-04-03", "2025-02-30", false},
      {"2025-04-03", "0001-01-01", true},
      {"2025-04-03", "2025-04-03 06:45", false},
      {"2025-04-03 06:45:00", "2025-04-03T06:45", true},
      {"2025-04-03 06:45:00", "2025-04-03 06:45:00.123456", true},
      {"2025-04-03 06:45:00", "2025-04-03 24:00:00", false},
      {"2025-04-03 06:45:00", "2025-04-03 06:45:00Z", false},
      {"2025-04-03 06:45:00Z", "2025-04-03 06:45:00.123456789Z", true},
      {"06:45", "23:59:59", true},
      {"03/04/2025", "25/04/2025", false},
      {"25/04/2025", "26/04/2025", false},
      {"word", "12", true},
      {"word", "\"two, \"\"words\"\"\"", true},
      {"", "12", false},
      {"", "word", true},
  };
  int n = 0;
  for (const auto& each : lates) {
    // clang 14 captures no structured bindings.
    const auto usual = each.usual, late = each.late;
    CAPTURE(usual, late);
    const auto csv = csv_of("number,value", many,
                            [&](int row) { return std::to_string(row) + "," + (row == many - 7 ? late : usual); });
    CHECK(guess_holds(csv) == each.holds);
    const auto path = std::to_string(n++);
    write_file("later" + path, csv, false);
    write_file("eager" + path, csv, true);
    CHECK(types("later" + path) == types("eager" + path));
    CHECK(digest("later" + path) == digest("eager" + path));
  }
}

TEST_CASE_METHOD(FileWorld, "rows that leave columns out, or have more, are not written in one pass") {
  for (const char* odd : {"1", "1,2,3", "1,2,3,4"}) {
    CAPTURE(odd);
    FileWorld world;
    const auto csv = csv_of("a,b", many, [&](int row) { return row == many / 2 ? odd : "1,2"; });
    CHECK_FALSE(world.guess_holds(csv));
    world.check_same(csv);
  }
}

TEST_CASE_METHOD(FileWorld, "a file is UTF-8 only if its last byte is") {
  const auto latin = csv_of("a,b", many, [](int row) { return row == many - 1 ? "1,caf\xE9" : "1,abc"; });
  check_same(latin);
  CHECK(rows("eager").back()["b"] == "café");
  FileWorld cut;
  auto half = csv_of("a,b", many, [](int) { return "1,é"; });
  half.resize(half.size() - 2);
  CHECK(cut.source(half, true)->malformed_rows().count == 1);
  cut.check_same(half);
  FileWorld mixed;
  mixed.options.malformed_rows_to_skip = 1;
  mixed.check_same(csv_of("a,b", many, [](int row) { return row == many / 2 ? "1,caf\xE9" : "1,é"; }));
}

TEST_CASE_METHOD(FileWorld, "options mean the same in one pass") {
  options.null_values = {"NA"};
  options.decimal_comma = true;
  const auto csv = csv_of("a;b", many, [](int row) { return row % 3 ? "1,5;NA" : "NA;2"; });
  CHECK(guess_holds(csv));
  check_same(csv);
  CHECK(types("eager") == "a DOUBLE, b BIGINT");
}

TEST_CASE_METHOD(FileWorld, "what was written on a wrong guess is gone") {
  const auto blobs = [this] { return std::get<std::int64_t>(sqlite.query("SELECT count(*) FROM blobs")[0][0]); };
  const auto before = blobs();
  const auto csv = csv_of("a,b", 400'000, [](int row) { return row == 399'999 ? "x,y" : std::to_string(row) + ",y"; });
  CHECK_FALSE(guess_holds(csv));
  CHECK(blobs() == before + 1);  // the staged file, which is the home's
}

TEST_CASE("plain values are what the classifier and the slow readers say") {
  std::mt19937 random(15);
  const std::string parts[] = {"0", "1", "9", "-", ".", "2025", "04", "-04-03", ":", " ", "T", "12", "5", "e", "00"};
  const auto agrees = [](const std::string& text) {
    const auto seen = classify(text);
    if (const auto value = plain_integer(text)) {
      CHECK(seen == ValueClass::integer);
      CHECK(*value == parse_int64(text));
    }
    if (const auto number = plain_double(text)) {
      CHECK(seen == (number->integer ? ValueClass::integer : ValueClass::decimal));
      const double slow = parse_double(text);
      CHECK(std::memcmp(&slow, &number->value, sizeof slow) == 0);
    }
    if (const auto days = plain_date(text)) {
      CHECK(seen == ValueClass::date);
      CHECK(*days == parse_date(text));
    }
    if (const auto micros = plain_timestamp(text)) {
      CHECK(seen == ValueClass::timestamp);
      CHECK(*micros == parse_timestamp(text).micros);
    }
    if (is_plain_text(text)) CHECK(seen == ValueClass::text);
  };
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    for (auto left = 1 + random() % 8; left > 0; --left) text += parts[random() % std::size(parts)];
    INFO(text);
    agrees(text);
  }
  for (int byte = 0; byte < 256; ++byte) {
    for (const char* rest : {"", "a", "rue", "alse", "an", "nf", "1", "-1"})
      agrees(static_cast<char>(byte) + std::string(rest));
  }
  for (const char* day : {"2024-02-29", "2025-02-29", "0000-01-01", "9999-12-31", "2025-13-01", "2025-04-31",
                          "2025-04-03 23:59:59", "2025-04-03T24:00:00", "2025-04-03 12:60:00", "2025-04-03 12:00:60",
                          "0001-01-01 00:00:00", "1969-12-31 23:59:59"})
    agrees(day);
  CHECK(plain_integer("-999999999999999") == -999999999999999);
  CHECK_FALSE(plain_integer("1000000000000000"));
  CHECK(plain_double("-0.10")->value == -0.1);
  CHECK(plain_timestamp("1969-12-31 23:59:59") == -1'000'000);
}
