#include "plimsoll/theory/papers/wies_bounds.h"

#include <algorithm>

#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/papers/levine_bounds.h"

namespace plimsoll::theory {
namespace {

// ln (3^L/r + 1)^r; 0 for r = 0.
Ball log_power(const Integer& degree, const Integer& rank, int bits) {
    if (rank == 0) return Ball(0, bits);
    return Ball(rank, bits) * log(Ball(Rational(degree, rank) + 1, bits));
}

Rational exact_power(const Integer& degree, std::int64_t rank) {
    if (rank == 0) return 1;
    return pow(Rational(degree, rank) + 1, static_cast<std::uint64_t>(rank));
}

constexpr std::int64_t warm_up_steps = 12'000;
constexpr std::int64_t total_steps = 1'000'000;

}  // namespace

Integer wies_t3(std::int64_t depth, std::int64_t rank, std::int64_t position_rank) {
    const Integer degree = power_of_three(depth);
    const std::int64_t all = rank + position_rank;
    return multiset(all, degree) * multiset(4, degree) * pow(degree + 1, static_cast<std::uint64_t>(all));
}

Ball wies_t3_log3(std::int64_t depth, const Integer& rank, const Integer& position_rank, int bits) {
    const Integer degree = power_of_three(depth), all = rank + position_rank;
    const Ball ln = log_multiset(all, degree, bits) + log_multiset(4, degree, bits) +
                    Ball(all, bits) * log(Ball(degree + 1, bits));
    return ln / ln3(bits);
}

Rational wies_t3_tight(std::int64_t depth, std::int64_t rank, std::int64_t position_rank) {
    const Integer degree = power_of_three(depth);
    return Rational(multiset(rank + position_rank, degree) * multiset(4, degree)) *
           exact_power(degree, rank) * exact_power(degree, position_rank);
}

Ball wies_t3_tight_log3(std::int64_t depth, const Integer& rank, const Integer& position_rank, int bits) {
    const Integer degree = power_of_three(depth);
    const Ball ln = log_multiset(rank + position_rank, degree, bits) + log_multiset(4, degree, bits) +
                    log_power(degree, rank, bits) + log_power(degree, position_rank, bits);
    return ln / ln3(bits);
}

// (r+r_e) log_3(2e (r+r_e+3^L)/(r+r_e)) + log_3((4,3^L)) + (r+r_e) log_3(3^L+1).
Ball wies_t1_closed_log3(std::int64_t depth, const Integer& rank, const Integer& position_rank, int bits) {
    const Integer degree = power_of_three(depth), all = rank + position_rank;
    return lemma3_right_side_log3(all, degree, bits) + log_multiset(4, degree, bits) / ln3(bits) +
           Ball(all, bits) * log3(Ball(degree + 1, bits));
}

Integer wies_lower_conv(std::int64_t depth, const Integer& rank, const Integer& heads) {
    return ms_lower({depth, rank, heads});
}
Ball wies_lower_conv_log3(std::int64_t depth, const Integer& rank, const Integer& heads, int bits) {
    return ms_lower_log3({depth, rank, heads}, bits);
}

Integer wies_lower_vocab(std::int64_t depth, const Integer& rank, const Integer& heads) {
    return multiset(std::max(Integer(0), floor_div(rank - 1 - heads, 2)), power_of_three(depth - 2));
}
Ball wies_lower_vocab_log3(std::int64_t depth, const Integer& rank, const Integer& heads, int bits) {
    return log_multiset(floor_div(rank - 1 - heads, 2), power_of_three(depth - 2), bits) / ln3(bits);
}

Integer wies_t2_order(std::int64_t depth, const Integer& rank, const Integer& width, const Integer& heads) {
    return Integer(depth) * (std::min(rank, width) - heads);
}

Ball wies_conjectured_context(const Integer& rank, std::int64_t depth, int bits) {
    return Ball(rank * depth, bits) / log3(Ball(rank, bits));
}

Ball wies_lemma4_true_log3(const Integer& n, const Integer& k, int bits) {
    return Ball(n - 1, bits) * log3(Ball(Rational(n + k - 1, n - 1), bits));
}

Ball wies_lemma4_printed_log3(const Integer& n, const Integer& k, int bits) {
    return lemma3_right_side_log3(n, k, bits);
}

Ball wies_learning_rate(const Integer& step, int bits) {
    const Ball peak(Rational(Integer(16), Integer(10'000)), bits);
    if (step <= warm_up_steps) return peak * Ball(Rational(step, warm_up_steps), bits);
    const Rational progress(std::min(step, Integer(total_steps)) - warm_up_steps,
                            total_steps - warm_up_steps);
    if (progress == 1) return Ball(0, bits);
    return peak * (Ball(1, bits) + cos(Ball::pi(bits) * Ball(progress, bits))) / Ball(2, bits);
}

}  // namespace plimsoll::theory
