#pragma once

#include <cstddef>
#include <cstdint>

namespace plimsoll::rank {

// log10 of a bound on the chance that random samples hide a larger rank: 2 binom(n+1, s+1) (D/p)^s for
// matrices up to n x n that have s rows and columns more than their rank, entries of degree D and a prime p
// (docs/RANK.md derives it). Never above 0.
double hidden_rank_log10(std::size_t size, std::size_t slack, std::uint64_t degree, std::uint64_t prime);

// "Exact" is said only when that chance is at most 10 to this.
inline constexpr double exact_log10 = -9;

// The smallest slack, at least 20, that brings the chance to 10^-12 at this size; 64 when none up to there
// does.
std::size_t slack_for(std::size_t size, std::uint64_t degree, std::uint64_t prime);

// log10(10^a + 10^b).
double add_log10(double a, double b);

}  // namespace plimsoll::rank
