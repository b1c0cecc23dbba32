#include "plimsoll/rank/constructions/sampled_scores.h"

#include <algorithm>

#include "plimsoll/nets/prime_field.h"
#include "plimsoll/rank/elimination/residues.h"

namespace plimsoll::rank {
namespace {

// Columns packed at a time: 512 samples of d = 4 are 128 KiB.
constexpr std::size_t panel_cols = 512;
// Weighted values added up between reductions: 128 products of residues are exact.
constexpr std::size_t sums_per_reduction = Residues::terms_per_reduction;

class SampledScores : public ScoreSource {
  public:
    SampledScores(const BalancedField& field, std::shared_ptr<const PairKernel> kernel,
                  std::pair<SideSamples, SideSamples> samples, std::vector<Evaluation> evaluations)
        : field_(field),
          residues_(field),
          kernel_(std::move(kernel)),
          samples_(std::move(samples)),
          evaluations_(std::move(evaluations)) {}

    [[nodiscard]] const BalancedField& field() const override { return field_; }
    [[nodiscard]] std::size_t max_rows() const override { return samples_.first.size(); }
    [[nodiscard]] std::size_t max_cols() const override { return samples_.second.size(); }
    [[nodiscard]] bool generic_profile() const override { return samples_.first.random(); }

    void fill(std::size_t row, std::size_t col, MatrixView<double> out) const override {
        const std::vector<double> rows = pack_rows(row, out.rows());
        for (std::size_t start = 0; start < out.cols(); start += panel_cols) {
            const std::size_t cols = std::min(panel_cols, out.cols() - start);
            fill_panel(rows, col + start, out.block(0, start, out.rows(), cols));
        }
    }

  private:
    [[nodiscard]] std::vector<double> pack_rows(std::size_t first, std::size_t count) const {
        const std::size_t size = kernel_->row_size();
        std::vector<double> packed(count * size), sample(samples_.first.count());
        for (std::size_t s = 0; s < count; ++s) {
            samples_.first.draw(first + s, sample);
            kernel_->pack_row(sample, {packed.data() + s * size, size});
        }
        return packed;
    }

    // Number k of column t at [t / lanes][k][t % lanes].
    void pack_cols(std::size_t first, std::size_t count, double* packed) const {
        const std::size_t size = kernel_->col_size(), lanes = kernel_->lanes();
        std::vector<double> one(size), sample(samples_.second.count());
        for (std::size_t t = 0; t < count; ++t) {
            samples_.second.draw(first + t, sample);
            kernel_->pack_col(sample, one);
            double* group = packed + t / lanes * lanes * size + t % lanes;
            for (std::size_t k = 0; k < size; ++k) group[k * lanes] = one[k];
        }
    }

    void fill_panel(const std::vector<double>& rows, std::size_t first_col, MatrixView<double> out) const {
        const std::size_t lanes = kernel_->lanes(), groups = (out.cols() + lanes - 1) / lanes;
        const std::size_t numbers = groups * lanes * kernel_->col_size();
        const AlignedBuffer packed(numbers), scaled(numbers), values(groups * lanes),
            workspace(kernel_->workspace());
        std::fill_n(packed.data(), numbers, 0.0);
        pack_cols(first_col, out.cols(), packed.data());
        for (std::size_t e = 0; e < evaluations_.size(); ++e) {
            const double scale = evaluations_[e].scale;
            std::transform(packed.data(), packed.data() + numbers, scaled.data(),
                           [&](double x) { return residues_.multiply(x, scale); });
            // Columns scaled by zero are all alike.
            const std::size_t distinct = scale == 0 ? 1 : groups;
            for (std::size_t s = 0; s < out.rows(); ++s) {
                kernel_->evaluate(rows.data() + s * kernel_->row_size(), scaled.data(), distinct,
                                  values.data(), workspace.data());
                if (scale == 0) std::fill_n(values.data(), groups * lanes, values.data()[0]);
                add_weighted(e, values.data(), out.row(s));
            }
        }
    }

    void add_weighted(std::size_t e, const double* values, std::span<double> out) const {
        if (evaluations_.size() == 1) return void(std::copy_n(values, out.size(), out.begin()));
        const double weight = evaluations_[e].weight;
        const bool reduce = e + 1 == evaluations_.size() || (e + 1) % sums_per_reduction == 0;
        for (std::size_t t = 0; t < out.size(); ++t) {
            const double total = (e == 0 ? 0.0 : out[t]) + weight * values[t];
            out[t] = reduce ? residues_.reduce(total) : total;
        }
    }

