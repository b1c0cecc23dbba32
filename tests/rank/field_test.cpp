#include <array>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/nets/prime_field.h"
#include "plimsoll/rank/balanced_field.h"
#include "plimsoll/rank/elimination/residue_kernels.h"
#include "tests/rank/roots_of_unity.h"

namespace plimsoll::rank {
namespace {

using ::testing::HasSubstr;

constexpr std::array<std::uint32_t, 8> primes = {3, 5, 13, 251, 65537, 4194301, default_prime, 8388593};

// The balanced residue in integers.
double residue(std::int64_t n, std::int64_t p) {
    const std::int64_t rest = ((n % p) + p) % p;
    return static_cast<double>(rest > p / 2 ? rest - p : rest);
}

// Integers reduce() takes: random ones, the largest, and those beside odd multiples of p / 2.
std::vector<double> numbers_to_reduce(const BalancedField& field) {
    const double largest = std::min(0x1p53 - 0x1p24, 0x1p50 * field.p);
    std::vector<double> numbers = {0, 1, -1, largest, -largest};
    RandomStream stream(field.p, "tests/rank/field");
    for (int i = 0; i < 500; ++i) {
        const double n = std::nearbyint((2 * stream.uniform() - 1) * (largest - 2 * field.p));
        const double multiple = std::nearbyint(n / field.p) * field.p;
        for (const double near : {n, multiple, multiple + field.half(), multiple + field.half() + 1,
                                  multiple - field.half(), multiple - field.half() - 1}) {
            numbers.push_back(near);
        }
    }
    return numbers;
}

TEST(BalancedField, ReducesToTheBalancedResidueOfTheIntegers) {
    for (const std::uint32_t p : primes) {
        const BalancedField field{p};
        for (const double n : numbers_to_reduce(field)) {
            EXPECT_EQ(field.reduce(n), residue(static_cast<std::int64_t>(n), p)) << n << " mod " << p;
        }
    }
}

TEST(BalancedField, VectorLoopsAgreeWithOneByOne) {
    for (const std::uint32_t p : primes) {
        const BalancedField field{p};
        const std::vector<double> numbers = numbers_to_reduce(field);
        std::vector<double> reduced = numbers;
        reduce_all(field, reduced);
        std::vector<double> row(reduced.rbegin(), reduced.rend());
        const std::vector<double> before = row;
        subtract_multiple(field, -field.half(), reduced, row);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            ASSERT_EQ(reduced[i], field.reduce(numbers[i])) << numbers[i] << " mod " << p;
            ASSERT_EQ(row[i], field.reduce(before[i] + field.half() * reduced[i]));
        }
    }
}

TEST(BalancedField, SinglePrecisionHoldsEveryResidue) {
    const BalancedField field{8388593};
    std::vector<double> residues = {field.half(), -field.half(), field.half() - 1, 0, 1, 4194303};
    std::vector<float> narrowed(residues.size());
    std::vector<double> back(residues.size());
    narrow(residues, narrowed);
    widen(narrowed, back);
    EXPECT_EQ(back, residues);
}

TEST(BalancedField, SumsOfThatManyProductsFitADoubleAndNoMore) {
    EXPECT_EQ(BalancedField{}.exact_products(), 512U);
    for (const std::uint32_t p : {65537U, 4194301U, default_prime, 8388593U}) {
        const BalancedField field{p};
        const auto half = static_cast<unsigned __int128>(field.half());
        const auto room = (static_cast<unsigned __int128>(1) << 53) - (1 << 24);
        EXPECT_TRUE(field.exact_products() * half * half <= room) << p;
        EXPECT_TRUE((field.exact_products() + 1) * half * half > room) << p;
    }
}

TEST(BalancedField, InversesAndPowersObeyTheirLaws) {
    for (const std::uint32_t p : primes) {
        const BalancedField field{p};
        RandomStream stream(7, "tests/rank/inverse");
        for (int i = 0; i < 20; ++i) {
            const double a = field.from_integer(1 + static_cast<std::int64_t>(stream.below(p - 1)));
            EXPECT_EQ(field.multiply(a, field.inverse(a)), 1);
            EXPECT_EQ(field.power(a, p - 1), 1);
            EXPECT_EQ(field.from_integer(field.to_integer(a)), a);
            EXPECT_EQ(field.subtract(field.add(a, field.half()), field.half()), a);
        }
        EXPECT_EQ(field.from_integer(-1), -1);
        EXPECT_EQ(field.to_integer(-1), p - 1);
    }
    EXPECT_THROW((void)BalancedField{}.inverse(0), Bug);
}

TEST(BalancedField, RandomResiduesAreBalancedAndReachBothEnds) {
    const BalancedField field{5};
    RandomStream stream(1, "tests/rank/random");
    std::vector<int> count(5);
    for (int i = 0; i < 500; ++i) ++count[static_cast<std::size_t>(field.random(stream) + 2)];
    EXPECT_THAT(count, ::testing::Each(::testing::Gt(50)));
}

TEST(BalancedField, TheDefaultPrimeHasTheRootsTheGradedSplitWants) {
    EXPECT_TRUE(nets::is_prime(default_prime));
    EXPECT_EQ(default_prime % 2870, 1U);
    const BalancedField field;
    for (const std::uint32_t order : {1U, 2U, 5U, 14U, 41U, 2870U}) {
        const auto root = root_of_unity(field, order);
        ASSERT_TRUE(root.has_value()) << order;
        double power = 1;
        for (std::uint32_t k = 1; k <= order; ++k) {
            power = field.multiply(power, *root);
            EXPECT_EQ(power == 1, k == order) << k << " of " << order;
        }
    }
    EXPECT_FALSE(root_of_unity(field, 11).has_value());
}

TEST(PrimeWithRoots, IsTheLargestOneBelowTheLimit) {
    EXPECT_EQ(prime_with_roots(1), 8388593U);
    EXPECT_EQ(prime_with_roots(2, 20), 19U);
    EXPECT_EQ(prime_with_roots(6, 20), 19U);
    EXPECT_EQ(prime_with_roots(7, 40), 29U);
    EXPECT_EQ(prime_with_roots(7, 29), std::nullopt);
    for (const std::uint32_t order : {5U, 14U, 41U, 122U, 365U, 4096U}) {
        const auto p = prime_with_roots(order);
        ASSERT_TRUE(p.has_value());
        EXPECT_TRUE(root_of_unity(BalancedField{*p}, order).has_value());
    }
}

std::string refusal(std::uint64_t asked, bool force = false) {
    const auto field = choose_prime(asked, force);
    if (field.ok()) return "";
    EXPECT_EQ(field.error().kind, ErrorKind::bad_input);
    return field.error().text();
}

TEST(ChoosePrime, TakesWhatTheBackendCanUse) {
    EXPECT_EQ(choose_prime(std::nullopt, false)->p, default_prime);
    EXPECT_EQ(choose_prime(8388593, false)->p, 8388593U);
    EXPECT_EQ(choose_prime(65537, false)->p, 65537U);
    EXPECT_EQ(choose_prime(3, true)->p, 3U);
}

TEST(ChoosePrime, SaysWhatIsWrongWithTheOthers) {
    EXPECT_EQ(refusal(8386142), "prime: must be a prime, got 8386142 (the prime below it is 8386141)");
    EXPECT_EQ(refusal(1), "prime: must be a prime, got 1");
    EXPECT_EQ(refusal(0), "prime: must be a prime, got 0");
    EXPECT_EQ(refusal(2, true), "prime: must be odd, got 2");
    EXPECT_EQ(refusal(8388617),
              "prime: must be below 2^23 = 8388608, where sums of products are exact in doubles; the largest "
              "prime there is 8388593, got 8388617");
    EXPECT_THAT(refusal((std::uint64_t{1} << 61) - 1, true), HasSubstr("must be below 2^23"));
    EXPECT_EQ(refusal(257),
              "prime: must be above 2^16 = 65536 unless forced, got 257: random weights and samples from so "
              "few values are often special, and the measured rank is then too small");
}

}  // namespace
}  // namespace plimsoll::rank
