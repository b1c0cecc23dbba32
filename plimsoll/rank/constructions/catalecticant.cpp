#include "plimsoll/rank/constructions/catalecticant.h"

#include <algorithm>

namespace plimsoll::rank {
namespace {

std::size_t gram_entries(std::size_t width) { return width * (width + 1) / 2; }

// The layers of a network as matrices of forms.
class LayerForms {
  public:
    LayerForms(const AttentionNetwork& network, const Monomials& monomials, const Residues& residues)
        : network_(network),
          algebra_(monomials, residues),
          d_(static_cast<std::size_t>(network.spec().width)) {}

    // The row of P_L (1, d): P_{l+1} = step_l P_l, step_l = sum_h V_h P_l G P_l^T K_h.
    [[nodiscard]] FormMatrix output_row(std::size_t output) const {
        const std::size_t last = network_.net().weights().layers.size() - 1;
        FormMatrix gram = algebra_.symmetric_variables(d_);  // P_l G P_l^T
        if (last == 0) return algebra_.row(step(0, gram), output);
        FormMatrix now = step(0, gram), transform = now;
        for (std::size_t l = 1; l < last; ++l) {
            gram = algebra_.product(algebra_.product(now, gram), algebra_.transpose(now));
            now = step(l, gram);
            transform = algebra_.product(now, transform);
        }
        return algebra_.product(last_row(last, output, now, gram), transform);
    }

  private:
    [[nodiscard]] const std::vector<nets::Head<std::uint64_t>>& heads(std::size_t layer) const {
        return network_.net().weights().layers[layer];
    }
    [[nodiscard]] std::vector<double> value(const nets::Head<std::uint64_t>& head) const {
        return balanced(network_.small_field(),
                        nets::product(network_.net().ring(), head.output, head.value));
    }
    [[nodiscard]] std::vector<double> key(const nets::Head<std::uint64_t>& head) const {
        return balanced(network_.small_field(),
                        nets::product(network_.net().ring(), nets::transpose(head.key), head.query));
    }

    [[nodiscard]] FormMatrix step(std::size_t layer, const FormMatrix& gram) const {
        FormMatrix total;
        for (const auto& head : heads(layer)) {
            FormMatrix one =
                algebra_.right_multiply(algebra_.left_multiply(value(head), d_, gram), key(head), d_);
            total = total.rows == 0 ? std::move(one) : algebra_.sum(total, one);
        }
        return total;
    }

    // Row `output` of the last step, from the step before it: u_h step gram step^T K_h, summed over the
    // heads.
    [[nodiscard]] FormMatrix last_row(std::size_t layer, std::size_t output, const FormMatrix& before,
                                      const FormMatrix& gram) const {
        const FormMatrix transposed = algebra_.transpose(before);
        FormMatrix total;
        for (const auto& head : heads(layer)) {
            const std::vector<double> whole = value(head);
            const std::vector<double> row(whole.begin() + output * d_, whole.begin() + (output + 1) * d_);
            const FormMatrix left = algebra_.product(algebra_.left_multiply(row, 1, before), gram);
            FormMatrix one = algebra_.right_multiply(algebra_.product(left, transposed), key(head), d_);
            total = total.rows == 0 ? std::move(one) : algebra_.sum(total, one);
        }
        return total;
    }

    const AttentionNetwork& network_;
    FormAlgebra algebra_;
    std::size_t d_;
};

// m! of every monomial: the product of the factorials of its exponents.
double factorial(const Residues& residues, const std::vector<std::uint32_t>& factors) {
    double result = 1, run = 1;
    for (std::size_t i = 1; i < factors.size(); ++i) {
        run = factors[i] == factors[i - 1] ? run + 1 : 1;
        result = residues.multiply(result, run);
    }
    return result;
}

class Catalecticant : public ScoreSource {
  public:
    Catalecticant(std::shared_ptr<const GramPolynomial> polynomial, std::size_t grade)
        : polynomial_(std::move(polynomial)), grade_(grade) {}

    [[nodiscard]] const BalancedField& field() const override { return polynomial_->field; }
    [[nodiscard]] std::size_t max_rows() const override {
        return polynomial_->monomials.count(polynomial_->degree - grade_) * polynomial_->width;
    }
    [[nodiscard]] std::size_t max_cols() const override { return polynomial_->monomials.count(grade_); }
    [[nodiscard]] bool generic_profile() const override { return false; }