    BalancedField field_;
    Residues residues_;
    std::shared_ptr<const PairKernel> kernel_;
    std::pair<SideSamples, SideSamples> samples_;
    std::vector<Evaluation> evaluations_;
};

class LiteralScores : public ScoreSource {
  public:
    LiteralScores(std::shared_ptr<const RandomNetwork> network, const Sides& sides, OutputIndex output,
                  std::uint64_t seed)
        : field_(network->small_field()),
          network_(std::move(network)),
          sides_(sides),
          output_(output),
          samples_(network_->samples(sides, seed)) {}

    [[nodiscard]] const BalancedField& field() const override { return field_; }
    [[nodiscard]] std::size_t max_rows() const override { return samples_.first.size(); }
    [[nodiscard]] std::size_t max_cols() const override { return samples_.second.size(); }
    [[nodiscard]] bool generic_profile() const override { return samples_.first.random(); }

    void fill(std::size_t row, std::size_t col, MatrixView<double> out) const override {
        std::vector<std::vector<std::uint64_t>> rights;
        for (std::size_t t = 0; t < out.cols(); ++t) rights.push_back(draw(samples_.second, col + t));
        for (std::size_t s = 0; s < out.rows(); ++s) {
            const auto left = draw(samples_.first, row + s);
            for (std::size_t t = 0; t < out.cols(); ++t) {
                const auto input = network_->join(sides_, left, rights[t]);
                out(s, t) = balanced(field_, network_->evaluate(input, output_));
            }
        }
    }

  private:
    [[nodiscard]] std::vector<std::uint64_t> draw(const SideSamples& side, std::size_t index) const {
        std::vector<double> sample(side.count());
        side.draw(index, sample);
        std::vector<std::uint64_t> result(sample.size());
        std::transform(sample.begin(), sample.end(), result.begin(),
                       [&](double x) { return field_.to_integer(x); });
        return result;
    }

    BalancedField field_;
    std::shared_ptr<const RandomNetwork> network_;
    Sides sides_;
    OutputIndex output_;
    std::pair<SideSamples, SideSamples> samples_;
};

}  // namespace

std::vector<Evaluation> graded_evaluations(const BalancedField& field, std::size_t degree,
                                           std::size_t grade) {
    const nets::PrimeField exact(field.p);
    std::vector<std::uint64_t> all{1};  // prod_i (s - i), lowest power first
    for (std::size_t i = 0; i <= degree; ++i) {
        all.push_back(0);
        for (std::size_t k = all.size() - 1; k > 0; --k) {
            all[k] = exact.subtract(all[k - 1], exact.multiply(i, all[k]));
        }
        all[0] = exact.subtract(0, exact.multiply(i, all[0]));
    }
    std::vector<Evaluation> result;
    for (std::size_t i = 0; i <= degree; ++i) {
        // Coefficient of s^grade in prod_{k != i} (s - k): division by s - i from the top.
        std::uint64_t coefficient = 0, value = 0;
        for (std::size_t k = degree + 1; k > grade; --k) {
            coefficient = exact.add(all[k], exact.multiply(i, coefficient));
        }
        // The product at i itself, by Horner on the same quotient.
        std::uint64_t quotient = 0;
        for (std::size_t k = degree + 1; k > 0; --k) {
            quotient = exact.add(all[k], exact.multiply(i, quotient));
            value = exact.add(quotient, exact.multiply(i, value));
        }
        const std::uint64_t weight = exact.multiply(coefficient, exact.inverse(value));
        result.push_back({static_cast<double>(i), balanced(field, weight)});
    }
    return result;
}

std::unique_ptr<ScoreSource> sampled_scores(const BalancedField& field,
                                            std::shared_ptr<const PairKernel> kernel,
                                            std::pair<SideSamples, SideSamples> samples,
                                            std::vector<Evaluation> evaluations) {
    return std::make_unique<SampledScores>(field, std::move(kernel), std::move(samples),
                                           std::move(evaluations));
}

std::unique_ptr<ScoreSource> literal_scores(std::shared_ptr<const RandomNetwork> network, const Sides& sides,
                                            OutputIndex output, std::uint64_t seed) {
    return std::make_unique<LiteralScores>(std::move(network), sides, output, seed);
}

}  // namespace plimsoll::rank
