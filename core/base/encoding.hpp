// Encoding: bytes and times as text that travels in JSON and links. It decides nothing about what they mean.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stele {

// RFC 4648 section 5, without padding.
std::string base64url(std::span<const std::uint8_t> bytes);
std::string base64url(std::string_view bytes);

// "2026-11-30T10:55:56.123Z" of milliseconds since 1970-01-01T00:00:00Z.
std::string iso_time(std::int64_t ms);

}  // namespace stele
