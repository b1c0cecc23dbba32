#include "plimsoll/nets/sphere_rows.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "plimsoll/nets/permutation.h"
#include "tests/support/sampled_rank.h"

namespace plimsoll::nets {
namespace {

const PrimeField sphere_field;

// ((n, k)) = C(n + k - 1, k).
std::size_t multiset(std::size_t n, std::size_t k) {
    std::size_t result = 1;
    for (std::size_t j = 1; j <= k; ++j) result = result * (n + j - 1) / j;
    return result;
}

MatrixOver<PrimeField> gram_power(const MatrixOver<PrimeField>& v, std::uint64_t lambda) {
    return hadamard_power(sphere_field, product(sphere_field, v, transpose(v)), lambda);
}

TEST(SphereRows, CompositionsAreCountedByTheMultisetCoefficient) {
    for (std::int64_t parts = 1; parts <= 4; ++parts) {
        for (std::int64_t total = 0; total <= 6; ++total) {
            const auto all = compositions(total, parts);
            EXPECT_EQ(all.size(), multiset(static_cast<std::size_t>(parts), static_cast<std::size_t>(total)));
            for (const auto& q : all) EXPECT_EQ(std::accumulate(q.begin(), q.end(), std::int64_t{0}), total);
        }
    }
}

TEST(SphereRows, UnitRowsHaveNormOne) {
    RandomStream stream(1, "tests/unit");
    const auto v = unit_rows(sphere_field, 6, 4, stream);
    const auto gram = product(sphere_field, v, transpose(v));
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(gram(i, i), 1U);
}

// LEVINE-HADAMARD, upper half: rank(A^(lambda)) <= ((rank A, lambda)) whatever A is.
TEST(SphereRows, HadamardPowerRaisesTheRankAtMostToTheMultisetCoefficient) {
    RandomStream stream(2, "tests/hadamard");
    for (std::size_t r = 1; r <= 3; ++r) {
        for (std::uint64_t lambda = 1; lambda <= 4; ++lambda) {
            const auto a = product(sphere_field, random_matrix(sphere_field, 18, r, stream),
                                   random_matrix(sphere_field, r, 18, stream));
            EXPECT_EQ(testing::rank_mod_p(sphere_field, hadamard_power(sphere_field, a, lambda)),
                      multiset(r, lambda));
        }
    }
    EXPECT_EQ(testing::rank_mod_p(sphere_field, hadamard_power(sphere_field, identity(sphere_field, 4), 5)),
              4U);
}

// LEVINE-HADAMARD, attained: one row Omega^q per composition q of lambda.
TEST(SphereRows, PowerRowsAttainTheMultisetCoefficient) {
    for (const auto& [d, lambda] : {std::array<std::int64_t, 2>{1, 5}, std::array<std::int64_t, 2>{2, 4},
                                    std::array<std::int64_t, 2>{3, 3}, std::array<std::int64_t, 2>{4, 3}}) {
        const auto v = power_rows(sphere_field, 3, lambda, d);
        EXPECT_EQ(testing::rank_mod_p(sphere_field, gram_power(v, static_cast<std::uint64_t>(lambda))),
                  v.rows());
        EXPECT_EQ(v.rows(), multiset(static_cast<std::size_t>(d), static_cast<std::size_t>(lambda)));
    }
    // Omega = 1 is one of the finitely many exceptions: all rows are equal.
    EXPECT_EQ(testing::rank_mod_p(sphere_field, gram_power(power_rows(sphere_field, 1, 3, 3), 3)), 1U);
}

// WIES-L8: non-negative integers, equal norms, full rank of the Hadamard power.
TEST(SphereRows, EqualNormIntegerRowsAttainTheMultisetCoefficient) {
    const IntegerRing integers;
    const std::uint64_t lambda = 3;
    Matrix<Integer> directions{{1, 0}, {0, 1}, {1, 1}, {2, 1}, {1, 2},
                               {3, 1}, {1, 3}, {2, 2}, {3, 2}, {2, 3}};
    const auto rows = equal_norm_rows(directions);
    ASSERT_EQ(rows.rows(), multiset(3, lambda));
    const auto gram = product(integers, rows, transpose(rows));
    for (std::size_t i = 0; i < rows.rows(); ++i) EXPECT_EQ(gram(i, i), gram(0, 0));
    for (const Integer a : rows.data()) EXPECT_GE(a, 0);
    const auto reduced = map(gram, [](const Integer& a) { return sphere_field.reduce(a); });
    EXPECT_EQ(testing::rank_mod_p(sphere_field, hadamard_power(sphere_field, reduced, lambda)),
              multiset(3, lambda));
    EXPECT_THROW((void)equal_norm_rows(Matrix<Integer>{{0, 0}}), Bug);
}

// sum_i <v_i, v_sigma(i)> for the rows of v.
Integer matched_sum(const Matrix<Integer>& v, const Permutation& sigma) {
    Integer total = 0;
    for (std::size_t i = 0; i < v.rows(); ++i) {
        for (std::size_t j = 0; j < v.cols(); ++j) total += v(i, j) * v(sigma[i], j);
    }
    return total;
}

// LEVINE-L6 by brute force over S_5.
TEST(SphereRows, OnlyTheIdentityMatchesDistinctNonNegativeVectorsBest) {
    const IntegerRing integers(4);
    RandomStream stream(3, "tests/rearrangement");
    for (int trial = 0; trial < 5; ++trial) {
        auto v = map(random_matrix(integers, 5, 3, stream), [](const Integer& a) { return a < 0 ? -a : a; });
        for (std::size_t i = 0; i < 5; ++i) v(i, 0) = 2 * v(i, 0) + static_cast<Integer>(i);
        std::vector<std::vector<Integer>> rows;
        for (std::size_t i = 0; i < 5; ++i) rows.push_back({v(i, 0), v(i, 1), v(i, 2)});
        std::sort(rows.begin(), rows.end());
        if (std::adjacent_find(rows.begin(), rows.end()) != rows.end()) continue;
        auto sigma = identity_permutation(5);
        const Integer best = matched_sum(v, sigma);
        while (std::next_permutation(sigma.begin(), sigma.end())) EXPECT_LT(matched_sum(v, sigma), best);
    }
}

// LEVINE-L5 as it is used: A_qk = Omega^<q,k>, whose top term is the identity's alone by LEVINE-L6, is
// singular for a few Omega only.
TEST(SphereRows, UniqueTopDegreeTermMakesTheMatrixRegularButForFewPoints) {
    const auto all = compositions(3, 3);
    std::size_t singular = 0;
    for (std::uint64_t omega = 0; omega < 40; ++omega) {
        MatrixOver<PrimeField> a(all.size(), all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (std::size_t j = 0; j < all.size(); ++j) {
                const auto exponent =
                    std::inner_product(all[i].begin(), all[i].end(), all[j].begin(), std::int64_t{0});
                a(i, j) = power(sphere_field, omega, static_cast<std::uint64_t>(exponent));
            }
        }
        singular += testing::rank_mod_p(sphere_field, a) < all.size() ? 1 : 0;
    }
    EXPECT_LE(singular, 2U);  // 0 and 1
    EXPECT_GE(singular, 1U);
}

}  // namespace
}  // namespace plimsoll::nets
