// The largest sums the kernels can meet: every product as large as possible and of one sign.
#include <gtest/gtest.h>

#include "plimsoll/rank/balanced_field.h"
#include "plimsoll/rank/constructions/pair_kernel.h"
#include "plimsoll/rank/simd/kernels.h"

namespace plimsoll::rank {
namespace {

constexpr std::int64_t largest_prime = 8388593;
// Odd, so that sums beyond 2^53 are not saved by trailing zeros; the sum of both is odd as well.
constexpr std::int64_t large_odd = (largest_prime - 1) / 2 - 1, large_even = (largest_prime - 1) / 2;
constexpr double odd = large_odd, even = large_even;

class Kernel : public ::testing::TestWithParam<Simd> {
  protected:
    void SetUp() override {
        if (!simd_runs(GetParam())) GTEST_SKIP() << "this machine has no such instructions";
    }
};

double residue_of(__int128 x) {
    return BalancedField{largest_prime}.from_integer(static_cast<std::int64_t>(x % largest_prime));
}

TEST_P(Kernel, LongSumsOfSquareNetsAreExact) {
    const Kernels& kernels = kernels_for(GetParam());
    for (const std::size_t terms : {1U, 127U, 128U, 129U, 1000U}) {
        const std::vector<SquareTerm> term(terms, {odd, 0});
        const SquareNode node{
            .first = 0, .last = static_cast<std::uint32_t>(terms), .square = false, .skip = 0};
        const SquareProgram program{{largest_prime, 1.0 / largest_prime}, 1, 1, &node, term.data()};
        const AlignedBuffer cols(kernels.lanes), workspace(workspace_size(program, kernels.lanes));
        std::fill_n(cols.data(), kernels.lanes, even);
        std::vector<double> out(kernels.lanes);
        kernels.square(program, &odd, cols.data(), 1, out.data(), workspace.data());
        const __int128 input = large_odd + large_even;
        const double expected = residue_of(input * large_odd * static_cast<__int128>(terms) + input);
        EXPECT_EQ(out, std::vector<double>(kernels.lanes, expected)) << terms;
    }
}

TEST_P(Kernel, LongSumsOfAttentionAreExact) {
    const Kernels& kernels = kernels_for(GetParam());
    for (const std::size_t d : {1U, 4U, 8U, 128U, 129U, 300U}) {
        const GramProgram program{.modulus = {largest_prime, 1.0 / largest_prime}, .width = d, .depth = 1};
        const std::vector<double> row(2 * d * d + d, odd);
        const AlignedBuffer cols(2 * d * d * kernels.lanes),
            workspace(workspace_size(program, kernels.lanes));
        std::fill_n(cols.data(), 2 * d * d * kernels.lanes, even);
        std::vector<double> out(kernels.lanes);
        kernels.gram(program, row.data(), cols.data(), 1, out.data(), workspace.data());
        const __int128 step = large_odd + large_even;
        const double expected = residue_of(step * large_odd * static_cast<__int128>(d));
        EXPECT_EQ(out, std::vector<double>(kernels.lanes, expected)) << d;
    }
}

// Results at the very ends of the balanced range, from sums whose quotient is rounded the wrong way first.
TEST_P(Kernel, ResultsAreBalanced) {
    const Kernels& kernels = kernels_for(GetParam());
    const SquareNode node{.first = 0, .last = 2, .square = false};
    for (std::int64_t quotient = 1; quotient < 4'000'000; quotient = 3 * quotient + 1) {
        for (const std::int64_t residue : {large_even, -large_even, large_odd, std::int64_t{0}}) {
            // 2 (p - 1) / 2 times quotient, then what is missing to quotient * p + residue.
            const SquareTerm term[2] = {{static_cast<double>(quotient), 0}, {1, 1}};
            const SquareProgram program{{largest_prime, 1.0 / largest_prime}, 2, 1, &node, term};
            const double row[2] = {even, static_cast<double>(residue)};
            const AlignedBuffer cols(2 * kernels.lanes), workspace(workspace_size(program, kernels.lanes));
            std::fill_n(cols.data(), kernels.lanes, even);
            std::fill_n(cols.data() + kernels.lanes, kernels.lanes, static_cast<double>(quotient));
            std::vector<double> out(kernels.lanes);
            kernels.square(program, row, cols.data(), 1, out.data(), workspace.data());
            EXPECT_EQ(out[0], static_cast<double>(residue)) << quotient;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Simd, Kernel, ::testing::Values(Simd::plain, Simd::avx2, Simd::avx512));

}  // namespace
}  // namespace plimsoll::rank