    void fill(std::size_t row, std::size_t col, MatrixView<double> out) const override {
        const std::size_t d = polynomial_->width;
        Walk walk(polynomial_->monomials, grade_, polynomial_->degree - grade_, col, out.cols());
        for (std::size_t s = 0; s < out.rows(); ++s) {
            const auto& places = walk.at(static_cast<std::uint32_t>((row + s) / d));
            const float* component = polynomial_->weighted.data() + (row + s) % d;
            for (std::size_t t = 0; t < out.cols(); ++t) {
                out(s, t) = static_cast<double>(component[std::size_t{places[t]} * d]);
            }
        }
    }

  private:
    // Where the products of a row's monomial with the block's columns stand; neighbouring rows share most of
    // their factors, so that a row costs about one look-up per column.
    class Walk {
      public:
        Walk(const Monomials& monomials, std::size_t grade, std::size_t rest, std::size_t col,
             std::size_t cols)
            : monomials_(monomials), grade_(grade), rest_(rest), places_(rest + 1) {
            for (std::size_t t = 0; t < cols; ++t) places_[0].push_back(static_cast<std::uint32_t>(col + t));
        }

        const std::vector<std::uint32_t>& at(std::uint32_t monomial) {
            if (started_ && monomial == monomial_) return places_[rest_];
            const auto factors = monomials_.factors(rest_, monomial);
            std::size_t shared = 0;
            while (started_ && shared < rest_ && factors[shared] == factors_[shared]) ++shared;
            for (std::size_t depth = shared; depth < rest_; ++depth) extend(depth, factors[depth]);
            started_ = true, monomial_ = monomial, factors_ = factors;
            return places_[rest_];
        }

      private:
        void extend(std::size_t depth, std::uint32_t variable) {
            const auto& from = places_[depth];
            auto& to = places_[depth + 1];
            to.resize(from.size());
            for (std::size_t t = 0; t < from.size(); ++t) {
                to[t] = monomials_.times(grade_ + depth, from[t], variable);
            }
        }

        const Monomials& monomials_;
        std::size_t grade_, rest_;
        std::vector<std::vector<std::uint32_t>> places_;  // by number of factors multiplied
        bool started_ = false;
        std::uint32_t monomial_ = 0;
        std::vector<std::uint32_t> factors_;
    };

    std::shared_ptr<const GramPolynomial> polynomial_;
    std::size_t grade_;
};

}  // namespace

double gram_polynomial_bytes(const arch::AttentionSpec& spec) {
    const auto width = static_cast<std::size_t>(spec.width);
    constexpr std::size_t largest_width = 64;  // longer sums would need reductions on the way
    if (spec.depth > 12 || width > largest_width) return 1e300;
    std::size_t degree = 0;
    for (std::int64_t l = 0; l < spec.depth; ++l) degree = 3 * degree + 1;
    const std::size_t variables = gram_entries(width);
    const double monomials = Monomials::count_of(variables, degree), d = static_cast<double>(width);
    if (monomials >= 0x1p32) return 1e300;
    // Three matrices of forms are alive when the last but one layer is multiplied, of degree at most C / 3
    // + 1.
    const double matrices = 3 * d * d * Monomials::count_of(variables, degree / 3 + 1) * sizeof(double);
    return Monomials::table_bytes(variables, degree) + matrices +
           monomials * d * (sizeof(double) + sizeof(float));
}

std::shared_ptr<const GramPolynomial> gram_polynomial(const AttentionNetwork& network, std::size_t output) {
    const auto width = static_cast<std::size_t>(network.spec().width);
    const auto degree = static_cast<std::size_t>(network.facts().grades);
    const BalancedField field = network.small_field();
    PLIMSOLL_CHECK(field.p > degree && !network.spec().residual, "no catalecticant for this network");
    auto result = std::make_shared<GramPolynomial>(
        GramPolynomial{field, Monomials(gram_entries(width), degree), width, degree, {}});
    const Residues residues(field);
    const FormMatrix row = LayerForms(network, result->monomials, residues).output_row(output);
    result->weighted.resize(row.coefficients.size());
    for (std::uint32_t m = 0; m < result->monomials.count(degree); ++m) {
        const double scale = factorial(residues, result->monomials.factors(degree, m));
        for (std::size_t k = 0; k < width; ++k) {
            result->weighted[m * width + k] =
                static_cast<float>(residues.multiply(row.coefficients[m * width + k], scale));
        }
    }
    return result;
}

std::unique_ptr<ScoreSource> catalecticant(std::shared_ptr<const GramPolynomial> polynomial,
                                           std::size_t grade) {
    PLIMSOLL_CHECK(grade <= polynomial->degree, "no piece of this degree");
    return std::make_unique<Catalecticant>(std::move(polynomial), grade);
}

}  // namespace plimsoll::rank
