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
    bool skip_pair = false;     // adds the input of the layer before, as an MLP of two matrices does
};

// The permutations of one layer; J_c transposes the layer's vector, read as a (size, copies) matrix.
enum class Shuffle {
    none,         // J_1 = J_2 = I: token mixing W X
    commutation,  // J_1 = I, J_2 = J_c: leaves the result transposed, as HAYASE-COMM's inner layer does
    conjugated,   // J_1 = J_c^T, J_2 = J_c: channel mixing X V with W = V^T
    random,       // both uniform, drawn once from permutation_seed, different in every layer
};

// One layer of a net of the permuted-Kronecker family: `copies` of a (size, size) matrix, or of an (out,
// size) one.
struct KroneckerShape {
    std::int64_t copies = 1;  // k
    std::int64_t size = 1;    // k * size is the width that comes in
    Shuffle shuffle = Shuffle::none;
    std::int64_t out = 0;  // 0: as `size`; k * out is the width that goes out
    // An MLP of two matrices: the first one has the activation, a skip goes around both.
    enum class Part { whole, first, second } part = Part::whole;
};

// A net of the family with square activation; the pk, s-mixer and rp-mixer specs of arch map onto it layer by
// layer.
struct KroneckerNetSpec {
    std::vector<KroneckerShape> layers;
    std::uint64_t permutation_seed = 0;
    bool square = true;  // false: linear, for HAYASE-MONARCH
    bool skip = false;   // every layer (or pair of matrices) adds its input
};

// Random weights of `spec`, one stream per layer.
template <Ring R>
std::vector<KroneckerLayer<typename R::Element>> draw_kronecker_net(const R& ring,
                                                                    const KroneckerNetSpec& spec,
                                                                    std::uint64_t seed);

// The layers one after the other on vec(X), without ever forming a Kronecker product.
template <Ring R>
std::vector<typename R::Element> kronecker_net(const R& ring,
                                               const std::vector<KroneckerLayer<typename R::Element>>& layers,
                                               const std::vector<typename R::Element>& x);

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
