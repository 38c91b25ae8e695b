// Spill: a file at random places behaves as plain bytes do, and leaves nothing behind.
#include "store/spill.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "base/error.hpp"
#include "store/native_sqlite_store.hpp"
#include "store/schema.hpp"
#include "support/faulty_store.hpp"

using namespace stele;

namespace {

constexpr std::size_t block = SpillFile::block_bytes;

struct Fixture {
  NativeSqlStore sqlite{":memory:"};
  FaultyStore store{sqlite};
  Blobs blobs{store};
  Spill spill{blobs, 64 << 20};
  Fixture() { migrate(store); }
  std::int64_t chunks() { return std::get<std::int64_t>(sqlite.query("SELECT count(*) FROM chunks")[0][0]); }
};

Bytes read_all(SpillFile& file) {
  Bytes bytes(file.size());
  file.read(0, bytes);
  return bytes;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "a spill file agrees with plain bytes through random writes, reads and truncations") {
  std::mt19937 random(7);
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  const auto file = spill.open();
  Bytes model;
  for (int round = 0; round < 300; ++round) {
    const auto offset = below(24 * block);
    const auto action = below(10);
    if (action == 0) {
      file->truncate(offset);
      model.resize(offset);
    } else if (action < 7) {
      const Bytes piece(below(3 * block) + 1, static_cast<std::uint8_t>(round));
      file->write(offset, piece);
      model.resize(std::max(model.size(), offset + piece.size()));
      std::copy(piece.begin(), piece.end(), model.begin() + static_cast<std::ptrdiff_t>(offset));
    } else if (offset < model.size()) {
      Bytes piece(below(model.size() - offset) + 1);
      file->read(offset, piece);
      REQUIRE(std::equal(piece.begin(), piece.end(), model.begin() + static_cast<std::ptrdiff_t>(offset)));
    }
    REQUIRE(file->size() == model.size());
  }
  CHECK(chunks() > 0);
  CHECK(read_all(*file) == model);
}

TEST_CASE_METHOD(Fixture, "a file of eight blocks never reaches the store") {
  const auto before = store.operations();
  const auto file = spill.open();  // asks once for the largest id
  file->write(0, Bytes(8 * block, 7));
  CHECK(read_all(*file) == Bytes(8 * block, 7));
  CHECK(store.operations() == before + 1);
}

TEST_CASE_METHOD(Fixture, "changed blocks are committed together") {
  const auto file = spill.open();
  const auto before = store.commits();
  for (std::uint64_t n = 0; n < 64; ++n) file->write(n * block, Bytes(block, 7));
  CHECK(store.commits() - before == 7);  // eight a commit, the last eight still in memory
}

TEST_CASE_METHOD(Fixture, "a spill file is gone with its object") {
  auto file = spill.open();
  file->write(0, Bytes(20 * block, 1));
  CHECK(chunks() > 0);
  file.reset();
  CHECK(chunks() == 0);
}

TEST_CASE_METHOD(Fixture, "a spill file whose store died is swept at the next start") {
  auto file = spill.open();
  file->write(0, Bytes(20 * block, 1));
  store.die(1);
  file.reset();
  CHECK(chunks() > 0);
  Blobs(sqlite).sweep();
  CHECK(chunks() == 0);
}

TEST_CASE_METHOD(Fixture, "all files together stay within one budget, and what ends gives its share back") {
  auto one = spill.open();
  const auto two = spill.open();
  one->write(0, Bytes(40 << 20));
  two->write(0, Bytes(24 << 20));
  const auto kind_of_refusal = [&] {
    try {
      two->write(24 << 20, Bytes(1));
      return std::string("none");
    } catch (const Error& error) {
      return error.kind();
    }
  };
  CHECK(kind_of_refusal() == "out_of_memory");
  CHECK(two->size() == 24 << 20);
  one->truncate(39 << 20);
  CHECK(kind_of_refusal() == "none");
  one.reset();
  two->write(24 << 20, Bytes(20 << 20));
}

TEST_CASE_METHOD(Fixture, "reading past a spill file's end is refused") {
  const auto file = spill.open();
  file->write(0, Bytes(10));
  Bytes into(2);
  CHECK_THROWS_AS(file->read(9, into), StoreError);
  CHECK_THROWS_AS(file->read(11, into), StoreError);
}
