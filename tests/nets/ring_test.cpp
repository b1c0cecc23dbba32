#include "plimsoll/nets/ring.h"

#include <gtest/gtest.h>

#include "plimsoll/base/check.h"
#include "plimsoll/nets/matrix.h"
#include "plimsoll/nets/prime_field.h"
#include "tests/support/sampled_rank.h"

namespace plimsoll::nets {
namespace {

TEST(PrimeField, PrimesAreToldFromComposites) {
    for (const std::uint64_t p :
         {std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{37}, std::uint64_t{41},
          prime_with_root_of_minus_one, mersenne_prime_61, std::uint64_t{9223372036854775783U}}) {
        EXPECT_TRUE(is_prime(p)) << p;
    }
    // 3215031751 fools the bases 2, 3, 5, 7; 341 and 561 are the first pseudoprimes.
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{341}, std::uint64_t{561},
                                  std::uint64_t{1681}, std::uint64_t{3215031751U}, mersenne_prime_61 - 2}) {
        EXPECT_FALSE(is_prime(n)) << n;
    }
}

TEST(PrimeField, AgreesWithIntegersAfterReduction) {
    const IntegerRing integers(1'000'000'000);
    RandomStream stream(7, "tests/ring");
    for (const std::uint64_t p : {std::uint64_t{2}, std::uint64_t{101}, mersenne_prime_61}) {
        const PrimeField field(p);
        for (int i = 0; i < 200; ++i) {
            const Integer a = integers.random(stream), b = integers.random(stream);
            EXPECT_EQ(field.reduce(a + b), field.add(field.reduce(a), field.reduce(b)));
            EXPECT_EQ(field.reduce(a - b), field.subtract(field.reduce(a), field.reduce(b)));
            EXPECT_EQ(field.reduce(a * b), field.multiply(field.reduce(a), field.reduce(b)));
        }
    }
}

TEST(PrimeField, InverseAndRootOfMinusOneDoWhatTheySay) {
    const PrimeField field(prime_with_root_of_minus_one);
    RandomStream stream(7, "tests/inverse");
    for (int i = 0; i < 50; ++i) {
        const auto a = field.random(stream);
        ASSERT_NE(a, 0U);
        EXPECT_EQ(field.multiply(a, field.inverse(a)), 1U);
    }
    const auto root = field.root_of_minus_one();
    ASSERT_TRUE(root.has_value());
    EXPECT_EQ(field.multiply(*root, *root), field.prime() - 1);
    EXPECT_FALSE(PrimeField(mersenne_prime_61).root_of_minus_one().has_value());
    EXPECT_THROW((void)field.inverse(0), Bug);
    EXPECT_THROW(PrimeField(91), Bug);
}

TEST(IntegerRing, OverflowIsABugNotAWrongNumber) {
    const IntegerRing ring;
    const Integer big = Integer{1} << 126;
    EXPECT_THROW((void)ring.add(big, big), Bug);
    EXPECT_THROW((void)ring.multiply(big, 4), Bug);
    EXPECT_THROW((void)ring.subtract(-big, big + 1), Bug);
    EXPECT_EQ(ring.add(big, -big), 0);
}

TEST(IntegerRing, RandomElementsFillTheirInterval) {
    const IntegerRing ring(2);
    RandomStream stream(1, "tests/interval");
    std::vector<int> seen(5, 0);
    for (int i = 0; i < 200; ++i) ++seen.at(static_cast<std::size_t>(ring.random(stream) + 2));
    for (const int count : seen) EXPECT_GT(count, 0);
}

TEST(Ring, PowerIsRepeatedMultiplication) {
    const IntegerRing ring;
    Integer expected = 1;
    for (std::uint64_t k = 0; k < 40; ++k, expected *= 5) EXPECT_EQ(power(ring, Integer{5}, k), expected);
}

TEST(Matrix, ProductsAssociateAndTransposeReverses) {
    const PrimeField field;
    RandomStream stream(3, "tests/matrix");
    const auto a = random_matrix(field, 2, 3, stream), b = random_matrix(field, 3, 4, stream),
               c = random_matrix(field, 4, 5, stream);
    EXPECT_EQ(product(field, a, b, c), product(field, a, product(field, b, c)));
    EXPECT_EQ(transpose(product(field, a, b)), product(field, transpose(b), transpose(a)));
    EXPECT_THROW((void)product(field, a, c), Bug);
    EXPECT_THROW((void)sum(field, a, b), Bug);
}

TEST(RankModP, FindsTheRankAMatrixWasBuiltWith) {
    const PrimeField field;
    RandomStream stream(5, "tests/rank");
    for (std::size_t r = 0; r <= 6; ++r) {
        const auto a = product(field, random_matrix(field, 7, r, stream), random_matrix(field, r, 6, stream));
        EXPECT_EQ(testing::rank_mod_p(field, a), r);
        EXPECT_EQ(testing::rank_mod_p(field, transpose(a)), r);
    }
}

}  // namespace
}  // namespace plimsoll::nets
