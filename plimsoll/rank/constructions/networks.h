#pragma once

#include "plimsoll/rank/constructions/random_network.h"
#include "plimsoll/theory/numbers/integer.h"

// The makers behind network_for(), one per kind of network.
namespace plimsoll::rank {

Result<std::unique_ptr<RandomNetwork>> attention_network(const arch::AttentionSpec& spec,
                                                         const NetworkQuestion& question);
Result<std::unique_ptr<RandomNetwork>> square_network(const arch::SquareMixerSpec& spec,
                                                      const NetworkQuestion& question);
Result<std::unique_ptr<RandomNetwork>> square_network(const arch::SquareMlpSpec& spec,
                                                      const NetworkQuestion& question);
Result<std::unique_ptr<RandomNetwork>> square_network(const arch::PkSpec& spec,
                                                      const NetworkQuestion& question);
Result<std::unique_ptr<RandomNetwork>> square_network(const arch::MixerSpec& spec,
                                                      const NetworkQuestion& question);

// base^exponent, at most 2^63.
std::uint64_t saturating_power(std::uint64_t base, std::int64_t exponent);

// The number as a size; nothing when it does not fit.
std::optional<std::size_t> as_size(const theory::Integer& number);

}  // namespace plimsoll::rank
