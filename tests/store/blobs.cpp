// Blobs: bytes come back as they went in, whatever was not published is gone after a sweep, and memory stays bounded.
#include "store/blobs.hpp"

#include <catch2/catch.hpp>

#include "base/sha256.hpp"
#include "store/native_sqlite_store.hpp"
#include "store/schema.hpp"

using namespace stele;

namespace {

constexpr std::size_t mib = 1 << 20;

Bytes patterned(std::size_t size, std::uint32_t seed = 1) {
  Bytes bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
  return bytes;
}

BlobInfo write(Blobs& blobs, const Bytes& bytes, std::size_t piece = 100'000) {
  const auto writer = blobs.create(BlobKind::segment);
  for (std::span<const std::uint8_t> rest(bytes); !rest.empty(); rest = rest.subspan(std::min(piece, rest.size()))) {
    writer->append(rest.first(std::min(piece, rest.size())));
  }
  return writer->finish();
}

Bytes read(Blobs& blobs, BlobId id, std::uint64_t offset, std::size_t size) {
  Bytes bytes(size);
  blobs.read(id, offset, bytes);
  return bytes;
}

std::int64_t count(SqlStore& store, std::string_view sql) { return std::get<std::int64_t>(store.query(sql).at(0).at(0)); }

struct Fixture {
  NativeSqlStore store{":memory:"};
  Blobs blobs{store};
  Fixture() { migrate(store); }
  std::int64_t chunks() { return count(store, "SELECT count(*) FROM chunks"); }
  std::int64_t rows() { return count(store, "SELECT count(*) FROM blobs"); }
  void publish(BlobId id) {
    const SqlStatement batch[] = {Blobs::publish(id)};
    store.commit(batch);
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "a blob reads back as it was written, at any size and in pieces") {
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, mib - 1, mib, mib + 1, 3 * mib, 3 * mib + 17}) {
    CAPTURE(size);
    const auto bytes = patterned(size);
    const auto info = write(blobs, bytes);
    CHECK(info.size == size);
    CHECK(info.sha256 == sha256_hex(bytes));
    CHECK(blobs.size(info.id) == size);
    CHECK(read(blobs, info.id, 0, size) == bytes);
  }
}
