#include "plimsoll/base/random.h"

#include "plimsoll/base/check.h"

namespace plimsoll {
namespace {

// FNV-1a, so that a stream's name is part of its identity on every platform.
std::uint64_t name_hash(std::string_view name) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const unsigned char c : name) hash = (hash ^ c) * 1099511628211ULL;
    return hash;
}

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace

std::array<std::uint32_t, 4> philox_block(std::array<std::uint32_t, 4> counter,
                                          std::array<std::uint32_t, 2> key) {
    // The multipliers and the Weyl steps are the authors'.
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53U} * counter[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * counter[2];
        counter = {high(b) ^ counter[1] ^ key[0], low(b), high(a) ^ counter[3] ^ key[1], low(a)};
        key[0] += 0x9E3779B9U;
        key[1] += 0xBB67AE85U;
    }
    return counter;
}

RandomStream::RandomStream(std::uint64_t seed, std::string_view name)
    : key_(seed), stream_(name_hash(name)) {}

std::uint64_t RandomStream::next() {
    const std::uint64_t counter = index_ / 2;
    const auto block =
        philox_block({low(counter), high(counter), low(stream_), high(stream_)}, {low(key_), high(key_)});
    const std::size_t half = 2 * (index_ % 2);
    ++index_;
    return (std::uint64_t{block[half + 1]} << 32) | block[half];
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
    PLIMSOLL_CHECK(bound >= 1, "below() needs a positive bound");
    const std::uint64_t reject_from = UINT64_MAX - UINT64_MAX % bound;
    std::uint64_t draw = next();
    while (draw >= reject_from) draw = next();
    return draw % bound;
}

double RandomStream::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

void RandomStream::seek(std::uint64_t index) { index_ = index; }

}  // namespace plimsoll
