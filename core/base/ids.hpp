// Ids: names that no other home will ever give. All randomness comes from Host; nothing here remembers what it gave,
// but for the host's own count within a millisecond.
#pragma once

#include <cstddef>
#include <string>

#include "base/host.hpp"

namespace stele {

// A UUIDv7 (RFC 9562) in lower-case text, so that text order is the order of making: by the host's millisecond, and
// within one by a counter. A clock that stands still for more than 2,048 ids borrows from the next millisecond.
std::string uuid_v7(Host& host);

// `bytes` random bytes as URL-safe text (base64url without padding): 16 bytes are 22 characters that nobody guesses.
std::string random_token(Host& host, std::size_t bytes);

}  // namespace stele
