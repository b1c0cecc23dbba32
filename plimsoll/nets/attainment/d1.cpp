#include "plimsoll/nets/attainment/d1.h"

#include <algorithm>

namespace plimsoll::nets {
namespace {

using FieldMatrix = MatrixOver<PrimeField>;

// The sizes of the construction; segment h holds coordinates h d_a, .., and its last one is the constant.
struct Segments {
    std::size_t heads, d_a, free, width;

    [[nodiscard]] HeadSize size() const { return {width, d_a}; }
    [[nodiscard]] std::size_t constant(std::size_t h) const { return h * d_a + d_a - 1; }
};

std::int64_t width_of(const D1Shape& shape) {
    const std::int64_t together = shape.heads * shape.head_dim;
    PLIMSOLL_CHECK(shape.shared || shape.width == 0 || shape.width >= together,
                   "the width is at least H d_a");
    return shape.width == 0 ? together : shape.width;
}

Segments segments_of(const D1Shape& shape) {
    PLIMSOLL_CHECK(shape.depth >= 2 && shape.heads >= 1, "the construction needs two layers and a head");
    PLIMSOLL_CHECK(shape.head_dim >= (shape.shared ? 1 : 2) && shape.positions >= 2,
                   "d_a and N are at least 2");
    return {static_cast<std::size_t>(shape.heads), static_cast<std::size_t>(shape.head_dim), d1_free(shape),
            static_cast<std::size_t>(width_of(shape))};
}

// Layer 1: every score is the product of two constants, and the values are the sum of all tokens, written
// into segments.
Head<std::uint64_t> summing_head(const Segments& seg, const FieldMatrix& reader, std::size_t h) {
    Factors ones = zero_factors(seg.size()), values = projection_factors(seg.size(), h * seg.d_a, seg.d_a);
    values.right = FieldMatrix(seg.d_a, seg.width);
    for (std::size_t j = 0; j < seg.width; ++j) {
        ones.left(j, 0) = ones.right(0, j) = values.right(seg.d_a - 1, j) = reader(seg.free, j);
        for (std::size_t k = 0; k + 1 < seg.d_a; ++k) {
            const std::size_t coordinate = h * (seg.d_a - 1) + k;
            if (coordinate < seg.free) values.right(k, j) = reader(coordinate, j);
        }
    }
    return head_of(values, ones);
}

// Layer 2: the score is <u_h, u_h>. Later: the square of the sum of all constants.
Factors scores_of(const Segments& seg, std::int64_t layer, std::size_t h) {
    if (layer == 2) return projection_factors(seg.size(), h * seg.d_a, seg.d_a - 1);
    Factors result = zero_factors(seg.size());
    for (std::size_t k = 0; k < seg.heads; ++k) {
        result.left(seg.constant(k), 0) = result.right(0, seg.constant(k)) = 1;
    }
    return result;
}

// The segment itself; in the last layer its constant, added into every coordinate.
Factors values_of(const Segments& seg, bool last, std::size_t h) {
    if (!last) return projection_factors(seg.size(), h * seg.d_a, seg.d_a);
    Factors result = zero_factors(seg.size());
    for (std::size_t p = 0; p < seg.width; ++p) result.left(p, 0) = 1;
    result.right(0, seg.constant(h)) = 1;
    return result;
}

// The coordinates of `count` that head h is for when each takes the next d_a.
Factors share_of(const Segments& seg, std::size_t count, std::size_t h) {
    const std::size_t from = std::min(count, h * seg.d_a);
    return projection_factors(seg.size(), from, std::min(seg.d_a, count - from));
}

// A shared constant, layer 1: the sums of u and of the constants go to coordinates 0 .. n.
Head<std::uint64_t> shared_summing_head(const Segments& seg, const FieldMatrix& reader, std::size_t h) {
    Factors ones = zero_factors(seg.size()), values = share_of(seg, seg.free + 1, h);
    values.right = FieldMatrix(seg.d_a, seg.width);
    for (std::size_t j = 0; j < seg.width; ++j) {
        ones.left(j, 0) = ones.right(0, j) = reader(seg.free, j);
        for (std::size_t k = 0; k < seg.d_a && h * seg.d_a + k <= seg.free; ++k)
            values.right(k, j) = reader(h * seg.d_a + k, j);
    }
    return head_of(values, ones);
}

// A shared constant, later layers: in layer 2 every head multiplies it by <u_h, u_h> and writes it to
// coordinate 0, which head 0 cubes from then on; the last layer writes to every coordinate.
Head<std::uint64_t> shared_head(const Segments& seg, std::int64_t layer, bool last, std::size_t h) {
    if (layer > 2 && h > 0) return silent_head(seg.size());
    Factors values = zero_factors(seg.size());
    for (std::size_t p = 0; p < (last ? seg.width : 1); ++p) values.left(p, 0) = 1;
    values.right(0, layer == 2 ? seg.free : 0) = 1;
    return head_of(values, layer == 2 ? share_of(seg, seg.free, h) : projection_factors(seg.size(), 0, 1));
}

Head<std::uint64_t> head_in_layer(const Segments& seg, const D1Shape& shape, const FieldMatrix& reader,
                                  std::int64_t layer, std::size_t h) {
    const bool last = layer == shape.depth;
    if (layer == 1) return shape.shared ? shared_summing_head(seg, reader, h) : summing_head(seg, reader, h);
    if (shape.shared) return shared_head(seg, layer, last, h);
    return head_of(values_of(seg, last, h), scores_of(seg, layer, h));
}

FieldVector row_of(const FieldMatrix& a, std::size_t row) {
    FieldVector result(a.cols());
    for (std::size_t j = 0; j < a.cols(); ++j) result[j] = a(row, j);
    return result;
}

// Ones on the diagonal; (rows, cols).
FieldMatrix partial_identity(std::size_t rows, std::size_t cols) {
    FieldMatrix result(rows, cols);
    for (std::size_t k = 0; k < std::min(rows, cols); ++k) result(k, k) = 1;
    return result;
}

}  // namespace

std::size_t d1_free(const D1Shape& shape) {
    const std::int64_t width = width_of(shape), rank = shape.rank == 0 ? width : shape.rank;
    PLIMSOLL_CHECK(rank >= 2 && rank <= width, "the tokens' space has a dimension of 2 to the width");
    const std::int64_t readable =
        shape.shared ? shape.heads * shape.head_dim - 1 : shape.heads * (shape.head_dim - 1);
    PLIMSOLL_CHECK(readable >= 1, "nothing is free");
    return static_cast<std::size_t>(std::min(rank - 1, readable));
}

std::uint64_t d1_power(const D1Shape& shape) { return power_of_three(shape.depth - 2); }

AttentionWeights<std::uint64_t> d1_weights(const D1Shape& shape, const FieldMatrix& embedding,
                                           const FieldMatrix& reader) {
    const Segments seg = segments_of(shape);
    PLIMSOLL_CHECK(reader.rows() == seg.free + 1 && reader.cols() == seg.width, "the reader is (n + 1, d)");
    AttentionWeights<std::uint64_t> weights{.embedding = embedding};
    for (std::int64_t l = 1; l <= shape.depth; ++l) {
        auto& heads = weights.layers.emplace_back();
        for (std::size_t h = 0; h < seg.heads; ++h) heads.push_back(head_in_layer(seg, shape, reader, l, h));
    }
    return weights;
}

AttentionWeights<std::uint64_t> d1_weights(const D1Shape& shape) {
    const Segments seg = segments_of(shape);
    return d1_weights(shape, partial_identity(seg.width, seg.free + 1),
                      partial_identity(seg.free + 1, seg.width));
}

FieldMatrix d1_input(const D1Shape& shape, const FieldVector& a, std::size_t a_at, const FieldVector& b,
                     std::size_t b_at) {
    const std::size_t free = d1_free(shape), positions = static_cast<std::size_t>(shape.positions);
    PLIMSOLL_CHECK(a.size() == free && b.size() == free, "the vectors have n entries");
    PLIMSOLL_CHECK(a_at != b_at && std::max(a_at, b_at) < positions, "two different positions");
    FieldMatrix input(free + 1, positions);
    for (std::size_t k = 0; k < free; ++k) {
        input(k, a_at) = a[k];
        input(k, b_at) = b[k];
    }
    for (std::size_t j = 0; j < positions; ++j) input(free, j) = 1;
    return input;
}

std::uint64_t d1_closed_form(const PrimeField& field, const D1Shape& shape, const FieldVector& a,
                             const FieldVector& b) {
    std::uint64_t norm = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const auto u = field.add(a[k], b[k]);
        norm = field.add(norm, field.multiply(u, u));
    }
    const std::uint64_t lambda = d1_power(shape);
    return field.multiply(power(field, field.from_integer(shape.positions), (5 * lambda - 1) / 2),
                          power(field, norm, lambda));
}

FieldMatrix d1_submatrix(const PrimeField& field, const D1Shape& shape,
                         const AttentionWeights<std::uint64_t>& weights, const FieldMatrix& a,
                         const FieldMatrix& b) {
    const Attention<PrimeField> net(field, weights);
    const std::size_t last = static_cast<std::size_t>(shape.positions) - 1;
    FieldMatrix result(a.rows(), b.rows());
    for (std::size_t s = 0; s < a.rows(); ++s) {
        for (std::size_t t = 0; t < b.rows(); ++t) {
            const auto input = d1_input(shape, row_of(a, s), 0, row_of(b, t), last);
            result(s, t) = net.forward(net.embed(input))(0, 0);
        }
    }
    return result;
}

}  // namespace plimsoll::nets
