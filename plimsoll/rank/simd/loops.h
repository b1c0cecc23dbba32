#pragma once

// Included by one file per instruction set, which defines PLIMSOLL_LANES. Everything here has internal
// linkage and nothing of the standard library is called: code compiled for a wide instruction set must never
// be what the linker keeps for a narrower machine.
#include "plimsoll/rank/simd/kernels.h"

namespace plimsoll::rank {
namespace {

using Lanes = double __attribute__((vector_size(8 * PLIMSOLL_LANES), may_alias));
using Index = std::size_t;
constexpr Index lanes = PLIMSOLL_LANES;
constexpr Index terms_per_reduction = 128;  // (p - 1)^2 * 128 < 2^53 for p < 2^23

#define PLIMSOLL_INLINE __attribute__((always_inline)) inline

// An integer below 2^53 to one of at most (p + 4) / 2, in absolute value, with the same residue.
PLIMSOLL_INLINE Lanes reduced(Lanes x, const Modulus& m) {
    constexpr double rounder = 6755399441055744.0;  // 1.5 * 2^52
    const Lanes quotient = (x * m.inverse + rounder) - rounder;
    return x - quotient * m.p;
}

// sum_k a[k] b[k stride], reduced; a holds residues of one sample or constants of the network.
template <int n_fixed, class A>
PLIMSOLL_INLINE Lanes dot(const A* a, const Lanes* b, Index stride, Index n_given, const Modulus& m) {
    const Index n = n_fixed > 0 ? Index{n_fixed} : n_given;
    Lanes total = b[0] * a[0];
#pragma GCC unroll 8
    for (Index k = 1; k < n; ++k) {
        if (n_fixed == 0 && k % terms_per_reduction == 0) total = reduced(total, m);
        total += b[k * stride] * a[k];
    }
    return reduced(total, m);
}

// The matrices of one evaluation, (d, d) each but for `wide`, (d, H d), and vectors (d).
struct GramSpace {
    Lanes *gram, *step, *product, *wide, *x, *left, *right;
};

PLIMSOLL_INLINE GramSpace lay_out(const GramProgram& g, Lanes* at) {
    const Index d = g.width, dd = d * d;
    GramSpace s;
    s.gram = at, s.step = s.gram + dd, s.product = s.step + dd, s.wide = s.product + dd;
    s.x = s.wide + g.heads * dd, s.left = s.x + d, s.right = s.left + d;
    return s;
}

// x = step x.
template <int width>
PLIMSOLL_INLINE void advance(const GramProgram& g, const GramSpace& s) {
    const Index d = width > 0 ? Index{width} : g.width;
    for (Index i = 0; i < d; ++i) s.left[i] = dot<width>(s.step + i * d, s.x, 1, d, g.modulus);
    for (Index i = 0; i < d; ++i) s.x[i] = s.left[i];
}

// gram = step gram step^T, which stays symmetric.
template <int width>
PLIMSOLL_INLINE void conjugate(const GramProgram& g, const GramSpace& s) {
    const Index d = width > 0 ? Index{width} : g.width;
    for (Index i = 0; i < d; ++i) {
        for (Index j = 0; j < d; ++j) {
            s.product[i * d + j] = dot<width>(s.step + i * d, s.gram + j * d, 1, d, g.modulus);
        }
    }
    for (Index i = 0; i < d; ++i) {
        for (Index j = 0; j <= i; ++j) {
            s.gram[i * d + j] = dot<width>(s.product + i * d, s.step + j * d, 1, d, g.modulus);
            s.gram[j * d + i] = s.gram[i * d + j];
        }
    }
}

// wide = (V_1 gram, .., V_H gram).
template <int width>
PLIMSOLL_INLINE void multiply_values(const GramProgram& g, const GramSpace& s, const double* values) {
    const Index d = width > 0 ? Index{width} : g.width, long_row = g.heads * d;
    for (Index h = 0; h < g.heads; ++h) {
        for (Index i = 0; i < d; ++i) {
            for (Index k = 0; k < d; ++k) {
                s.wide[i * long_row + h * d + k] =
                    dot<width>(values + (h * d + i) * d, s.gram + k * d, 1, d, g.modulus);
            }
        }
    }
}

// step = sum_h V_h gram K_h, plus the identity with a residual.
template <int width>
PLIMSOLL_INLINE void next_step(const GramProgram& g, const GramSpace& s, const double* weights) {
    const Index d = width > 0 ? Index{width} : g.width, long_row = g.heads * d;
    const double* keys = weights + long_row * d;
    if (!g.unit_values) multiply_values<width>(g, s, weights);
    for (Index i = 0; i < d; ++i) {
        for (Index j = 0; j < d; ++j) {
            s.step[i * d + j] =
                g.unit_values ? dot<width>(keys + j * d, s.gram + i * d, 1, d, g.modulus)
                              : dot<0>(keys + j * long_row, s.wide + i * long_row, 1, long_row, g.modulus);
        }
        if (g.residual) s.step[i * d + i] += 1.0;
    }
}

// sum_h (step^T u_h)^T gram (step^T K_h x): row `output` of the last layer times x, its matrix never formed.
template <int width>
PLIMSOLL_INLINE Lanes last_layer(const GramProgram& g, const GramSpace& s) {
    const Index d = width > 0 ? Index{width} : g.width;
    Lanes total{};
    for (Index h = 0; h < g.heads; ++h) {
        const double* row = g.last + h * (d + d * d);
        const double* keys = row + d;
        for (Index i = 0; i < d; ++i) s.left[i] = dot<width>(keys + i * d, s.x, 1, d, g.modulus);
        for (Index i = 0; i < d; ++i) s.right[i] = dot<width>(s.left, s.step + i, d, d, g.modulus);
        for (Index i = 0; i < d; ++i) s.left[i] = dot<width>(s.right, s.gram + i * d, 1, d, g.modulus);
        for (Index i = 0; i < d; ++i) s.right[i] = dot<width>(row, s.step + i, d, d, g.modulus);
        total += dot<width>(s.left, s.right, 1, d, g.modulus);
    }
    return g.residual ? total + s.x[g.output] : total;
}

template <int width>
PLIMSOLL_INLINE Lanes gram_entry(const GramProgram& g, const GramSpace& s, const double* row,
                                 const Lanes* col) {
    const Index d = width > 0 ? Index{width} : g.width, dd = d * d;
    for (Index i = 0; i < dd; ++i) s.gram[i] = col[i] + row[i];
    for (Index i = 0; i < dd; ++i) s.step[i] = col[dd + i] + row[dd + i];
    for (Index i = 0; i < d; ++i) s.x[i] = Lanes{} + row[2 * dd + i];
    if (g.depth == 1) return dot<width>(s.x, s.step + g.output * d, 1, d, g.modulus);
    advance<width>(g, s);
    for (Index layer = 2; layer < g.depth; ++layer) {
        conjugate<width>(g, s);
        next_step<width>(g, s, g.middle + (layer - 2) * 2 * g.heads * dd);
        advance<width>(g, s);
    }
    return last_layer<width>(g, s);
}

// Of a number that is small already (a few p) the nearest multiple of p is found exactly: it is at least 1 /
// 2p away from a tie.
PLIMSOLL_INLINE void store(double* out, Lanes value, const Modulus& m) {
    const Lanes small = reduced(value, m);
    __builtin_memcpy(out, &small, sizeof small);  // `out` need not be aligned
}

// Matrices of a fixed width live in arrays of this frame, which the compiler keeps in registers as far as
// they go and knows not to overlap.
template <int width>
void gram_row(const GramProgram& given, const double* row, const double* cols, Index groups, double* out,
              double* workspace) {
    const GramProgram g = given;
    GramSpace space = lay_out(g, reinterpret_cast<Lanes*>(workspace));
    constexpr Index dd = Index{width} * width;
    Lanes gram[dd + 1], step[dd + 1], product[dd + 1], x[width + 1], left[width + 1], right[width + 1];
    if (width > 0) space = {gram, step, product, space.wide, x, left, right};
    const Index size = 2 * g.width * g.width;
    for (Index group = 0; group < groups; ++group) {
        const auto* col = reinterpret_cast<const Lanes*>(cols + group * size * lanes);
        store(out + group * lanes, gram_entry<width>(g, space, row, col), g.modulus);
    }
}

void gram_any_width(const GramProgram& g, const double* row, const double* cols, Index groups, double* out,
                    double* workspace) {
    switch (g.width) {
        case 1:
            return gram_row<1>(g, row, cols, groups, out, workspace);
        case 2:
            return gram_row<2>(g, row, cols, groups, out, workspace);
        case 3:
            return gram_row<3>(g, row, cols, groups, out, workspace);
        case 4:
            return gram_row<4>(g, row, cols, groups, out, workspace);
        case 5:
            return gram_row<5>(g, row, cols, groups, out, workspace);
        case 6:
            return gram_row<6>(g, row, cols, groups, out, workspace);
        case 8:
            return gram_row<8>(g, row, cols, groups, out, workspace);
        default:
            return gram_row<0>(g, row, cols, groups, out, workspace);
    }
}

PLIMSOLL_INLINE Lanes node_value(const SquareProgram& program, const SquareNode& node, const Lanes* values) {
    Lanes total{};
    for (std::uint32_t t = node.first; t < node.last; ++t) {
        if (t > node.first && (t - node.first) % terms_per_reduction == 0)
            total = reduced(total, program.modulus);
        total += values[program.term[t].value] * program.term[t].weight;
    }
    Lanes value = reduced(total, program.modulus);
    if (node.square) value = reduced(value * value, program.modulus);
    return node.skip < 0 ? value : reduced(value + values[node.skip], program.modulus);
}

void square_row(const SquareProgram& program, const double* row, const double* cols, Index groups,
                double* out, double* workspace) {
    auto* values = reinterpret_cast<Lanes*>(workspace);
    for (Index group = 0; group < groups; ++group) {
        const auto* col = reinterpret_cast<const Lanes*>(cols + group * program.inputs * lanes);
        for (Index i = 0; i < program.inputs; ++i) values[i] = col[i] + row[i];
        for (Index i = 0; i < program.nodes; ++i) {
            values[program.inputs + i] = node_value(program, program.node[i], values);
        }
        store(out + group * lanes, values[program.inputs + program.nodes - 1], program.modulus);
    }
}

}  // namespace
}  // namespace plimsoll::rank
