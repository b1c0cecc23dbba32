#include <flint/nmod_mat.h>

#include "plimsoll/rank/dense_matrix.h"
#include "plimsoll/rank/elimination/elimination.h"
#include "plimsoll/rank/elimination/elimination_steps.h"

namespace plimsoll::rank {
namespace {

// FLINT's matrix, freed at the end of its scope.
class FlintMatrix {
  public:
    FlintMatrix(std::size_t rows, std::size_t cols, std::uint32_t p) {
        nmod_mat_init(matrix_, static_cast<slong>(rows), static_cast<slong>(cols), p);
    }
    ~FlintMatrix() { nmod_mat_clear(matrix_); }
    FlintMatrix(const FlintMatrix&) = delete;
    FlintMatrix& operator=(const FlintMatrix&) = delete;

    void set(std::size_t row, std::size_t col, std::uint32_t residue) {
        nmod_mat_entry(matrix_, static_cast<slong>(row), static_cast<slong>(col)) = residue;
    }
    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(nmod_mat_rank(matrix_)); }

  private:
    nmod_mat_t matrix_;
};

}  // namespace

std::size_t rank_by_flint(const ScoreSource& source, std::size_t rows, std::size_t cols) {
    FlintMatrix matrix(rows, cols, source.field().p);
    DenseMatrix<double> row(1, cols);
    for (std::size_t i = 0; i < rows; ++i) {
        source.fill(i, 0, row.view());
        for (std::size_t j = 0; j < cols; ++j) matrix.set(i, j, source.field().to_integer(row(0, j)));
    }
    return matrix.rank();
}

}  // namespace plimsoll::rank
