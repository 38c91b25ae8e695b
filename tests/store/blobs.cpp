// Blobs: bytes come back as they went in, whatever was not published is gone after a sweep, and memory stays bounded.
#include "store/blobs.hpp"

#include <catch2/catch.hpp>

#include "base/sha256.hpp"
#include "store/native_sqlite_store.hpp"
#include "store/schema.hpp"
#include "support/faulty_store.hpp"

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

std::int64_t count(SqlStore& store, std::string_view sql) {
  return std::get<std::int64_t>(store.query(sql).at(0).at(0));
}

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

TEST_CASE_METHOD(Fixture, "staged bytes have no digest, and cannot be published, until it is taken") {
  for (std::size_t size : {std::size_t{1}, std::size_t{17}, 9 * mib + 17}) {
    CAPTURE(size);
    const auto bytes = patterned(size);
    const auto writer = blobs.create(BlobKind::staged);
    writer->append(bytes);
    const auto staged = writer->finish();
    CHECK(staged.size == size);
    CHECK(staged.sha256.empty());
    CHECK_THROWS_AS(publish(staged.id), StoreError);
    const auto digested = run_to_end(blobs.digested(staged));
    CHECK(digested.sha256 == sha256_hex(bytes));
    publish(staged.id);
    CHECK(blobs.size(staged.id) == size);
    CHECK(read(blobs, staged.id, 0, size) == bytes);
  }
}

TEST_CASE("staged bytes are held in memory as long as there is room, and read, taken and removed alike") {
  NativeSqlStore store(":memory:");
  migrate(store);
  Blobs blobs(store, 3 * mib);
  const auto in_store = [&] { return count(store, "SELECT count(*) FROM chunks"); };
  const auto stage = [&](const Bytes& bytes) {
    const auto writer = blobs.create(BlobKind::staged);
    writer->append(bytes);
    return writer->finish();
  };
  const auto small = patterned(2 * mib + 17);
  const auto first = stage(small);
  CHECK(in_store() == 0);
  const auto second = stage(small);  // no room beside the first
  CHECK(in_store() == 3);
  CHECK(read(blobs, first.id, mib - 5, 20) == read(blobs, second.id, mib - 5, 20));
  CHECK(read(blobs, first.id, 0, first.size) == small);
  CHECK(read(blobs, second.id, 0, second.size) == small);
  CHECK_THROWS_AS(read(blobs, first.id, first.size, 1), StoreError);
  blobs.remove(second.id);
  CHECK(in_store() == 0);
  {
    const auto unfinished = blobs.create(BlobKind::staged);
    unfinished->append(patterned(mib / 2));
  }

  const auto adopted = run_to_end(blobs.digested(first));
  CHECK(adopted.sha256 == sha256_hex(small));
  CHECK(in_store() == 3);
  const SqlStatement batch[] = {Blobs::publish(adopted.id)};
  store.commit(batch);
  Blobs reopened(store);
  CHECK(read(reopened, adopted.id, 0, adopted.size) == small);

  const auto third = stage(small);  // there is room again
  CHECK(in_store() == 3);
  blobs.discard(third.id);
  CHECK_THROWS_AS(read(blobs, third.id, 0, 1), StoreError);
  const auto none = run_to_end(blobs.digested(stage({})));
  CHECK(blobs.size(none.id) == 0);
}

TEST_CASE_METHOD(Fixture, "any range reads back, across the borders of chunks") {
  const auto bytes = patterned(3 * mib + 17);
  const auto id = write(blobs, bytes).id;
  const std::pair<std::size_t, std::size_t> ranges[] = {
      {0, 1}, {mib - 1, 2}, {mib, mib}, {mib - 5, 2 * mib + 10}, {3 * mib, 17}, {3 * mib + 16, 1}, {5, 0}};
  for (const auto& [offset, size] : ranges) {
    CAPTURE(offset, size);
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(offset);
    CHECK(read(blobs, id, offset, size) == Bytes(begin, begin + static_cast<std::ptrdiff_t>(size)));
  }
}

TEST_CASE_METHOD(Fixture, "reading past the end, or a blob that is not there, is refused") {
  const auto id = write(blobs, patterned(mib + 3)).id;
  CHECK_THROWS_AS(read(blobs, id, mib + 2, 2), StoreError);
  CHECK_THROWS_AS(read(blobs, id, 2 * mib, 1), StoreError);
  CHECK_THROWS_AS(read(blobs, id + 1, 0, 1), StoreError);
  CHECK_THROWS_AS(blobs.size(id + 1), StoreError);
}

TEST_CASE_METHOD(Fixture, "chunks are 1 MiB, committed as they fill, and a small blob is one commit") {
  FaultyStore counted(store);
  Blobs counting(counted);
  const auto large = counting.create(BlobKind::segment);
  large->append(patterned(2 * mib));
  CHECK(chunks() == 1);  // the second is full, but may be the last
  large->append(patterned(1));
  CHECK(chunks() == 2);
  const auto before = counted.commits();
  const auto id = write(counting, patterned(1000)).id;
  CHECK(counted.commits() == before + 1);
  CHECK(count(store, "SELECT max(length(bytes)) FROM chunks WHERE blob <> " + std::to_string(id)) == std::int64_t{mib});
}

