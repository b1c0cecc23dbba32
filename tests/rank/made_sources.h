#pragma once

#include <limits>
#include <memory>

#include "plimsoll/base/random.h"
#include "plimsoll/rank/constructions/score_source.h"
#include "plimsoll/rank/dense_matrix.h"
#include "plimsoll/rank/elimination/blas_product.h"
#include "plimsoll/rank/lapack.h"

// Sources whose rank is known because they were made with it.
namespace plimsoll::rank::made {

using Matrix = DenseMatrix<double>;

inline Matrix random_residues(const BalancedField& field, std::size_t rows, std::size_t cols,
                              std::uint64_t seed) {
    RandomStream stream(seed, "tests/rank/residues");
    Matrix matrix(rows, cols);
    for (std::size_t i = 0; i < rows; ++i) {
        for (double& entry : matrix.view().row(i)) entry = field.random(stream);
    }
    return matrix;
}

// A random rows x rank matrix times a random rank x cols one: of that rank, but for a chance of about 1/p.
inline Matrix matrix_of_rank(const BalancedField& field, std::size_t rows, std::size_t cols, std::size_t rank,
                             std::uint64_t seed) {
    PLIMSOLL_CHECK(lapack::load().ok(), "the tests need a BLAS");
    Matrix product(rows, cols);
    set_product(field, random_residues(field, rows, rank, seed).view(),
                random_residues(field, rank, cols, seed + 1000).view(), product.view());
    return product;
}

enum class Profile { generic, any };
enum class Extent { finite, endless };

// A matrix in memory as a source. `endless` claims that there are more samples than are kept, for tests that
// never ask for them.
class MatrixSource : public ScoreSource {
  public:
    MatrixSource(BalancedField field, Matrix matrix, Profile profile, Extent extent)
        : field_(field), matrix_(std::move(matrix)), profile_(profile), extent_(extent) {}

    [[nodiscard]] const BalancedField& field() const override { return field_; }
    [[nodiscard]] std::size_t max_rows() const override { return size(matrix_.rows()); }
    [[nodiscard]] std::size_t max_cols() const override { return size(matrix_.cols()); }
    [[nodiscard]] bool generic_profile() const override { return profile_ == Profile::generic; }
    void fill(std::size_t row, std::size_t col, MatrixView<double> out) const override {
        const auto part = matrix_.view().block(row, col, out.rows(), out.cols());
        for (std::size_t i = 0; i < out.rows(); ++i) {
            for (std::size_t j = 0; j < out.cols(); ++j) out(i, j) = part(i, j);
        }
    }

  private:
    [[nodiscard]] std::size_t size(std::size_t kept) const {
        return extent_ == Extent::endless ? std::numeric_limits<std::size_t>::max() : kept;
    }

    BalancedField field_;
    Matrix matrix_;
    Profile profile_;
    Extent extent_;
};

// Samples of rank `rank` as random networks give them; `kept` of them can be asked for.
inline MatrixSource samples_of_rank(const BalancedField& field, std::size_t kept, std::size_t rank,
                                    std::uint64_t seed) {
    return {field, matrix_of_rank(field, kept, kept, rank, seed), Profile::generic, Extent::endless};
}

inline MatrixSource finite(const BalancedField& field, Matrix matrix) {
    return {field, std::move(matrix), Profile::any, Extent::finite};
}

}  // namespace plimsoll::rank::made
