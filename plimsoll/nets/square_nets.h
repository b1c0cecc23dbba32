#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/arch/square_nets.h"
#include "plimsoll/nets/matrix.h"
#include "plimsoll/nets/permutation.h"
#include "plimsoll/nets/prime_field.h"

namespace plimsoll::nets {

// The weights of a square mixer (NAVON-D3.2, NAVON-PERM) on matrices (n, m), without their elements' ring.
template <class T>
struct SquareMixerWeights {
    std::vector<Matrix<T>> layers;  // odd layers (n, n), even layers (m, m); the first layer is odd
    std::vector<bool> residual;     // per layer: whether it adds pi_r(X)
    Permutation odd, even, skip;    // pi_o, pi_e, pi_r of the n * m entries, row-major
};

// The weights of a fully connected net with squares (NAVON-D3.1) on matrices (n, m).
template <class T>
struct SquareMlpWeights {
    std::vector<Matrix<T>> layers;  // (n, n)
    std::vector<bool> residual;     // per layer: whether it adds X
};

// Random weights of `spec`, one stream per layer; random permutations come from spec.permutation_seed.
template <Ring R>
SquareMixerWeights<typename R::Element> draw_square_mixer(const R& ring, const arch::SquareMixerSpec& spec,
                                                          std::uint64_t seed);
template <Ring R>
SquareMlpWeights<typename R::Element> draw_square_mlp(const R& ring, const arch::SquareMlpSpec& spec,
                                                      std::uint64_t seed);

// pi(X): the entry with row-major index k moves to index images[k].
template <class T>
Matrix<T> permute_entries(const Permutation& images, const Matrix<T>& x);

// The square mixer [Navon and Bronstein 2022, eq. 3]: odd layers give (W pi_o(X))^2, even layers (pi_e(X)
// W)^2, entrywise squares, plus pi_r(X) in the residual layers; X and the result are (n, m).
template <Ring R>
MatrixOver<R> square_mixer(const R& ring, const SquareMixerWeights<typename R::Element>& weights,
                           const MatrixOver<R>& x);

// The fully connected net [Navon and Bronstein 2022, eq. 1]: every layer gives (W X)^2, plus X in the
// residual layers; X and the result are (n, m).
template <Ring R>
MatrixOver<R> square_mlp(const R& ring, const SquareMlpWeights<typename R::Element>& weights,
                         const MatrixOver<R>& x);

template <class T>
Matrix<T> permute_entries(const Permutation& images, const Matrix<T>& x) {
    Matrix<T> result(x.rows(), x.cols());
    result.data() = permute(images, x.data());
    return result;
}

}  // namespace plimsoll::nets
