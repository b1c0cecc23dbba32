#include "plimsoll/nets/attainment/d2.h"

#include <algorithm>

namespace plimsoll::nets {
namespace {

using FieldMatrix = MatrixOver<PrimeField>;
using Layer = std::vector<Head<std::uint64_t>>;

HeadSize size_of(const D2Shape& shape) {
    const std::int64_t d_a = shape.head_dim == 0 ? shape.width : shape.head_dim;
    PLIMSOLL_CHECK(shape.core >= 1 && shape.depth >= shape.core, "L >= L0 >= 1");
    PLIMSOLL_CHECK(d_a <= shape.width && shape.heads * d_a >= shape.width, "d_a <= d <= H d_a");
    return {static_cast<std::size_t>(shape.width), static_cast<std::size_t>(d_a)};
}

std::size_t head_count(const D2Shape& shape) { return static_cast<std::size_t>(shape.heads); }

// One part of [0, total) cut into `parts` parts of equal size, of which the last ones may be short or empty.
struct Part {
    std::size_t from, count;
};

Part part_of(std::size_t total, std::size_t parts, std::size_t index) {
    const std::size_t size = (total + parts - 1) / parts, from = std::min(total, index * size);
    return {from, std::min(size, total - from)};
}

FieldVector entries_of(const FieldVector& a, const Part& part) {
    const auto first = a.begin() + static_cast<std::ptrdiff_t>(part.from);
    return {first, first + static_cast<std::ptrdiff_t>(part.count)};
}

// All heads have this V, and their K add up to the identity: together X -> V G X.
Layer plain_layer(const D2Shape& shape, const Factors& v) {
    const HeadSize size = size_of(shape);
    Layer layer;
    for (std::size_t h = 0; h < head_count(shape); ++h) {
        const Part part = part_of(size.width, head_count(shape), h);
        layer.push_back(head_of(v, projection_factors(size, part.from, part.count)));
    }
    return layer;
}

// One head with this V and the projection on the first n coordinates as K; the others are silent.
Layer single_layer(const D2Shape& shape, const Factors& v, std::size_t n) {
    Layer layer(head_count(shape), silent_head(size_of(shape)));
    layer.front() = head_of(v, projection_factors(size_of(shape), 0, n));
    return layer;
}

// Head h works on block h of the first n coordinates; the last of these layers reads a^T from it.
Layer block_layer(const D2Shape& shape, const FieldVector& a, bool last) {
    const HeadSize size = size_of(shape);
    Layer layer;
    for (std::size_t h = 0; h < head_count(shape); ++h) {
        const Part part = part_of(a.size(), head_count(shape), h);
        const Factors block = projection_factors(size, part.from, part.count);
        layer.push_back(
            head_of(last ? first_row_factors(size, entries_of(a, part), part.from) : block, block));
    }
    return layer;
}

// Layer l of the first L0.
Layer core_layer(const D2Shape& shape, D2Kind kind, const FieldVector& a, std::int64_t l) {
    const HeadSize size = size_of(shape);
    const bool last = l == shape.core;
    const Factors reader = first_row_factors(size, a);
    if (shape.core == 1) return plain_layer(shape, reader);
    if (kind == D2Kind::blocks && l > 1) return block_layer(shape, a, last);
    const Factors v = last ? reader : projection_factors(size, 0, a.size());
    return l == 1 ? plain_layer(shape, v) : single_layer(shape, v, a.size());
}

// The first n rows of the identity; (n, d).
FieldMatrix first_rows(std::size_t n, std::size_t width) {
    FieldMatrix result(n, width);
    for (std::size_t k = 0; k < n; ++k) result(k, k) = 1;
    return result;
}

// What lies in the blocks of the heads, zero elsewhere.
FieldMatrix diagonal_blocks(const FieldMatrix& w, std::size_t parts) {
    FieldMatrix result(w.rows(), w.cols());
    for (std::size_t h = 0; h < parts; ++h) {
        const Part part = part_of(w.rows(), parts, h);
        for (std::size_t i = part.from; i < part.from + part.count; ++i) {
            for (std::size_t j = part.from; j < part.from + part.count; ++j) result(i, j) = w(i, j);
        }
    }
    return result;
}

void expect_kind(const D2Shape& shape, D2Kind kind, std::size_t n) {
    const HeadSize size = size_of(shape);
    PLIMSOLL_CHECK(n >= 1 && n <= size.width, "the vector a has 1 to d entries");
    PLIMSOLL_CHECK(kind != D2Kind::blocks || shape.core >= 2, "blocks need L0 >= 2");
    PLIMSOLL_CHECK(kind != D2Kind::one_head || (shape.heads == 1 && n == size.width), "one head has n = d");
    PLIMSOLL_CHECK(shape.core == 1 ? n == size.width : n <= size.head_dim, "n = d at L0 = 1, else n <= d_a");
}

}  // namespace

std::size_t d2_free(const D2Shape& shape, D2Kind kind, std::int64_t q) {
    const auto size = size_of(shape);
    if (kind == D2Kind::one_head || shape.core == 1) return size.width;
    const auto letters = static_cast<std::int64_t>(power_of_three(shape.core - 1));
    const auto d_a = static_cast<std::int64_t>(size.head_dim);
    const std::int64_t shared = std::min({d_a, letters, q});
    const std::int64_t blocks = std::min(d_a, shape.heads * (letters - 1));
    return static_cast<std::size_t>(kind == D2Kind::shared ? shared : blocks);
}

AttentionWeights<std::uint64_t> d2_weights(const PrimeField& field, const D2Shape& shape, D2Kind kind,
                                           const FieldVector& a) {
    expect_kind(shape, kind, a.size());
    for (const auto entry : a) PLIMSOLL_CHECK(entry < field.prime(), "an entry of a is no residue");
    AttentionWeights<std::uint64_t> weights;
    for (std::int64_t l = 1; l <= shape.core; ++l) weights.layers.push_back(core_layer(shape, kind, a, l));
    add_collapse(weights, size_of(shape), head_count(shape), shape.depth - shape.core);
    return weights;
}

D2Form d2_closed_form(const PrimeField& field, const D2Shape& shape, D2Kind kind, std::size_t n,
                      const FieldMatrix& gram) {
    expect_kind(shape, kind, n);
    const std::uint64_t m = power_of_three(shape.core), letters = m / 3;
    if (kind == D2Kind::one_head || shape.core == 1)
        return {matrix_power(field, gram, m), matrix_power(field, gram, (m - 1) / 2)};
    const FieldMatrix pi = first_rows(n, gram.rows()), pi_gram = product(field, pi, gram);
    const FieldMatrix w = product(field, pi, matrix_power(field, gram, 3), transpose(pi));  // (n, n)
    if (kind == D2Kind::shared)
        return {matrix_power(field, w, letters),
                product(field, matrix_power(field, w, (letters - 1) / 2), pi_gram)};
    const FieldMatrix side =
        matrix_power(field, diagonal_blocks(w, head_count(shape)), (letters - 1) / 2);  // (n, n)
    return {product(field, side, w, side), product(field, side, pi_gram)};
}

std::uint64_t d2_value(const PrimeField& field, const D2Shape& shape, const D2Form& form,
                       const FieldVector& a, const FieldMatrix& x) {
    const FieldMatrix row = transpose(column(a));
    const auto g = product(field, row, form.quadratic, transpose(row))(0, 0);
    const auto phi = product(field, row, form.row, x)(0, 0);
    return field.multiply(phi, power(field, g, collapse_power(shape.depth - shape.core)));
}

}  // namespace plimsoll::nets
