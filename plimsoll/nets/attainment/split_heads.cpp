#include "plimsoll/nets/attainment/split_heads.h"

#include <algorithm>

namespace plimsoll::nets {
namespace {

using FieldMatrix = MatrixOver<PrimeField>;

std::int64_t side_of(std::int64_t heads) {
    std::int64_t side = 0;
    while ((side + 1) * (side + 1) <= heads) ++side;
    return side;
}

// Coordinates index d_a, .., at most d' of them.
struct Block {
    std::size_t from, count;
};

Block block_of(std::size_t width, std::size_t d_a, std::size_t index) {
    const std::size_t from = std::min(width, index * d_a);
    return {from, std::min(d_a, width - from)};
}

// V Pi_a as (columns of V in block a) times (rows of the identity).
Factors columns_in(const HeadSize& size, const FieldMatrix& v, const Block& block) {
    Factors result = projection_factors(size, block.from, block.count);
    result.left = FieldMatrix(size.width, size.head_dim);
    for (std::size_t i = 0; i < v.rows(); ++i) {
        for (std::size_t k = 0; k < block.count; ++k) result.left(i, k) = v(i, block.from + k);
    }
    return result;
}

// Pi_b K as (columns of the identity) times (rows of K in block b).
Factors rows_in(const HeadSize& size, const FieldMatrix& k, const Block& block) {
    const Factors flipped = columns_in(size, transpose(k), block);
    return {transpose(flipped.right), transpose(flipped.left)};
}

}  // namespace

std::int64_t split_width(const SplitShape& shape) {
    return std::min(shape.width, shape.head_dim * side_of(shape.heads));
}

AttentionWeights<std::uint64_t> split_into_heads(const PrimeField& field, const SplitShape& shape,
                                                 const AttentionWeights<std::uint64_t>& single) {
    const HeadSize size{static_cast<std::size_t>(shape.width), static_cast<std::size_t>(shape.head_dim)};
    const auto inner = static_cast<std::size_t>(split_width(shape));
    const auto side = static_cast<std::size_t>(side_of(shape.heads));
    AttentionWeights<std::uint64_t> weights{.residual = single.residual};
    for (const auto& heads : single.layers) {
        PLIMSOLL_CHECK(heads.size() == 1 && heads.front().query.cols() == inner, "one head of width d'");
        const FieldMatrix v = product(field, heads.front().output, heads.front().value);
        const FieldMatrix k = product(field, transpose(heads.front().key), heads.front().query);
        auto& layer = weights.layers.emplace_back(static_cast<std::size_t>(shape.heads), silent_head(size));
        for (std::size_t h = 0; h < side * side; ++h) {
            layer[h] = head_of(columns_in(size, v, block_of(inner, size.head_dim, h / side)),
                               rows_in(size, k, block_of(inner, size.head_dim, h % side)));
        }
    }
    return weights;
}

}  // namespace plimsoll::nets
