// Ids: names that no other home will make too. They come from the host's clock and randomness and carry no meaning.
#pragma once

#include <string>

#include "base/host.hpp"

namespace stele {

// A UUIDv7: begins with the time, so that later tables sort later.
std::string new_uuid(Host& host);

// 128 random bits in lower-case hex, which nobody guesses.
std::string new_token(Host& host);

}  // namespace stele
