// The lemmas of Levine et al. 2020 that are not about networks: counting and permutations, by brute force.
#include <algorithm>
#include <numeric>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/nets/sphere_rows.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/field_rank.h"
#include "plimsoll/verify/multiset_trials.h"

namespace plimsoll::verify {
namespace {

using theory::Integer;
using theory::Rational;

// LEVINE-L2: the largest product over all ways to write M as a sum of k parts, and its value at equal parts.
Result<Observation> product_observation(std::int64_t n, std::int64_t k, std::int64_t total) {
    const Rational right = theory::lemma2_right_side(n, k, total);
    Integer largest = 0;
    for (const auto& parts : nets::compositions(total, k)) {
        Integer product = 1;
        for (const std::int64_t part : parts) product = product * theory::multiset(n, part);
        largest = std::max(largest, product);
    }
    const bool equal_parts = total % k == 0;
    const bool holds = equal_parts ? Rational(largest) == right : Rational(largest) <= right;
    return checked(fmt::format("{} {}", equal_parts ? "largest product" : "at most", right.text()),
                   largest.text(), holds);
}

std::vector<Trial> product_trials_of_lemma2(Effort effort) {
    std::vector<Trial> trials;
    const std::int64_t largest = effort == Effort::quick ? 4 : 6;
    for (std::int64_t n = 1; n <= largest; ++n) {
        for (std::int64_t k = 1; k <= largest; ++k) {
            for (const std::int64_t total : {std::int64_t{1}, k, 2 * k + 1}) {
                trials.push_back({fmt::format("n={} k={} M={}", n, k, total), "",
                                  [=](Measurements&) { return product_observation(n, k, total); }});
            }
        }
    }
    return trials;
}

using Order = std::vector<std::size_t>;

Order identity_order(std::size_t size) {
    Order order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

using Degrees = std::vector<std::vector<std::uint64_t>>;

// How many permutations reach the largest sum of degrees.
std::size_t largest_terms(const Degrees& degrees) {
    Order order = identity_order(degrees.size());
    std::uint64_t largest = 0;
    std::size_t count = 0;
    do {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < order.size(); ++i) sum += degrees[i][order[i]];
        if (sum > largest) largest = sum, count = 0;
        if (sum == largest) ++count;
    } while (std::next_permutation(order.begin(), order.end()));
    return count;
}

// Degrees 0 .. 4 drawn until exactly one permutation reaches the largest sum.
Degrees draw_degrees(std::size_t size, RandomStream& stream) {
    Degrees degrees(size, std::vector<std::uint64_t>(size));
    do {
        for (auto& row : degrees) {
            for (auto& degree : row) degree = stream.below(5);
        }
    } while (largest_terms(degrees) != 1);
    return degrees;
}

// LEVINE-L5: entry (i, j) is 1 + x + .. + x^degree, at a random x. With coefficients of one, what cancels
// does.
Result<Observation> unique_term_observation(std::size_t size, std::uint64_t seed) {
    const nets::PrimeField field;
    RandomStream stream(seed, "verify/degrees");
    const Degrees degrees = draw_degrees(size, stream);
    const std::uint64_t x = 2 + stream.below(1'000'000'007);
    FieldMatrix matrix(size, size);
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
            for (std::uint64_t power = 0; power <= degrees[i][j]; ++power)
                matrix(i, j) = field.add(matrix(i, j), nets::power(field, x, power));
        }
    }
    const std::size_t rank = field_rank(field, matrix);
    return checked(fmt::format("rank {}", size), fmt::format("rank {}", rank), rank == size);
}

std::int64_t inner(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), std::int64_t{0});
}

// Distinct vectors with entries 0 .. 3.
std::vector<std::vector<std::int64_t>> draw_distinct(std::size_t count, RandomStream& stream) {
    std::set<std::vector<std::int64_t>> vectors;
    while (vectors.size() < count) {
        std::vector<std::int64_t> one(2);
        for (auto& entry : one) entry = static_cast<std::int64_t>(stream.below(4));
        vectors.insert(one);
    }
    return {vectors.begin(), vectors.end()};
}

// LEVINE-L6: the largest sum over the permutations that are not the identity stays below it.
Result<Observation> rearrangement_observation(std::size_t count, std::uint64_t seed) {
    RandomStream stream(seed, "verify/vectors");
    const auto vectors = draw_distinct(count, stream);
    std::int64_t norms = 0, largest = 0;
    for (const auto& v : vectors) norms += inner(v, v);
    Order order = identity_order(count);
    while (std::next_permutation(order.begin(), order.end())) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += inner(vectors[i], vectors[order[i]]);
        largest = std::max(largest, sum);
    }
    return checked(fmt::format("below {}", norms), fmt::format("at most {}", largest), largest < norms);
}

using PermutationCase = Result<Observation> (*)(std::size_t size, std::uint64_t seed);

// Sizes 2 .. 6, all permutations of each.
std::function<std::vector<Trial>(Effort)> permutation_cases(PermutationCase observe) {
    return [=](Effort effort) {
        std::vector<Trial> trials;
        const std::uint64_t draws = effort == Effort::quick ? 3 : 12;
        for (std::size_t size = 2; size <= 6; ++size) {
            for (std::uint64_t seed = 1; seed <= draws; ++seed) {
                trials.push_back({fmt::format("N={} draw {}", size, seed), "",
                                  [=](Measurements&) { return observe(size, seed); }});
            }
        }
        return trials;
    };
}

}  // namespace

std::vector<Claim> lemma_claims() {
    return {
        {.id = "LEVINE-L2",
         .statement = "A product of ((n, r_j)) with sum_j r_j = M is largest at r_j = M/k, the right side.",
         .trials = product_trials_of_lemma2},
        {.id = "LEVINE-L3",
         .statement = "((n, k)) <= (2e (n + k)/n)^n.",
         .trials = multiset_grid(MultisetSide::at_most, theory::lemma3_right_side_log3, 1, 0)},
        {.id = "LEVINE-MSMAX",
         .statement = "((n, k)) >= max(((n-1)/k + 1)^k, (k/(n-1) + 1)^(n-1)).",
         .trials = multiset_grid(MultisetSide::at_least, theory::multiset_lower_log3, 2, 1)},
        {.id = "LEVINE-L5",
         .statement =
             "A matrix of polynomials with one permutation of top degree is regular almost everywhere.",
         .trials = permutation_cases(unique_term_observation)},
        {.id = "LEVINE-L6",
         .statement = "For distinct vectors sum <v_i, v_s(i)> is largest at the identity alone.",
         .trials = permutation_cases(rearrangement_observation)},
    };
}

}  // namespace plimsoll::verify
