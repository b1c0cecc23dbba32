#pragma once

#include <vector>

#include "plimsoll/nets/attention.h"

namespace plimsoll::nets {

// One summand of LEVINE-LEMMA1 [Levine et al. 2020, eq. 10]: B_0^T M_1 .. M_C A_0 with M_c = A_c X X^T B_c^T.
template <class T>
struct ExpansionTerm {
    struct Factor {
        Matrix<T> a, b;  // A_c, B_c: (d_a, d_x)
    };
    Matrix<T> b0;                 // B_0: (d_a, d_x)
    std::vector<Factor> factors;  // C(L) = (3^L - 1) / 2 of them
    Matrix<T> a0;                 // A_0: (d_a, d_x)
};

// All H^C(L) summands of a network without residual, by the induction of the lemma's proof; meant for L <= 2,
// or L = 3 with one or two heads.
template <Ring R>
std::vector<ExpansionTerm<typename R::Element>> expand(const R& ring,
                                                       const AttentionWeights<typename R::Element>& weights);

// The sum of the terms times X (d_x, N): what LEVINE-LEMMA1 says the network computes, (d_x, N).
template <Ring R>
MatrixOver<R> evaluate(const R& ring, const std::vector<ExpansionTerm<typename R::Element>>& terms,
                       const MatrixOver<R>& x);

}  // namespace plimsoll::nets
