#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/base/matrix_view.h"
#include "plimsoll/base/result.h"
#include "plimsoll/rank/dense_matrix.h"

namespace plimsoll::rank {

// The singular values of a matrix (largest first) and what is read off them.
//
// The tolerance is what rounding makes out of nothing: a singular value moves by at most |E|_2 when the
// entries change by E (Weyl). Rounding with relative error u has |E|_2 <= u |A|_F, always, and about u /
// sqrt(3) (largest row norm + largest column norm) when the errors are independent (Bandeira & van Handel
// 2016); the smaller of the two is taken. To this is added what the calculation in doubles can lose, the
// customary max(m, n) eps |A|_2. The customary rule with the eps of a stored BF16 would exceed |A|_2 from 128
// columns on and call every matrix zero.
struct Spectrum {
    std::vector<double> values;
    double tolerance = 0;             // values at or below it count as zero
    std::int64_t numerical_rank = 0;  // values above the tolerance
    double stable_rank = 0;           // |A|_F^2 / |A|_2^2; 0 for the zero matrix
    double effective_rank = 0;        // exp of the entropy of the values over their sum (Roy & Vetterli 2007)
};

// Largest relative rounding error of an entry stored as double.
inline constexpr double double_roundoff = 0x1p-53;

// Makes LAPACK ready and gives it `threads` threads (0: as many as the machine has); call it before the rest.
Status prepare_singular_values(int threads = 0);

// The ranks of given singular values (any order) at a given tolerance.
Spectrum summary_of(std::vector<double> values, double tolerance);

// All singular values of a finite matrix whose entries were rounded with relative error `roundoff`.
Spectrum spectrum_of(MatrixView<const double> matrix, double roundoff = double_roundoff);

// The same in the matrix's own memory, which is destroyed.
Spectrum spectrum_in_place(MatrixView<double> matrix, double roundoff = double_roundoff);

// All singular values of left * right (m x k times k x n). For k < min(m, n) the product is never formed:
// both are reduced to k x k triangles first, whose product has the same singular values.
Spectrum spectrum_of_product(MatrixView<const double> left, MatrixView<const double> right,
                             double roundoff = double_roundoff);

// The singular values of a matrix of which only matrix^T matrix was kept (its upper triangle; destroyed) and
// the largest norm of a row. Squaring costs half the digits: values under sqrt(cols * eps) = 1.5e-8
// sqrt(cols) of the largest are not resolved, and the tolerance says so.
Spectrum spectrum_from_gram(MatrixView<double> gram, double largest_row_norm,
                            double roundoff = double_roundoff);

// What a factor of a product contributes to the product's tolerance.
struct FactorNorms {
    double noise = 0;  // |E|_2 over the relative rounding error, as above
    double two =
        0;  // an upper bound of |A|_2, at most 1.2 times too large; too small with a chance under 1e-7
};

// |A|_2 by 60 steps of the power method from a random start, times 1.2 (Kuczynski & Wozniakowski 1992,
// Theorem 4.1).
FactorNorms norms_of(MatrixView<const double> matrix);
FactorNorms norms_of(MatrixView<const float> matrix);

// What rounding makes out of nothing in a product of an m x k and a k x n factor; `larger` is max(m, n).
double product_tolerance(const FactorNorms& left, const FactorNorms& right, double roundoff,
                         std::size_t larger);

// sum += left * right.
void add_product(MatrixView<const double> left, MatrixView<const double> right, MatrixView<double> sum);

// The upper triangle of gram += matrix^T matrix.
void add_gram(MatrixView<const double> matrix, MatrixView<double> gram);

}  // namespace plimsoll::rank
