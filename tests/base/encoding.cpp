#include "base/encoding.hpp"

#include <catch2/catch.hpp>

using namespace stele;

TEST_CASE("base64url encodes every remainder without padding") {
  CHECK(base64url(std::string_view("")) == "");
  CHECK(base64url(std::string_view("f")) == "Zg");
  CHECK(base64url(std::string_view("fo")) == "Zm8");
  CHECK(base64url(std::string_view("foo")) == "Zm9v");
  CHECK(base64url(std::string_view("\xfb\xff\xfe")) == "-__-");
}

TEST_CASE("iso_time knows leap days, century years and the time before 1970") {
  CHECK(iso_time(0) == "1970-01-01T00:00:00.000Z");
  CHECK(iso_time(-1) == "1969-12-31T23:59:59.999Z");
  CHECK(iso_time(951'782'400'000) == "2000-02-29T00:00:00.000Z");
  CHECK(iso_time(4'107'542'400'000) == "2100-03-01T00:00:00.000Z");
  CHECK(iso_time(1'796'036'156'123) == "2026-11-30T10:55:56.123Z");
}
