// The largest sums the kernels can meet: every product as large as possible and of one sign.
#include "plimsoll/rank/simd_kernels.h"

#include <gtest/gtest.h>

#include "plimsoll/rank/field.h"
#include "plimsoll/rank/pair_kernel.h"

namespace plimsoll::rank {
namespace {

constexpr std::int64_t largest_prime = 8388593;
constexpr double extreme = (largest_prime - 1) / 2.0;

class Kernel : public ::testing::TestWithParam<Simd> {
  protected:
    void SetUp() override {
        if (!simd_runs(GetParam())) GTEST_SKIP() << "this machine has no such instructions";
    }
};

double residue_of(__int128 x) {
    return PrimeField{largest_prime}.from_integer(static_cast<std::int64_t>(x % largest_prime));
}

TEST_P(Kernel, LongSumsOfSquareNetsAreExact) {
    const Kernels& kernels = kernels_for(GetParam());
    for (const std::size_t terms : {1U, 127U, 128U, 129U, 1000U}) {
        const std::vector<SquareTerm> term(terms, {extreme, 0});
        const SquareNode node{
            .first = 0, .last = static_cast<std::uint32_t>(terms), .square = false, .skip = 0};
        const SquareProgram program{{largest_prime, 1.0 / largest_prime}, 1, 1, &node, term.data()};
        const AlignedBuffer cols(kernels.lanes), workspace(workspace_size(program, kernels.lanes));
        std::fill_n(cols.data(), kernels.lanes, extreme);
        std::vector<double> out(kernels.lanes);
        kernels.square(program, &extreme, cols.data(), 1, out.data(), workspace.data());
        const __int128 input = largest_prime - 1, half = (largest_prime - 1) / 2;
        const double expected = residue_of(input * half * static_cast<__int128>(terms) + input);
        EXPECT_EQ(out, std::vector<double>(kernels.lanes, expected)) << terms;
    }
}

TEST_P(Kernel, LongSumsOfAttentionAreExact) {
    const Kernels& kernels = kernels_for(GetParam());
    for (const std::size_t d : {1U, 4U, 8U, 128U, 129U, 300U}) {
        const GramProgram program{.modulus = {largest_prime, 1.0 / largest_prime}, .width = d, .depth = 1};
        const std::vector<double> row(2 * d * d + d, extreme);
        const AlignedBuffer cols(2 * d * d * kernels.lanes),
            workspace(workspace_size(program, kernels.lanes));
        std::fill_n(cols.data(), 2 * d * d * kernels.lanes, extreme);
        std::vector<double> out(kernels.lanes);
        kernels.gram(program, row.data(), cols.data(), 1, out.data(), workspace.data());
        const __int128 step = largest_prime - 1, x = (largest_prime - 1) / 2;
        const double expected = residue_of(step * x * static_cast<__int128>(d));
        EXPECT_EQ(out, std::vector<double>(kernels.lanes, expected)) << d;
    }
}

INSTANTIATE_TEST_SUITE_P(Simd, Kernel, ::testing::Values(Simd::plain, Simd::avx2, Simd::avx512));

}  // namespace
}  // namespace plimsoll::rank
