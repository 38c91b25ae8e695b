// Sha256 against the vectors of FIPS 180-4 and its appendices, whole and in pieces.
#include "base/sha256.hpp"

#include <catch2/catch.hpp>
#include <vector>

using stele::Sha256;
using stele::sha256_hex;

TEST_CASE("sha256 answers the published digests") {
  const struct {
    std::string text;
    const char* digest;
  } cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrst"
       "u",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
      {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const auto& [text, digest] : cases) {
    CAPTURE(text.substr(0, 60), text.size());
    CHECK(sha256_hex(text) == digest);
  }
}

TEST_CASE("sha256 does not depend on how its input is cut") {
  std::vector<std::uint8_t> bytes(300);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7);
  for (std::size_t length : {0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 300}) {
    const auto whole = std::span<const std::uint8_t>(bytes).first(length);
    for (std::size_t piece : {1, 3, 63, 64, 65, 200}) {
      CAPTURE(length, piece);
      Sha256 digest;
      for (auto rest = whole; !rest.empty(); rest = rest.subspan(std::min(piece, rest.size()))) {
        digest.update(rest.first(std::min(piece, rest.size())));
      }
      CHECK(digest.hex() == sha256_hex(whole));
    }
  }
}
