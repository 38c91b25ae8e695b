#include "base/sha256.hpp"

#include <algorithm>

namespace stele {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::uint32_t rotate(std::uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

std::uint32_t load_big_endian(const std::uint8_t* from) {
  return std::uint32_t{from[0]} << 24 | std::uint32_t{from[1]} << 16 | std::uint32_t{from[2]} << 8 | from[3];
}

std::array<std::uint32_t, 64> schedule(const std::uint8_t* block) {
  std::array<std::uint32_t, 64> words;
  for (std::size_t i = 0; i < 16; ++i) words[i] = load_big_endian(block + 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const auto near = words[i - 2], far = words[i - 15];
    words[i] = words[i - 16] + (rotate(far, 7) ^ rotate(far, 18) ^ far >> 3) + words[i - 7] +
               (rotate(near, 17) ^ rotate(near, 19) ^ near >> 10);
  }
  return words;
}

// The eight variables change places from round to round: by their order in the calls, so that none is moved.
void round(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t& d, std::uint32_t e, std::uint32_t f,
           std::uint32_t g, std::uint32_t& h, std::uint32_t constant_and_word) {
  const auto choose = g ^ (e & (f ^ g));
  const auto majority = (a & b) | (c & (a | b));
  const auto t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choose + constant_and_word;
  d += t1;
  h = t1 + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
}

}  // namespace

void Sha256::compress(const std::uint8_t* block) {
  const auto words = schedule(block);
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; i += 8) {
    round(a, b, c, d, e, f, g, h, round_constants[i] + words[i]);
    round(h, a, b, c, d, e, f, g, round_constants[i + 1] + words[i + 1]);
    round(g, h, a, b, c, d, e, f, round_constants[i + 2] + words[i + 2]);
    round(f, g, h, a, b, c, d, e, round_constants[i + 3] + words[i + 3]);
    round(e, f, g, h, a, b, c, d, round_constants[i + 4] + words[i + 4]);
    round(d, e, f, g, h, a, b, c, round_constants[i + 5] + words[i + 5]);
    round(c, d, e, f, g, h, a, b, round_constants[i + 6] + words[i + 6]);
    round(b, c, d, e, f, g, h, a, round_constants[i + 7] + words[i + 7]);
  }
  const std::array<std::uint32_t, 8> worked{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += worked[i];
}

void Sha256::update(std::span<const std::uint8_t> bytes) {
  const auto held = static_cast<std::size_t>(size_ % 64);
  size_ += bytes.size();
  if (held > 0) {
    const auto taken = std::min(bytes.size(), 64 - held);
    std::copy_n(bytes.begin(), taken, block_.begin() + held);
    if (held + taken < 64) return;
    compress(block_.data());
    bytes = bytes.subspan(taken);
  }
  for (; bytes.size() >= 64; bytes = bytes.subspan(64)) compress(bytes.data());
  std::copy(bytes.begin(), bytes.end(), block_.begin());
}

std::string Sha256::hex() {
  // A one bit, zeros up to a block's last 8 bytes, and the length in bits.
  const auto bits = size_ * 8;
  std::array<std::uint8_t, 72> padding{0x80};
  const auto zeros_end = 64 - (size_ + 8) % 64;
  for (int i = 0; i < 8; ++i) padding[zeros_end + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
  update(std::span(padding).first(zeros_end + 8));

  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(64);
  for (const auto word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) text += digits[word >> shift & 15];
  }
  return text;
}

std::string sha256_hex(std::span<const std::uint8_t> bytes) {
  Sha256 digest;
  digest.update(bytes);
  return digest.hex();
}

std::string sha256_hex(std::string_view text) {
  return sha256_hex(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

}  // namespace stele
