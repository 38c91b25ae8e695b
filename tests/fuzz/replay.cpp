// The saved corpus, done again without a fuzzer: inputs that reach much, and every one that broke a promise.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "base/json.hpp"
#include "target.hpp"

using namespace stele;

namespace {

// One input a line, as a JSON text whose characters are the bytes.
void replay(const char* name, void (*target)(std::string_view)) {
  std::ifstream corpus(std::filesystem::path(STELE_FUZZ_CORPUS) / (std::string(name) + ".txt"));
  REQUIRE(corpus);
  std::size_t inputs = 0;
  for (std::string line; std::getline(corpus, line); ++inputs) {
    std::string bytes;
    const std::string characters = Json::parse(line);
    for (std::size_t i = 0; i < characters.size(); ++i) {
      const auto byte = static_cast<unsigned char>(characters[i]);
      // A byte past 127 is a character of two bytes.
      bytes += static_cast<char>(byte < 0x80 ? byte : ((byte & 3) << 6) | (characters[++i] & 0x3F));
    }
    CAPTURE(name, inputs, line);
    CHECK_NOTHROW(target(bytes));
  }
  CHECK(inputs > 10);
}

}  // namespace

TEST_CASE("what the fuzzers kept of text files holds") { replay("text", fuzz::text); }
TEST_CASE("what the fuzzers kept of statements holds") { replay("guard", fuzz::guard); }
TEST_CASE("what the fuzzers kept of calls holds") { replay("calls", fuzz::calls); }
TEST_CASE("what the fuzzers kept of receipts holds") { replay("receipt", fuzz::receipt); }
