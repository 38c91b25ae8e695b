#include <catch2/catch.hpp>

#include "duckdb.hpp"
#include "engine/engine_fixture.hpp"
#include "engine/segment_file_system.hpp"

using namespace stele;

namespace {

const std::vector<Column> one_column{{1, "n", "BIGINT"}};

struct OpenFiles {
  OpenFiles() { migrate(store); }
  BlobInfo blob() {
    const auto writer = blobs.create(BlobKind::segment);
    const std::uint8_t bytes[] = {1, 2, 3};
    writer->append(bytes);
    return writer->finish();
  }
  NativeSqlStore store{":memory:"};
  MemoryHost host;
  Blobs blobs{store};
  SegmentFileSystem files{blobs, host, Limits{}};
};

std::string refusal(OpenFiles& f, const duckdb::OpenFileInfo& file, duckdb::FileOpenFlags flags) {
  try {
    static_cast<duckdb::FileSystem&>(f.files).OpenFile(file, flags);
  } catch (const std::exception& refused) {
    return refused.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a segment opens by capability and reads as its blob") {
  OpenFiles f;
  const auto file = f.files.readable(f.blob());
  const auto handle = static_cast<duckdb::FileSystem&>(f.files).OpenFile(file, duckdb::FileFlags::FILE_FLAGS_READ);
  CHECK(handle->GetFileSize() == 3);
  std::uint8_t bytes[2];
  handle->Read(bytes, 2, 1);
  CHECK(bytes[0] == 2);
  CHECK(bytes[1] == 3);
}

TEST_CASE("without the capability nothing opens, and nothing tells what exists") {
  OpenFiles f;
  const auto real = f.files.readable(f.blob());
  auto missing = real;
  missing.path = f.files.segment_prefix() + "999.0123456789abcdef";
  auto forged = real;
  forged.extended_info = duckdb::make_shared_ptr<duckdb::ExtendedOpenFileInfo>(*real.extended_info);
  forged.extended_info->options["stele_capability"] = duckdb::Value("00000000000000000000000000000000");
  const auto read = duckdb::FileFlags::FILE_FLAGS_READ;
  const auto refused = refusal(f, duckdb::OpenFileInfo(real.path), read);
  CHECK(refused != "");
  CHECK(refusal(f, duckdb::OpenFileInfo(missing.path), read) == refused);
  CHECK(refusal(f, duckdb::OpenFileInfo("/etc/passwd"), read) == refused);
  CHECK(refusal(f, forged, read) == refused);
  CHECK(refusal(f, real, duckdb::FileFlags::FILE_FLAGS_WRITE) == refused);
  CHECK(f.files.Glob(f.files.segment_prefix() + "*", nullptr).empty());
  CHECK_FALSE(f.files.FileExists(real.path, nullptr));
}

TEST_CASE("SQL reaches no file, setting or extension, whatever it tries") {
  EngineFixture f;
  f.segment(one_column, {{"1"}});
  for (const char* sql : {
           "SELECT * FROM read_text('/etc/hostname')",
           "SELECT * FROM read_text('/etc/there-is-no-such-file')",
           "SELECT * FROM read_blob('segments-*/*')",
           "SELECT * FROM glob('/etc/*')",
           "SELECT * FROM '/etc/hostname.csv'",
           "SELECT * FROM read_parquet('segments-0/1.00')",
           "COPY (SELECT 1) TO '/tmp/stele-out.csv'",
           "ATTACH '/tmp/stele-attach.db'",
           "INSTALL httpfs",
           "LOAD httpfs",
           "SET enable_external_access = true",
           "SET memory_limit = '100GB'",
           "SET temp_directory = '/tmp'",
           "SET threads = 4",
           "EXPORT DATABASE '/tmp/stele-export'",
       }) {
    CAPTURE(sql);
    CHECK(error_of([&] { f.rows(sql); }) != "");
  }
}

TEST_CASE("a path inside the segments' folder tells no more than one outside") {
  EngineFixture f;
  f.segment(one_column, {{"1"}});
  const auto folders = f.engine->start_own("SELECT unnest(current_setting('allowed_directories'))", {});
  std::vector<std::string> seen;
  for (const auto& row : EngineFixture::rows_of(*folders)) {
    const std::string folder = row[0];
    for (const char* file : {"1", "2", "*"}) {
      seen.push_back(error_of([&] { f.rows("SELECT * FROM read_parquet('" + folder + file + "')"); }));
    }
  }
  REQUIRE(seen.size() == 6);
  CHECK(seen[0] != "");
  for (const auto& message : seen) CHECK(message.find("sql_refused") == 0);
}
