// Attention on pairs of samples in Gram form: Y = P(G_A + G_B) X, so that an entry costs O(L H d^3) whatever
// the number of positions, and a sample is two d x d matrices.
#include <algorithm>

#include "plimsoll/rank/constructions/attention_network.h"

namespace plimsoll::rank {
namespace {

using Numbers = std::vector<double>;

// V_h = O V and K_h = K^T Q of one head, d x d each.
struct HeadProducts {
    nets::Matrix<std::uint64_t> value, key;
};

std::vector<HeadProducts> products_of(const nets::PrimeField& field,
                                      const std::vector<nets::Head<std::uint64_t>>& heads) {
    std::vector<HeadProducts> result;
    for (const auto& head : heads) {
        result.push_back({nets::product(field, head.output, head.value),
                          nets::product(field, nets::transpose(head.key), head.query)});
    }
    return result;
}

// The same output of one head without residual with V = I in all layers but the last, which saves a product a
// layer: with U_l = V_l .. V_1 the Gram matrices are U_l M_l U_l^T, M_l those of the net with K_l replaced by
// U_{l-1}^T K_l U_{l-1}, and the last V is U_L.
void absorb_values(const nets::PrimeField& field, std::vector<std::vector<HeadProducts>>& layers) {
    auto passed = nets::identity(field, layers[0][0].value.rows());  // U_{l-1}
    for (auto& layer : layers) {
        HeadProducts& head = layer[0];
        head.key = nets::product(field, nets::transpose(passed), head.key, passed);
        passed = nets::product(field, head.value, passed);
        head.value = &layer == &layers.back() ? passed : nets::identity(field, passed.rows());
    }
}

void append(Numbers& to, const Numbers& from) { to.insert(to.end(), from.begin(), from.end()); }

class GramKernel : public PairKernel {
  public:
    GramKernel(const AttentionNetwork& network, const Sides& sides, OutputIndex output,
               const Kernels& kernels);

    [[nodiscard]] std::size_t row_size() const override { return 2 * d_ * d_ + d_; }
    [[nodiscard]] std::size_t col_size() const override { return 2 * d_ * d_; }
    [[nodiscard]] std::size_t degree() const override { return degree_; }
    [[nodiscard]] std::size_t lanes() const override { return kernels_.lanes; }
    [[nodiscard]] std::size_t workspace() const override { return workspace_size(program_, kernels_.lanes); }
    void pack_row(std::span<const double> sample, std::span<double> packed) const override;
    void pack_col(std::span<const double> sample, std::span<double> packed) const override;
    void evaluate(const double* row, const double* cols, std::size_t groups, double* out,
                  double* workspace) const override {
        kernels_.gram(program_, row, cols, groups, out, workspace);
    }

  private:
    // What one side adds to every sample: its positional vectors, (positions, d).
    struct Side {
        std::size_t count = 0;
        Numbers shifts;
    };
    void keep_weights(const AttentionNetwork& network, OutputIndex output);
    // (d, H d): row j holds column j of K_1, .., K_H.
    [[nodiscard]] Numbers long_keys(const std::vector<HeadProducts>& heads) const;
    [[nodiscard]] Side side_of(const AttentionNetwork& network,
                               const std::vector<std::size_t>& positions) const;
    // M w + p for every position of a side, (positions, d).
    [[nodiscard]] Numbers embedded(const Side& side, std::span<const double> sample) const;
    // G and the first layer's step.
    void pack(const Numbers& x, std::size_t count, double* packed) const;

