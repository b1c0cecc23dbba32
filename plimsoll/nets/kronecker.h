#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/nets/matrix.h"
#include "plimsoll/nets/permutation.h"
#include "plimsoll/nets/prime_field.h"

namespace plimsoll::nets {

// vec(X): the columns of X one below the other.
template <class T>
std::vector<T> vec(const Matrix<T>& x);
// The matrix (rows, cols) whose vec is x.
template <class T>
Matrix<T> unvec(const std::vector<T>& x, std::size_t rows, std::size_t cols);
// The Kronecker product: (a_rows b_rows, a_cols b_cols), block (i, j) is a_ij b.
template <Ring R>
MatrixOver<R> kronecker(const R& ring, const MatrixOver<R>& a, const MatrixOver<R>& b);
// a x.
template <Ring R>
std::vector<typename R::Element> apply(const R& ring, const MatrixOver<R>& a,
                                       const std::vector<typename R::Element>& x);

// One layer of HAYASE-PK: x to phi(J_2 (I_k kron W) J_1 x).
template <class T>
struct KroneckerLayer {
    std::size_t copies = 1;     // k
    Matrix<T> weight;           // W: (out, in)
    Permutation before, after;  // J_1 of k * in entries, J_2 of k * out entries
    bool square = true;         // phi is the square, or the identity
    bool skip = false;          // adds x; needs out = in
};

// How the permutations of a mixer of the permuted-Kronecker family are chosen.
enum class Mixing {
    commutation,  // the usual mixer: J is I or J_c (s-mixer)
    random,       // RP-mixer: every J_1 and J_2 uniform, drawn once from permutation_seed
};

// A simple mixer on X (tokens, channels): `depth` blocks of a token-mixing and a channel-mixing layer with
// square activation. Stands in for the s-mixer and rp-mixer specs of arch.
struct KroneckerMixerSpec {
    std::int64_t tokens = 1;    // S
    std::int64_t channels = 1;  // C
    std::int64_t depth = 1;     // blocks, each two layers
    Mixing mixing = Mixing::commutation;
    std::uint64_t permutation_seed = 0;
    bool square = true;  // false: linear, for HAYASE-MONARCH
    bool skip = false;   // every layer adds its input
};

// Random weights of `spec`: token mixing I_C kron W, then channel mixing I_S kron V^T between permutations.
template <Ring R>
std::vector<KroneckerLayer<typename R::Element>> draw_kronecker_mixer(const R& ring,
                                                                      const KroneckerMixerSpec& spec,
                                                                      std::uint64_t seed);

// The layers one after the other on vec(X), without ever forming a Kronecker product.
template <Ring R>
std::vector<typename R::Element> kronecker_net(const R& ring,
                                               const std::vector<KroneckerLayer<typename R::Element>>& layers,
                                               const std::vector<typename R::Element>& x);

// The layer's wide sparse matrix J_2 (I_k kron W) J_1: (k out, k in).
template <Ring R>
MatrixOver<R> wide_matrix(const R& ring, const KroneckerLayer<typename R::Element>& layer);

template <class T>
std::vector<T> vec(const Matrix<T>& x) {
    return transpose(x).data();
}

template <class T>
Matrix<T> unvec(const std::vector<T>& x, std::size_t rows, std::size_t cols) {
    PLIMSOLL_CHECK(x.size() == rows * cols, "vector does not fill the matrix");
    Matrix<T> by_columns(cols, rows);
    by_columns.data() = x;
    return transpose(by_columns);
}

}  // namespace plimsoll::nets
