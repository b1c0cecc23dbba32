#pragma once

#include <cstdint>

// The largest values a spec may hold: far beyond any network that was ever built, and small enough that every
// count of `count.h` fits in 128 bits.
namespace plimsoll::arch {

constexpr std::int64_t max_depth = 100'000;
constexpr std::int64_t max_listed_depth = 10'000;  // where single layers can be named in a list
constexpr std::int64_t max_width = 1'000'000;
constexpr std::int64_t max_hidden = 100'000'000;
constexpr std::int64_t max_heads = 100'000;
constexpr std::int64_t max_experts = 100'000;
constexpr std::int64_t max_vocab = 1'000'000'000;
constexpr std::int64_t max_context = 1'000'000'000;
constexpr std::int64_t max_image = 30'000;
constexpr std::int64_t max_classes = 1'000'000'000;
constexpr std::int64_t max_flat_width = 1'000'000'000;  // of a sparse net, which stores connections only
constexpr std::int64_t max_categories = 1'000'000;      // rows of the table of one column
constexpr std::int64_t max_connections = 1'000'000'000'000'000'000;

}  // namespace plimsoll::arch
