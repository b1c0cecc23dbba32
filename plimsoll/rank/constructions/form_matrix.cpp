#include "plimsoll/rank/constructions/form_matrix.h"

#include <algorithm>
#include <functional>

#include "plimsoll/base/check.h"

namespace plimsoll::rank {
namespace {

// Walks over the monomials of `degree` in order and tells for each where its product with every monomial of
// another degree stands; what neighbours share is computed once.
class ProductWalk {
  public:
    using Visit = std::function<void(std::uint32_t monomial, const std::vector<std::uint32_t>& places)>;

    ProductWalk(const Monomials& monomials, std::size_t degree, std::size_t other_degree)
        : monomials_(monomials), degree_(degree), other_(other_degree), places_(degree + 1) {
        places_[0].resize(monomials.count(other_degree));
        for (std::uint32_t i = 0; i < places_[0].size(); ++i) places_[0][i] = i;
    }

    void run(const Visit& visit) {
        next_ = 0;
        descend(0, 0, visit);
    }

  private:
    void descend(std::size_t depth, std::size_t first_variable, const Visit& visit) {
        if (depth == degree_) return visit(next_++, places_[depth]);
        for (std::size_t v = first_variable; v < monomials_.variables(); ++v) {
            const auto& from = places_[depth];
            auto& to = places_[depth + 1];
            to.resize(from.size());
            for (std::size_t i = 0; i < from.size(); ++i)
                to[i] = monomials_.times(other_ + depth, from[i], v);
            descend(depth + 1, v, visit);
        }
    }

    const Monomials& monomials_;
    std::size_t degree_, other_;
    std::vector<std::vector<std::uint32_t>> places_;
    std::uint32_t next_ = 0;
};

// out (r, c) += a (r, n) b (n, c), not reduced.
void add_product(const double* a, const double* b, double* out, std::size_t r, std::size_t n, std::size_t c) {
    for (std::size_t i = 0; i < r; ++i) {
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t j = 0; j < c; ++j) out[i * c + j] += a[i * n + k] * b[k * c + j];
        }
    }
}

void reduce_all(const Residues& residues, std::vector<double>& numbers) {
    for (double& x : numbers) x = residues.reduce(x);
}

}  // namespace

FormMatrix FormAlgebra::zeros(std::size_t rows, std::size_t cols, std::size_t degree) const {
    return {rows, cols, degree, std::vector<double>(monomials_.count(degree) * rows * cols)};
}

FormMatrix FormAlgebra::symmetric_variables(std::size_t size) const {
    FormMatrix result = zeros(size, size, 1);
    std::size_t variable = 0;
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = i; j < size; ++j, ++variable) {
            result.coefficients[variable * size * size + i * size + j] = 1;
            result.coefficients[variable * size * size + j * size + i] = 1;
        }
    }
    return result;
}

FormMatrix FormAlgebra::product(const FormMatrix& a, const FormMatrix& b) const {
    PLIMSOLL_CHECK(a.cols == b.rows && a.cols > 0 && a.cols <= Residues::terms_per_reduction,
                   "shapes of a product of forms");
    FormMatrix result = zeros(a.rows, b.cols, a.degree + b.degree);
    const bool walk_a = a.degree <= b.degree;
    const FormMatrix &walked = walk_a ? a : b, &other = walk_a ? b : a;
    // Every visit adds at most `inner` products to a coefficient.
    const std::size_t visits_per_reduction = Residues::terms_per_reduction / a.cols;
    ProductWalk walk(monomials_, walked.degree, other.degree);
    walk.run([&](std::uint32_t monomial, const std::vector<std::uint32_t>& places) {
        const double* one = walked.coefficients.data() + monomial * walked.cells();
        if (std::all_of(one, one + walked.cells(), [](double x) { return x == 0; })) return;
        for (std::size_t m = 0; m < places.size(); ++m) {
            const double* many = other.coefficients.data() + m * other.cells();
            add_product(walk_a ? one : many, walk_a ? many : one,
                        result.coefficients.data() + places[m] * result.cells(), a.rows, a.cols, b.cols);
        }
        if ((monomial + 1) % visits_per_reduction == 0) reduce_all(residues_, result.coefficients);
    });
    reduce_all(residues_, result.coefficients);
    return result;
}

FormMatrix FormAlgebra::left_multiply(const std::vector<double>& numbers, std::size_t rows,
                                      const FormMatrix& a) const {
    FormMatrix result = zeros(rows, a.cols, a.degree);
    for (std::size_t m = 0; m < monomials_.count(a.degree); ++m) {
        add_product(numbers.data(), a.coefficients.data() + m * a.cells(),
                    result.coefficients.data() + m * result.cells(), rows, a.rows, a.cols);
    }
    reduce_all(residues_, result.coefficients);
    return result;
}

FormMatrix FormAlgebra::right_multiply(const FormMatrix& a, const std::vector<double>& numbers,
                                       std::size_t cols) const {
    FormMatrix result = zeros(a.rows, cols, a.degree);
    for (std::size_t m = 0; m < monomials_.count(a.degree); ++m) {
        add_product(a.coefficients.data() + m * a.cells(), numbers.data(),
                    result.coefficients.data() + m * result.cells(), a.rows, a.cols, cols);
    }
    reduce_all(residues_, result.coefficients);
    return result;
}

FormMatrix FormAlgebra::sum(const FormMatrix& a, const FormMatrix& b) const {
    FormMatrix result = a;
    for (std::size_t i = 0; i < result.coefficients.size(); ++i) {
        result.coefficients[i] = residues_.reduce(result.coefficients[i] + b.coefficients[i]);
    }
    return result;
}

FormMatrix FormAlgebra::transpose(const FormMatrix& a) const {
    FormMatrix result = zeros(a.cols, a.rows, a.degree);
    for (std::size_t m = 0; m < monomials_.count(a.degree); ++m) {
        for (std::size_t i = 0; i < a.rows; ++i) {
            for (std::size_t j = 0; j < a.cols; ++j) {
                result.coefficients[m * a.cells() + j * a.rows + i] =
                    a.coefficients[m * a.cells() + i * a.cols + j];
            }
        }
    }
    return result;
}

FormMatrix FormAlgebra::row(const FormMatrix& a, std::size_t index) const {
    FormMatrix result = zeros(1, a.cols, a.degree);
    for (std::size_t m = 0; m < monomials_.count(a.degree); ++m) {
        std::copy_n(a.coefficients.begin() + m * a.cells() + index * a.cols, a.cols,
                    result.coefficients.begin() + m * a.cols);
    }
    return result;
}

}  // namespace plimsoll::rank
