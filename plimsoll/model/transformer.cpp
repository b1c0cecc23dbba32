#include <limits>

#include "plimsoll/base/format.h"
#include "plimsoll/model/positions.h"
#include "plimsoll/model/stack.h"
#include "plimsoll/model/transformer_layer.h"

namespace plimsoll::model {
namespace {

using arch::PositionKind;
using arch::TransformerSpec;

// Tokens, patches or vectors to (B, T, width).
class Embedding {
  public:
    Embedding(const TransformerSpec& spec, Builder& builder) : spec_(spec) {
        if (spec.vocab > 0) tokens_ = builder.tensor("tokens.weight");
        if (spec.embedding_rank > 0) factor_ = builder.linear("tokens.factor");
        if (spec.segments > 0) segments_ = builder.tensor("segments.weight");
        if (spec.image.used()) patches_ = builder.linear("patches");
        if (spec.extra_tokens > 0) extra_ = builder.tensor("extra_tokens");
        read_positions(builder);
        norm_ = builder.norm("embedding_norm", spec.norm);
    }

    [[nodiscard]] Tensor operator()(const Input& input, Dropout& dropout) const {
        const bool late_factor = spec_.positions_in_rank;
        Tensor x = vectors(input);
        if (spec_.embedding_rank > 0 && !late_factor) x = factor_(x);
        if (positions_.defined()) x = plus(x, position_rows(x.size(1)).to(x.scalar_type()));
        if (segments_.defined()) x = x + segment_rows(input);
        x = norm_(x);
        return dropout(late_factor ? factor_(x) : x);
    }

  private:
    void read_positions(Builder& builder) {
        if (spec_.positions == PositionKind::learned) positions_ = builder.tensor("positions.weight");
        if (spec_.position_rank > 0) position_factor_ = builder.linear("positions.factor");
        if (spec_.positions == PositionKind::sinusoidal) {
            const std::int64_t size = spec_.positions_in_rank ? spec_.embedding_rank : spec_.width;
            positions_ = builder.buffer("positions", sinusoidal_table(spec_.context, size));
        }
    }

    [[nodiscard]] Tensor vectors(const Input& input) const {
        if (spec_.vocab > 0) return embed(tokens_, input.tokens);
        if (!spec_.image.used()) return input.values;
        const Tensor patches = patches_(cut_patches(spec_.image, input.values));
        if (!extra_.defined()) return patches;
        const Tensor extra = for_each_example(extra_, patches.size(0));
        return at::cat({extra.to(patches.scalar_type()), patches}, 1);
    }

    [[nodiscard]] Tensor position_rows(std::int64_t count) const {
        const Tensor rows = positions_.narrow(-2, 0, count);
        return spec_.position_rank > 0 ? position_factor_(rows) : rows;
    }

    [[nodiscard]] Tensor segment_rows(const Input& input) const {
        const Tensor ids = input.segments.defined() ? input.segments : at::zeros_like(input.tokens);
        return embed(segments_, ids);
    }

    TransformerSpec spec_;
    Tensor tokens_, segments_, extra_, positions_;
    Linear factor_, patches_, position_factor_;
    NormLayer norm_;
};

// What the scores of all layers have in common in one pass.
class ScoreRules {
  public:
    ScoreRules(const TransformerSpec& spec, Builder& builder)
        : spec_(spec), causal_(spec.stack == arch::Stack::decoder) {
        if (spec.positions == PositionKind::rope) {
            rope_ = builder.buffer("rope", rope_table(spec.context, spec.head_dim));
        } else if (spec.positions == PositionKind::alibi) {
            slopes_ = builder.buffer("alibi", at::tensor(alibi_slopes(spec.heads), at::kDouble));
        } else if (spec.positions == PositionKind::relative) {
            relative_ = builder.tensor("relative_positions.weight");
            const auto buckets = relative_buckets(spec.context, spec.position_buckets, causal_);
            buckets_ = builder.buffer("relative_buckets", at::tensor(buckets, at::kLong));
        }
    }

    [[nodiscard]] AttentionView view(const Input& input, const Tensor& x) const {
        AttentionView result;
        result.causal = causal_;
        result.rope = rope_;
        if (spec_.attention == arch::AttentionKind::linear) {
            if (input.padding.defined()) result.absent = input.padding.unsqueeze(1).unsqueeze(3);
            return result;
        }
        result.bias = bias(input, x);
        if (result.bias.defined() && causal_) {
            const Tensor all = at::ones({x.size(1), x.size(1)}, x.options().dtype(at::kBool));
            result.bias = result.bias + hidden(x, all.triu(1));
            result.causal = false;
        }
        return result;
    }

  private:
    // Minus infinity where `mask` is true, else zero.
    [[nodiscard]] static Tensor hidden(const Tensor& x, const Tensor& mask) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return at::zeros(mask.sizes(), x.options()).masked_fill(mask, -infinity);
    }

    [[nodiscard]] Tensor bias(const Input& input, const Tensor& x) const {
        Tensor total;
        const auto add = [&](const Tensor& part) { total = total.defined() ? total + part : part; };
        if (slopes_.defined()) add(alibi_bias(slopes_, x.size(1)).to(x.scalar_type()).unsqueeze(0));
        if (relative_.defined()) add(relative_part(x));
        if (input.padding.defined()) add(hidden(x, input.padding).unsqueeze(1).unsqueeze(2));
        return total;
    }

