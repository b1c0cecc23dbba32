#pragma once

#include <cstddef>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/base/random.h"
#include "plimsoll/nets/matrix.h"

namespace plimsoll::nets {

// images[k] is the place to which entry k moves.
using Permutation = std::vector<std::size_t>;

Permutation identity_permutation(std::size_t size);
// Uniform over all permutations (Fisher-Yates on the stream).
Permutation random_permutation(std::size_t size, RandomStream& stream);
Permutation inverse(const Permutation& images);
// Whether every place is taken exactly once.
bool is_permutation(const Permutation& images);
// HAYASE-COMM: J_c with J_c vec(X) = vec(X^T) for X (rows, cols) and the column-major vec.
Permutation commutation(std::size_t rows, std::size_t cols);

// J x: entry k of x at place images[k].
template <class T>
std::vector<T> permute(const Permutation& images, const std::vector<T>& x) {
    PLIMSOLL_CHECK(images.size() == x.size(), "permutation and vector differ in size");
    std::vector<T> result(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) result[images[k]] = x[k];
    return result;
}

// The permutation as a matrix J of zeros and ones.
template <Ring R>
MatrixOver<R> permutation_matrix(const R& ring, const Permutation& images) {
    MatrixOver<R> result(images.size(), images.size());
    for (std::size_t k = 0; k < images.size(); ++k) result(images[k], k) = ring.from_integer(1);
    return result;
}

}  // namespace plimsoll::nets
