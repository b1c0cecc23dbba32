#include "plimsoll/nets/attainment/split_heads.h"

#include <gtest/gtest.h>

namespace plimsoll::nets {
namespace {

const PrimeField split_field;

// A random network of one head and width d', run as it is and split into heads.
void expect_same_outputs(const SplitShape& shape, bool residual) {
    const auto inner = static_cast<std::size_t>(split_width(shape)),
               width = static_cast<std::size_t>(shape.width);
    const arch::AttentionSpec spec{.depth = 2,
                                   .width = split_width(shape),
                                   .heads = 1,
                                   .head_dim = split_width(shape),
                                   .embedding_rank = split_width(shape),
                                   .residual = residual};
    const auto single = draw_attention(split_field, spec, 3, 41);
    RandomStream stream(42, "tests/split_heads");
    const auto x = random_matrix(split_field, inner, 3, stream);
    MatrixOver<PrimeField> padded(width, 3);
    std::copy(x.data().begin(), x.data().end(), padded.data().begin());
    const auto y = Attention<PrimeField>(split_field, single).forward(x);
    const auto z =
        Attention<PrimeField>(split_field, split_into_heads(split_field, shape, single)).forward(padded);
    for (std::size_t p = 0; p < width; ++p) {
        for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(z(p, i), p < inner ? y(p, i) : 0);
    }
}

TEST(SplitHeads, FirstOutputsAreThoseOfTheSingleHead) {
    for (const bool residual : {false, true}) {
        expect_same_outputs({.width = 4, .heads = 4, .head_dim = 1}, residual);
        expect_same_outputs({.width = 4, .heads = 4, .head_dim = 2}, residual);
        expect_same_outputs({.width = 6, .heads = 5, .head_dim = 2}, residual);
        expect_same_outputs({.width = 5, .heads = 9, .head_dim = 2}, residual);  // the last block is short
        expect_same_outputs({.width = 3, .heads = 2, .head_dim = 2}, residual);  // one block
    }
}

TEST(SplitHeads, WidthIsHeadSizeTimesTheRootOfTheHeads) {
    EXPECT_EQ(split_width({.width = 768, .heads = 12, .head_dim = 64}), 192);
    EXPECT_EQ(split_width({.width = 4096, .heads = 32, .head_dim = 128}), 640);
    EXPECT_EQ(split_width({.width = 5, .heads = 9, .head_dim = 2}), 5);
}

TEST(SplitHeads, OnlyNetworksOfOneHeadAreSplit) {
    const arch::AttentionSpec spec{.depth = 1, .width = 2, .heads = 2, .head_dim = 1, .embedding_rank = 2};
    EXPECT_THROW((void)split_into_heads(split_field, {.width = 2, .heads = 4, .head_dim = 1},
                                        draw_attention(split_field, spec, 2, 43)),
                 Bug);
}

}  // namespace
}  // namespace plimsoll::nets
