#pragma once

#include "plimsoll/nets/attention.h"
#include "plimsoll/rank/constructions/random_network.h"
#include "plimsoll/rank/elimination/residues.h"

namespace plimsoll::rank {

// Attention with random weights (LEVINE-LAYER, WIES-LAYER), literally and in Gram form (LEVINE-GRAM).
class AttentionNetwork : public RandomNetwork {
  public:
    AttentionNetwork(const arch::AttentionSpec& spec, std::size_t positions, const NetworkQuestion& question);

    [[nodiscard]] const arch::AttentionSpec& spec() const { return spec_; }
    [[nodiscard]] const nets::Attention<nets::PrimeField>& net() const { return net_; }
    // The directions that inputs and positions span: r, r + r_e, or d.
    [[nodiscard]] std::size_t spanned_width() const;
    // Whether x_i and the Gram matrices of both sides are free, as the catalecticant and the propagation of
    // full ranks need: at least d positions a side, inputs of full rank, no positional vectors, no tokens.
    [[nodiscard]] bool has_free_gram(const Sides& sides) const;

    [[nodiscard]] std::pair<SideSamples, SideSamples> samples(const Sides& sides,
                                                              std::uint64_t seed) const override;
    [[nodiscard]] std::uint64_t evaluate(const nets::Matrix<std::uint64_t>& input,
                                         OutputIndex output) const override;
    [[nodiscard]] std::unique_ptr<PairKernel> kernel(const Sides& sides, OutputIndex output,
                                                     const Kernels& kernels) const override;
    [[nodiscard]] SideBounds piece_bounds(const Sides& sides, std::uint64_t grade) const override;
    [[nodiscard]] std::optional<std::size_t> rank_bound(const Sides& sides) const override;
    [[nodiscard]] const AttentionNetwork* as_attention() const override { return this; }

  private:
    arch::AttentionSpec spec_;
    Inputs inputs_;
    nets::Attention<nets::PrimeField> net_;
};

// The fast evaluation of attention (gram_scores.cpp).
std::unique_ptr<PairKernel> gram_kernel(const AttentionNetwork& network, const Sides& sides,
                                        OutputIndex output, const Kernels& kernels);

}  // namespace plimsoll::rank
