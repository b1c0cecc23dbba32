#include "plimsoll/nets/lemma4.h"

namespace plimsoll::nets {
namespace {

using Element = std::uint64_t;
using FieldMatrix = MatrixOver<PrimeField>;

// The sizes and the two special numbers of the construction; rows and coordinates are counted from 0.
struct Setting {
    std::size_t heads, d_a, m, positions, depth;
    Element i, one_over_n;

    [[nodiscard]] std::size_t width() const { return heads * d_a; }
    [[nodiscard]] std::size_t start(std::size_t head) const { return head * d_a; }            // o
    [[nodiscard]] std::size_t last(std::size_t head) const { return start(head) + d_a - 1; }  // always one
};

Setting setting_of(const PrimeField& field, const Lemma4Shape& shape) {
    PLIMSOLL_CHECK(shape.depth >= 2 && shape.heads >= 1, "the construction needs two layers and a head");
    PLIMSOLL_CHECK(shape.head_dim >= 3 && shape.head_dim % 2 == 1, "head size must be odd and at least 3");
    PLIMSOLL_CHECK(shape.positions >= 2 && shape.positions % 2 == 0, "positions must be even");
    const auto root = field.root_of_minus_one();
    PLIMSOLL_CHECK(root.has_value(), "the field needs a square root of -1");
    return {.heads = static_cast<std::size_t>(shape.heads),
            .d_a = static_cast<std::size_t>(shape.head_dim),
            .m = static_cast<std::size_t>(shape.head_dim / 2),
            .positions = static_cast<std::size_t>(shape.positions),
            .depth = static_cast<std::size_t>(shape.depth),
            .i = *root,
            .one_over_n = field.inverse(field.from_integer(shape.positions))};
}

// Layer 1 adds the two moving templates: v~ = u + i w in the first half of a segment, 1 - v~ in the second.
FieldMatrix first_value(const PrimeField& field, const Setting& set, std::size_t h) {
    FieldMatrix value(set.d_a, set.width());
    for (std::size_t a = 0; a < set.m; ++a) {
        value(a, set.start(h) + a) = 1;
        value(a, set.start(h) + set.m + a) = set.i;
        value(set.m + a, set.start(h) + a) = field.subtract(0, 1);
        value(set.m + a, set.start(h) + set.m + a) = field.subtract(0, set.i);
        value(set.m + a, set.last(h)) = set.one_over_n;
    }
    value(set.d_a - 1, set.last(h)) = set.one_over_n;
    return value;
}

// The segment of head h and nothing else.
FieldMatrix segment(const Setting& set, std::size_t h, std::size_t rows_used) {
    FieldMatrix result(set.d_a, set.width());
    for (std::size_t a = 0; a < rows_used; ++a) result(a, set.start(h) + a) = 1;
    return result;
}

// Keys and queries: the constant coordinate (layer 1), the first half of the segment (layer 2), the sum of
// all coordinates that are not constant (later layers).
FieldMatrix key_and_query(const Setting& set, std::size_t layer, std::size_t h) {
    if (layer == 2) return segment(set, h, set.m);
    FieldMatrix result(set.d_a, set.width());
    if (layer == 1) {
        result(0, set.d_a - 1) = 1;
        return result;
    }
    for (std::size_t j = 0; j < set.width(); ++j) {
        if (j % set.d_a != set.d_a - 1) result(0, j) = 1;
    }
    return result;
}

FieldMatrix value_of(const PrimeField& field, const Setting& set, std::size_t layer, std::size_t h) {
    if (layer == 1) return first_value(field, set, h);
    if (layer < set.depth) return segment(set, h, set.d_a);
    FieldMatrix result(set.d_a, set.width());
    result(0, set.last(h)) = set.i;
    return result;
}

// Back to the segment, except in the last layer, where all heads add into every coordinate.
FieldMatrix output_of(const Setting& set, std::size_t layer, std::size_t h) {
    if (layer < set.depth) return transpose(segment(set, h, set.d_a));
    FieldMatrix result(set.width(), set.d_a);
    for (std::size_t p = 0; p < set.width(); ++p) result(p, 0) = 1;
    return result;
}

// The input X (d_x, N) of entry (s, t).
FieldMatrix entry_input(const FieldMatrix& templates, std::size_t positions, std::size_t s, std::size_t t) {
    const std::size_t rest = templates.cols() - 1;
    FieldMatrix x(templates.rows(), positions);
    for (std::size_t j = 0; j < positions; ++j) {
        const std::size_t from = j == 0 ? s : j == positions / 2 ? rest / 2 + t : rest;
        for (std::size_t p = 0; p < x.rows(); ++p) x(p, j) = templates(p, from);
    }
    return x;
}

}  // namespace

std::int64_t lemma4_columns(const Lemma4Shape& shape) { return shape.heads * (shape.head_dim / 2); }

std::uint64_t lemma4_power(const Lemma4Shape& shape) {
    std::uint64_t lambda = 1;
    for (std::int64_t l = 2; l < shape.depth; ++l) lambda *= 3;
    return lambda;
}

FieldMatrix lemma4_templates(const PrimeField& field, const Lemma4Shape& shape, const FieldMatrix& v) {
    const Setting set = setting_of(field, shape);
    PLIMSOLL_CHECK(v.cols() == set.heads * set.m, "V needs H (d_a - 1) / 2 columns");
    FieldMatrix templates(set.width(), 2 * v.rows() + 1);
    for (std::size_t h = 0; h < set.heads; ++h) {
        for (std::size_t c = 0; c < templates.cols(); ++c) templates(set.last(h), c) = 1;
        for (std::size_t r = 0; r < v.rows(); ++r) {
            for (std::size_t a = 0; a < set.m; ++a) {
                templates(set.start(h) + a, r) = v(r, h * set.m + a);
                templates(set.start(h) + set.m + a, v.rows() + r) = v(r, h * set.m + a);
            }
        }
    }
    return templates;
}

AttentionWeights<Element> lemma4_weights(const PrimeField& field, const Lemma4Shape& shape) {
    const Setting set = setting_of(field, shape);
    AttentionWeights<Element> weights;
    for (std::size_t l = 1; l <= set.depth; ++l) {
        auto& heads = weights.layers.emplace_back();
        for (std::size_t h = 0; h < set.heads; ++h) {
            const auto keys = key_and_query(set, l, h);
            heads.push_back({keys, keys, value_of(field, set, l, h), output_of(set, l, h)});
        }
    }
    return weights;
}

FieldMatrix lemma4_submatrix(const PrimeField& field, const Lemma4Shape& shape,
                             const AttentionWeights<Element>& weights, const FieldMatrix& v) {
    const FieldMatrix templates = lemma4_templates(field, shape, v);
    const Attention<PrimeField> net(field, weights);
    FieldMatrix result(v.rows(), v.rows());
    for (std::size_t s = 0; s < v.rows(); ++s) {
        for (std::size_t t = 0; t < v.rows(); ++t) {
            const auto x = entry_input(templates, static_cast<std::size_t>(shape.positions), s, t);
            result(s, t) = net.forward(x)(0, 0);
        }
    }
    return result;
}

FieldMatrix lemma4_closed_form(const PrimeField& field, const Lemma4Shape& shape, const FieldMatrix& v) {
    const Setting set = setting_of(field, shape);
    const std::uint64_t lambda = lemma4_power(shape);
    const Element n_power = power(field, field.from_integer(shape.positions), (3 * lambda - 1) / 2);
    const Element m_power = power(field, set.m, lambda - 1);
    const Element i_power = field.multiply(set.i, power(field, field.add(set.i, set.i), lambda));
    const Element constant = field.multiply(n_power, field.multiply(m_power, i_power));
    return scale(field, constant, hadamard_power(field, product(field, v, transpose(v)), lambda));
}

}  // namespace plimsoll::nets