    // (1, H, T, T) for all examples, or of a stack (K B, H, T, T).
    [[nodiscard]] Tensor relative_part(const Tensor& x) const {
        const Tensor part = relative_bias(relative_, buckets_, spec_.context, x.size(1));
        if (part.dim() == 3) return part.unsqueeze(0);
        const std::int64_t runs = part.size(0), each = x.size(0) / runs;
        return part.unsqueeze(1).expand({runs, each, -1, -1, -1}).flatten(0, 1);
    }

    TransformerSpec spec_;
    bool causal_;
    Tensor rope_, slopes_, relative_, buckets_;
};

// (B, T, width) to the output.
class Head {
  public:
    Head(const TransformerSpec& spec, Builder& builder) : spec_(spec) {
        if (spec.pooler) pooler_ = builder.linear("pooler");
        if (spec.head == arch::HeadKind::classes) classes_ = builder.linear("head");
        if (spec.head != arch::HeadKind::vocab) return;
        if (spec.head_transform) {
            before_ = builder.linear("head.transform");
            norm_ = builder.norm("head.norm", spec.norm);
        } else if (spec.head_rank > 0) {
            before_ = builder.linear("head.factor");
        }
        vocabulary_ = {builder.matrix(spec.tied ? "tokens.weight" : "head.weight"),
                       builder.optional("head.bias")};
    }

    [[nodiscard]] Tensor operator()(const Tensor& x, const Input& input) const {
        switch (spec_.head) {
            case arch::HeadKind::vocab:
                return logits(x);
            case arch::HeadKind::classes:
                return classes_(pooled(x, input));
            case arch::HeadKind::none:
                break;
        }
        return spec_.pooler ? pooled(x, input) : x;
    }

  private:
    [[nodiscard]] Tensor logits(const Tensor& x) const {
        if (spec_.head_transform) return vocabulary_(norm_(activate(spec_.activation, before_(x))));
        return vocabulary_(spec_.head_rank > 0 ? before_(x) : x);
    }

    // The vector that stands for the whole input, (B, width).
    [[nodiscard]] Tensor pooled(const Tensor& x, const Input& input) const {
        const Tensor one = summary(x, input);
        return spec_.pooler ? at::tanh(pooler_(one)) : one;
    }

    [[nodiscard]] Tensor summary(const Tensor& x, const Input& input) const {
        if (spec_.stack == arch::Stack::decoder) return last_vector(x, input);
        if (spec_.image.used() && spec_.extra_tokens == 0) return x.mean(1);
        return x.select(1, 0);
    }

    // Of each sequence, the last position that is not padding.
    [[nodiscard]] static Tensor last_vector(const Tensor& x, const Input& input) {
        if (!input.padding.defined()) return x.select(1, x.size(1) - 1);
        const Tensor place = at::arange(x.size(1), input.padding.options().dtype(at::kLong));
        const Tensor last = place.masked_fill(input.padding, 0).amax(1);  // (B)
        return x.gather(1, last.view({-1, 1, 1}).expand({-1, 1, x.size(2)})).squeeze(1);
    }

    TransformerSpec spec_;
    Linear pooler_, classes_, before_, vocabulary_;
    NormLayer norm_;
};

class Transformer final : public BuiltNetwork {
  public:
    Transformer(const TransformerSpec& spec, Builder& builder)
        : s_(spec),
          dropout_(builder.options().dropout),
          embedding_(spec, builder),
          rules_(spec, builder),
          final_norm_(builder.norm("final_norm", spec.norm)),
          head_(spec, builder) {
        for (std::int64_t l = 0; l < spec.layer_groups; ++l) {
            groups_.emplace_back(spec, fmt::format("layers.{}.", l), builder);
        }
    }

    [[nodiscard]] Tensor forward(const Input& input, const DropoutSeeds& seeds) const override {
        Dropout dropout(dropout_, seeds, parameters().front().tensor.device());
        Tensor x = embedding_(input, dropout);
        x = stack(x, input, dropout);
        return head_(final_norm_(x), input);
    }

  private:
    // Layers that share weights are neighbours, as in ALBERT.
    [[nodiscard]] const TransformerLayer& layer(std::int64_t index) const {
        return groups_[static_cast<std::size_t>(index * s_.layer_groups / s_.depth)];
    }

    // With attention-first order every sublayer is shown as a layer.
    [[nodiscard]] Tensor stack(Tensor x, const Input& input, Dropout& dropout) const {
        const AttentionView view = rules_.view(input, x);
        const bool parallel = s_.order == arch::LayerOrder::parallel;
        const bool apart = s_.order == arch::LayerOrder::attention_first;
        for (std::int64_t l = 0; l < s_.depth; ++l) {
            x = parallel ? layer(l).parallel(x, view, dropout) : layer(l).attention(x, view, dropout);
            if (!parallel && !apart) x = layer(l).feed_forward(x, dropout);
            input.after_layer(x);
        }
        for (std::int64_t l = 0; apart && l < s_.depth; ++l) {
            x = layer(l).feed_forward(x, dropout);
            input.after_layer(x);
        }
        return x;
    }

    TransformerSpec s_;
    double dropout_;
    Embedding embedding_;
    ScoreRules rules_;
    NormLayer final_norm_;
    Head head_;
    std::vector<TransformerLayer> groups_;
};

}  // namespace

Built build_transformer(const TransformerSpec& spec, Builder& builder) {
    return std::make_unique<Transformer>(spec, builder);
}

}  // namespace plimsoll::model
