#pragma once

#include <memory>
#include <vector>

#include "plimsoll/rank/constructions/attention_network.h"
#include "plimsoll/rank/constructions/form_matrix.h"
#include "plimsoll/rank/constructions/score_source.h"

namespace plimsoll::rank {

// One output of attention without residual as a polynomial: y = sum_k x_k sum_m c_k(m) G^m over the monomials
// m of degree C(L) in the d (d + 1) / 2 entries of the symmetric G.
struct GramPolynomial {
    BalancedField field;
    Monomials monomials;
    std::size_t width = 1, degree = 1;
    std::vector<float> weighted;  // c_k(m) m! at [m][k], balanced: exact, they have 22 bits
};

// About how many bytes gram_polynomial() and its result take.
double gram_polynomial_bytes(const arch::AttentionSpec& spec);

// The polynomial of output coordinate `output`; p must exceed C(L).
std::shared_ptr<const GramPolynomial> gram_polynomial(const AttentionNetwork& network, std::size_t output);

// What has degree `grade` in the columns' Gram matrix, G = A + B: (A + B)^m expands into A^(m-n) B^n with
// binomials m! / ((m-n)! n!), so that after scaling rows and columns by factorials
//     T[(m, k), n] = c_k(m + n) (m + n)!,   deg m = C - grade, deg n = grade.
// Its rank is that of the sampled piece wherever x, A and B are free. Row (m, k) is row m d + k.
std::unique_ptr<ScoreSource> catalecticant(std::shared_ptr<const GramPolynomial> polynomial,
                                           std::size_t grade);

}  // namespace plimsoll::rank
