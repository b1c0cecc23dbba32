#pragma once

#include <vector>

#include "plimsoll/nets/matrix.h"
#include "plimsoll/rank/constructions/monomials.h"
#include "plimsoll/rank/elimination/residues.h"

namespace plimsoll::rank {

// A matrix whose entries are forms (homogeneous polynomials) of one degree modulo p.
struct FormMatrix {
    std::size_t rows = 0, cols = 0, degree = 0;
    std::vector<double> coefficients;  // [monomial][row][col], balanced

    [[nodiscard]] std::size_t cells() const { return rows * cols; }
};

// Products of matrices of forms, and with matrices of numbers (row-major, balanced).
class FormAlgebra {
  public:
    FormAlgebra(const Monomials& monomials, const Residues& residues)
        : monomials_(monomials), residues_(residues) {}

    // The symmetric matrix of variables: (i, j) and (j, i) are one variable, counted row by row from the
    // diagonal on.
    [[nodiscard]] FormMatrix symmetric_variables(std::size_t size) const;
    [[nodiscard]] FormMatrix product(const FormMatrix& a, const FormMatrix& b) const;
    [[nodiscard]] FormMatrix left_multiply(const std::vector<double>& numbers, std::size_t rows,
                                           const FormMatrix& a) const;
    [[nodiscard]] FormMatrix right_multiply(const FormMatrix& a, const std::vector<double>& numbers,
                                            std::size_t cols) const;
    [[nodiscard]] FormMatrix sum(const FormMatrix& a, const FormMatrix& b) const;
    [[nodiscard]] FormMatrix transpose(const FormMatrix& a) const;
    // The given row alone.
    [[nodiscard]] FormMatrix row(const FormMatrix& a, std::size_t index) const;

  private:
    [[nodiscard]] FormMatrix zeros(std::size_t rows, std::size_t cols, std::size_t degree) const;

    const Monomials& monomials_;
    const Residues& residues_;
};

}  // namespace plimsoll::rank
