#include <algorithm>

#include "plimsoll/base/format.h"
#include "plimsoll/model/builder.h"
#include "plimsoll/model/stack.h"

namespace plimsoll::model {
namespace {

using arch::AttentionSpec;

// One layer of the analysed attention with all heads side by side.
struct Layer {
    Matrix query, key, value;  // (H, d_a, d_x)
    Matrix output;             // (H, d_x, d_a)
};

// x (B, 1 or H, N, in) by every head's matrix, (H, out, in) or of a stack (K, H, out, in): (B, H, N, out).
Tensor times_heads(const Tensor& x, const Matrix& matrix) {
    const Tensor turned = matrix.value().transpose(-2, -1);
    if (turned.dim() == 3) return at::matmul(x, turned.unsqueeze(0));
    return at::matmul(by_run(x, turned.size(0)), turned.unsqueeze(1)).flatten(0, 1);
}

// x (B, N, d_x) by every head's matrix: (B, H, N, d_a).
Tensor by_heads(const Tensor& x, const Matrix& matrix) { return times_heads(x.unsqueeze(1), matrix); }

// Position i becomes sum_j sum_h <Q x_i, K x_j> O V x_j (LEVINE-LAYER), by the state sum_j (K x_j)(V x_j)^T.
Tensor apply(const Layer& layer, const Tensor& x) {
    const Tensor key = by_heads(x, layer.key), value = by_heads(x, layer.value);
    const Tensor state = at::matmul(key.transpose(-2, -1), value);     // (B, H, d_a, d_a)
    const Tensor mixed = at::matmul(by_heads(x, layer.query), state);  // (B, H, N, d_a)
    return times_heads(mixed, layer.output).sum(1);
}

class AnalysedAttention final : public BuiltNetwork {
  public:
    AnalysedAttention(const AttentionSpec& spec, Builder& builder) : s_(spec) {
        read_embedding(builder);
        read_positions(builder);
        for (std::int64_t l = 0; l < spec.depth; ++l) {
            const auto part = [&](const char* name) {
                return builder.matrix(fmt::format("layers.{}.{}", l, name));
            };
            layers_.push_back({part("query"), part("key"), part("value"), part("output")});
        }
    }

    [[nodiscard]] Tensor forward(const Input& input, const DropoutSeeds&) const override {
        Tensor x = embed(input);
        if (const Tensor rows = position_rows(x.size(1)); rows.defined()) x = plus(x, rows);
        for (const Layer& layer : layers_) {
            x = s_.residual ? x + apply(layer, x) : apply(layer, x);
            input.after_layer(x);
        }
        return x;
    }

  private:
    void read_embedding(Builder& builder) {
        if (s_.embedding == arch::InputEmbedding::none) return;
        factored_ = s_.embedding_rank < std::min(s_.width, s_.vocab);
        inner_ = builder.matrix(factored_ ? "embedding.inner.weight" : "embedding.weight");
        if (factored_) outer_ = builder.matrix("embedding.outer.weight");
    }

    void read_positions(Builder& builder) {
        if (s_.positions == arch::Positions::free) positions_ = builder.matrix("positions.weight");
        if (s_.positions != arch::Positions::ranked) return;
        positions_ = builder.matrix("positions.inner.weight");
        position_factor_ = builder.matrix("positions.outer.weight");
    }

    // M_V of the input (WIES-EMB-VOCAB, WIES-EMB-CONV): (B, N, d_x).
    [[nodiscard]] Tensor embed(const Input& input) const {
        if (s_.embedding == arch::InputEmbedding::none) return input.values;
        const bool words = s_.embedding == arch::InputEmbedding::vocab;
        const Tensor x = words ? model::embed(inner_.value().transpose(-2, -1), input.tokens)
                               : plain_linear(input.values, inner_.value());
        return factored_ ? plain_linear(x, outer_.value()) : x;
    }

    // (N, d_x), of a stack (K, N, d_x), or undefined.
    [[nodiscard]] Tensor position_rows(std::int64_t count) const {
        if (s_.positions == arch::Positions::none) return {};
        const Tensor rows = positions_.value().narrow(-1, 0, count).transpose(-2, -1);
        return s_.positions == arch::Positions::free ? rows : plain_linear(rows, position_factor_.value());
    }

    AttentionSpec s_;
    bool factored_ = false;
    Matrix inner_, outer_, positions_, position_factor_;
    std::vector<Layer> layers_;
};

}  // namespace

Built build_attention(const AttentionSpec& spec, Builder& builder) {
    return std::make_unique<AnalysedAttention>(spec, builder);
}

}  // namespace plimsoll::model