    BalancedField field_;
    Residues residues_;
    const Kernels& kernels_;
    std::size_t d_, inputs_, heads_, degree_, own_;  // own_: the output's place among the rows' positions
    bool residual_, unit_values_;
    Numbers embedding_;                // (d, inputs); empty when the input is X itself
    Numbers first_value_, first_key_;  // the first layer's V_h, (H, d, d), and K_h, (H, d, d)
    Numbers middle_, last_;            // as GramProgram has them
    Side rows_, cols_;
    GramProgram program_;
};

GramKernel::GramKernel(const AttentionNetwork& network, const Sides& sides, OutputIndex output,
                       const Kernels& kernels)
    : field_(network.small_field()),
      residues_(field_),
      kernels_(kernels),
      d_(static_cast<std::size_t>(network.spec().width)),
      inputs_(network.facts().input_rows),
      heads_(static_cast<std::size_t>(network.spec().heads)),
      degree_(network.facts().grades),
      own_(static_cast<std::size_t>(std::find(sides.rows.begin(), sides.rows.end(), output.col) -
                                    sides.rows.begin())),
      residual_(network.spec().residual),
      unit_values_(heads_ == 1 && !residual_ && network.spec().depth >= 2),
      embedding_(balanced(field_, network.net().weights().embedding)),
      rows_(side_of(network, sides.rows)),
      cols_(side_of(network, sides.cols)) {
    PLIMSOLL_CHECK(own_ < sides.rows.size(), "the output's position must be on the rows' side");
    keep_weights(network, output);
    program_ = {.modulus = {residues_.p(), residues_.inverse_of_p()},
                .width = d_,
                .depth = static_cast<std::size_t>(network.spec().depth),
                .heads = heads_,
                .output = output.row,
                .residual = residual_,
                .unit_values = unit_values_,
                .middle = middle_.data(),
                .last = last_.data()};
}

void GramKernel::keep_weights(const AttentionNetwork& network, OutputIndex output) {
    std::vector<std::vector<HeadProducts>> layers;
    for (const auto& heads : network.net().weights().layers) {
        layers.push_back(products_of(network.net().ring(), heads));
    }
    if (unit_values_) absorb_values(network.net().ring(), layers);
    for (const HeadProducts& head : layers.front()) {
        append(first_value_, balanced(field_, head.value));
        append(first_key_, balanced(field_, head.key));
    }
    for (std::size_t l = 1; l + 1 < layers.size(); ++l) {
        for (const HeadProducts& head : layers[l]) append(middle_, balanced(field_, head.value));
        append(middle_, long_keys(layers[l]));
    }
    for (const HeadProducts& head : layers.back()) {
        const Numbers value = balanced(field_, head.value);
        append(last_, Numbers(value.begin() + output.row * d_, value.begin() + (output.row + 1) * d_));
        append(last_, balanced(field_, head.key));
    }
}

Numbers GramKernel::long_keys(const std::vector<HeadProducts>& heads) const {
    Numbers result;
    for (std::size_t j = 0; j < d_; ++j) {
        for (const HeadProducts& head : heads) {
            for (std::size_t k = 0; k < d_; ++k) result.push_back(balanced(field_, head.key(k, j)));
        }
    }
    return result;
}

GramKernel::Side GramKernel::side_of(const AttentionNetwork& network,
                                     const std::vector<std::size_t>& positions) const {
    Side side{positions.size(), {}};
    const auto& shifts = network.net().weights().positions;  // (d, N)
    if (shifts.cols() == 0) return side;
    for (const std::size_t position : positions) {
        for (std::size_t i = 0; i < d_; ++i) side.shifts.push_back(balanced(field_, shifts(i, position)));
    }
    return side;
}

Numbers GramKernel::embedded(const Side& side, std::span<const double> sample) const {
    Numbers x(side.count * d_);
    for (std::size_t t = 0; t < side.count; ++t) {
        const double* w = sample.data() + t * inputs_;
        for (std::size_t i = 0; i < d_; ++i) {
            double value =
                embedding_.empty() ? w[i] : residues_.dot(w, embedding_.data() + i * inputs_, 1, inputs_);
            if (!side.shifts.empty()) value = residues_.reduce(value + side.shifts[t * d_ + i]);
            x[t * d_ + i] = value;
        }
    }
    return x;
}

void GramKernel::pack(const Numbers& x, std::size_t count, double* packed) const {
    double *gram = packed, *step = packed + d_ * d_;
    for (std::size_t i = 0; i < d_; ++i) {
        for (std::size_t j = 0; j < d_; ++j) {
            double total = 0;
            for (std::size_t t = 0; t < count; ++t)
                total = residues_.reduce(total + x[t * d_ + i] * x[t * d_ + j]);
            gram[i * d_ + j] = total;
        }
    }
    Numbers product(d_);  // row i of V_h G
    std::fill(step, step + d_ * d_, 0.0);
    for (std::size_t h = 0; h < heads_; ++h) {
        const double *value = first_value_.data() + h * d_ * d_, *key = first_key_.data() + h * d_ * d_;
        for (std::size_t i = 0; i < d_; ++i) {
            for (std::size_t j = 0; j < d_; ++j) product[j] = residues_.dot(value + i * d_, gram + j, d_, d_);
            for (std::size_t j = 0; j < d_; ++j) {
                step[i * d_ + j] =
                    residues_.reduce(step[i * d_ + j] + residues_.dot(product.data(), key + j, d_, d_));
            }
        }
    }
}

void GramKernel::pack_row(std::span<const double> sample, std::span<double> packed) const {
    const Numbers x = embedded(rows_, sample);
    pack(x, rows_.count, packed.data());
    std::copy_n(x.begin() + own_ * d_, d_, packed.begin() + 2 * d_ * d_);
    if (!residual_) return;
    for (std::size_t i = 0; i < d_; ++i) {
        double& diagonal = packed[d_ * d_ + i * d_ + i];
        diagonal = residues_.reduce(diagonal + 1);
    }
}

void GramKernel::pack_col(std::span<const double> sample, std::span<double> packed) const {
    pack(embedded(cols_, sample), cols_.count, packed.data());
}

}  // namespace

std::unique_ptr<PairKernel> gram_kernel(const AttentionNetwork& network, const Sides& sides,
                                        OutputIndex output, const Kernels& kernels) {
    return std::make_unique<GramKernel>(network, sides, output, kernels);
}

}  // namespace plimsoll::rank