TEST_CASE_METHOD(Fixture, "several writers are open at once, none in the way of another") {
  const auto one_bytes = patterned(mib + 1, 1), two_bytes = patterned(mib + 1, 2);
  const auto one = blobs.create(BlobKind::segment), two = blobs.create(BlobKind::key_index);
  one->append(one_bytes);
  two->append(two_bytes);
  const auto two_id = two->finish().id, one_id = one->finish().id;
  CHECK(one_id != two_id);
  CHECK(read(blobs, one_id, 0, one_bytes.size()) == one_bytes);
  CHECK(read(blobs, two_id, 0, two_bytes.size()) == two_bytes);
}

TEST_CASE_METHOD(Fixture, "a writer destroyed before its end leaves nothing") {
  {
    const auto writer = blobs.create(BlobKind::segment);
    writer->append(patterned(3 * mib));
    CHECK(chunks() > 0);
  }
  CHECK(chunks() == 0);
  CHECK(rows() == 0);
}

TEST_CASE_METHOD(Fixture, "a sweep deletes what was not published and nothing else") {
  const auto kept_bytes = patterned(mib + 1);
  const auto kept = write(blobs, kept_bytes).id;
  publish(kept);
  write(blobs, patterned(2 * mib));
  write(blobs, {});
  blobs.sweep();
  CHECK(rows() == 1);
  CHECK(chunks() == 2);
  Blobs reopened(store);
  CHECK(read(reopened, kept, 0, kept_bytes.size()) == kept_bytes);
}

TEST_CASE_METHOD(Fixture, "an unfinished blob cannot be published, and its batch fails whole") {
  const auto writer = blobs.create(BlobKind::segment);
  writer->append(patterned(mib + 1));
  const auto id = count(store, "SELECT max(id) FROM blobs");
  const SqlStatement batch[] = {{"INSERT INTO meta (key, value) VALUES ('k', 1)", {}}, Blobs::publish(id)};
  CHECK_THROWS_AS(store.commit(batch), StoreError);
  CHECK(store.query("SELECT 1 FROM meta WHERE key = 'k'").empty());
}

TEST_CASE_METHOD(Fixture, "a removed blob is gone, from the cache too, and ids are not given again") {
  const auto id = write(blobs, patterned(100)).id;
  publish(id);
  read(blobs, id, 0, 100);
  blobs.remove(id);
  CHECK(rows() == 0);
  CHECK(chunks() == 0);
  CHECK_THROWS_AS(read(blobs, id, 0, 1), StoreError);
  CHECK(write(blobs, patterned(1)).id > id);
}

TEST_CASE_METHOD(Fixture, "a large blob is removed in bounded batches, and what a crash leaves is swept") {
  const auto id = write(blobs, patterned(1)).id;
  publish(id);
  for (std::int64_t n = 1; n < 200; ++n) {
    const SqlStatement batch[] = {{"INSERT INTO chunks (blob, n, bytes) VALUES (?, ?, ?)", {id, n, Bytes{1}}}};
    store.commit(batch);
  }
  FaultyStore faulty(store);
  faulty.die(4);  // query, commit, query, commit
  CHECK_THROWS_AS(Blobs(faulty).remove(id), StoreError);
  CHECK(chunks() == 136);
  Blobs(store).sweep();
  CHECK(chunks() == 0);
  CHECK(rows() == 0);
}

TEST_CASE_METHOD(Fixture, "wherever a store dies while a blob is written, a sweep leaves the published ones alone") {
  const auto kept_bytes = patterned(2 * mib + 5);
  const auto kept = write(blobs, kept_bytes).id;
  publish(kept);
  for (const auto point : {FaultPoint::before, FaultPoint::after}) {
    bool reached = true;
    for (std::uint64_t n = 1; reached; ++n) {
      CAPTURE(n);
      FaultyStore dying(store);
      dying.die(n, point);
      Blobs doomed(dying);
      try {
        write(doomed, patterned(2 * mib + 1));
      } catch (const StoreError&) {
      }
      reached = dying.fault_reached();
      Blobs reopened(store);
      reopened.sweep();
      CHECK(rows() == 1);
      CHECK(chunks() == 3);
      CHECK(read(reopened, kept, 0, kept_bytes.size()) == kept_bytes);
    }
  }
}

TEST_CASE_METHOD(Fixture, "a chunk is fetched once while it is among the last sixteen read") {
  const auto id = write(blobs, patterned(20 * mib), mib).id;
  FaultyStore counted(store);
  Blobs reader(counted);
  for (std::size_t n = 0; n < 16; ++n) read(reader, id, n * mib, 10);
  CHECK(counted.queries() == 16);
  for (std::size_t n = 0; n < 16; ++n) read(reader, id, n * mib + 500, 10);
  CHECK(counted.queries() == 16);
  read(reader, id, 16 * mib, 1);  // the least recently read gives way
  read(reader, id, 15 * mib, 1);
  CHECK(counted.queries() == 17);
  read(reader, id, 0, 1);
  CHECK(counted.queries() == 18);
}
