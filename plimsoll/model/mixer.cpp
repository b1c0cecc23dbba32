#include <algorithm>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/model/fused.h"
#include "plimsoll/model/mlp.h"
#include "plimsoll/model/stack.h"

namespace plimsoll::model {
namespace {

using arch::MixerSpec;

// J_2 (I_k (x) W) J_1 x on vec(X), the columns of X one below the other (HAYASE-PK).
struct ShuffledLinear {
    Linear matrix;
    std::int64_t copies = 1;
    std::pair<Tensor, Tensor> before, after;

    Tensor operator()(const Tensor& x) const {
        const Tensor parts = permute_last(x, before.first, before.second).view({x.size(0), copies, -1});
        return permute_last(matrix(parts).flatten(1), after.first, after.second);
    }
};

ShuffledLinear read_shuffled(const MixerSpec& spec, const std::string& name, std::int64_t copies,
                             std::int64_t number, Builder& builder) {
    ShuffledLinear result{builder.linear(name), copies, {}, {}};
    const Tensor& weight = result.matrix.weight.stored;
    const Shuffle shuffle =
        random_shuffle(spec.permutation_seed, number, copies * weight.size(-1), copies * weight.size(-2));
    result.before = builder.permutation(name + ".before", shuffle.before);
    result.after = builder.permutation(name + ".after", shuffle.after);
    return result;
}

// One half of a block between frozen random permutations.
struct ShuffledMlp {
    arch::Activation activation;
    std::vector<ShuffledLinear> matrices;  // one or two

    Tensor operator()(const Tensor& x, Dropout& dropout) const {
        const Tensor flat = x.transpose(1, 2).flatten(1);  // vec(X)
        Tensor y = dropout(activate(activation, matrices.front()(flat)));
        if (matrices.size() > 1) y = dropout(matrices.back()(y));
        return y.view({x.size(0), x.size(2), x.size(1)}).transpose(1, 2);
    }
};

// The masks of causal token mixing: hidden unit u belongs to token u / (hidden / tokens).
struct CausalMasks {
    Tensor up, down;
};

CausalMasks causal_masks(const MixerSpec& spec, Builder& builder) {
    if (!spec.causal) return {};
    const Tensor token = at::arange(spec.tokens, at::kLong);
    if (spec.simple) {
        const Tensor mask = token.unsqueeze(1).ge(token.unsqueeze(0));
        return {builder.buffer("causal", mask.to(at::kDouble)), {}};
    }
    const Tensor owner = token.repeat_interleave(spec.token_hidden / spec.tokens);
    const Tensor up = owner.unsqueeze(1).ge(token.unsqueeze(0));
    return {builder.buffer("causal.up", up.to(at::kDouble)),
            builder.buffer("causal.down", token.unsqueeze(1).ge(owner.unsqueeze(0)).to(at::kDouble))};
}

// The first `rows` and `cols` of a linear map: what a shorter text needs of a causal one.
Tensor leading(const Linear& linear, const Tensor& mask, const Tensor& x, std::int64_t rows) {
    const std::int64_t cols = x.size(-1);
    const Tensor whole = linear.weight.value();
    const Tensor weight = (whole * mask.to(whole.scalar_type())).narrow(-2, 0, rows).narrow(-1, 0, cols);
    return model::linear(x, weight, linear.bias.defined() ? linear.bias.narrow(-1, 0, rows) : Tensor());
}

class Block {
  public:
    Block(const MixerSpec& spec, std::int64_t index, Builder& builder)
        : s_(spec), residual_(builder.options().scaling.residual) {
        const std::string name = fmt::format("blocks.{}.", index);
        token_norm_ = builder.norm(name + "token_norm", spec.norm);
        channel_norm_ = builder.norm(name + "channel_norm", spec.norm);
        const auto& permuted = spec.permuted;
        shuffled_ = std::find(permuted.begin(), permuted.end(), index + 1) != permuted.end();
        if (!shuffled_) {
            tokens_ = read_mlp(name + "tokens", spec.simple, spec.activation, builder);
            channels_ = read_mlp(name + "channels", spec.simple, spec.activation, builder);
            return;
        }
        const std::int64_t first = index * (spec.simple ? 2 : 4) + 1;  // number of the block's first matrix
        shuffled_tokens_ = read_mlp_between(name + "tokens", spec.channels, first, builder);
        shuffled_channels_ =
            read_mlp_between(name + "channels", spec.tokens, first + (spec.simple ? 1 : 2), builder);
    }

    [[nodiscard]] Tensor operator()(Tensor x, const CausalMasks& masks, Dropout& dropout) const {
        x = with_tokens(x, masks, dropout);
        const Tensor normed = channel_norm_(x);
        const Tensor channels = shuffled_ ? shuffled_channels_(normed, dropout) : channels_(normed, dropout);
        return s_.skip ? at::add(x, channels, residual_) : channels;
    }

  private:
    [[nodiscard]] ShuffledMlp read_mlp_between(const std::string& name, std::int64_t copies,
                                               std::int64_t number, Builder& builder) const {
        if (s_.simple) return {s_.activation, {read_shuffled(s_, name, copies, number, builder)}};
        return {s_.activation,
                {read_shuffled(s_, name + ".up", copies, number, builder),
                 read_shuffled(s_, name + ".down", copies, number + 1, builder)}};
    }

    // x with what its tokens say to one another, (B, S, C).
    [[nodiscard]] Tensor with_tokens(const Tensor& x, const CausalMasks& masks, Dropout& dropout) const {
        const Tensor normed = token_norm_(x);
        if (shuffled_) {
            const Tensor tokens = shuffled_tokens_(normed, dropout);
            return s_.skip ? at::add(x, tokens, residual_) : tokens;
        }
        const Tensor by_channel = mix_tokens(transposed(normed), masks, dropout);
        return s_.skip ? plus_transposed(x, by_channel, residual_) : transposed(by_channel);
    }

    // by_channel (B, C, S) to the same.
    [[nodiscard]] Tensor mix_tokens(const Tensor& by_channel, const CausalMasks& masks,
                                    Dropout& dropout) const {
        if (!s_.causal) return tokens_(by_channel, dropout);
        const std::int64_t count = by_channel.size(2);
        const std::int64_t hidden = s_.simple ? count : s_.token_hidden / s_.tokens * count;
        Tensor y = dropout(activate(s_.activation, leading(tokens_.up, masks.up, by_channel, hidden)));
        if (!s_.simple) y = dropout(leading(tokens_.down, masks.down, y, count));
        return y;
    }

    MixerSpec s_;
    double residual_;  // Scaling::residual
    bool shuffled_ = false;
    NormLayer token_norm_, channel_norm_;
    Mlp tokens_, channels_;
    ShuffledMlp shuffled_tokens_, shuffled_channels_;
};

class Mixer final : public BuiltNetwork {
  public:
    Mixer(const MixerSpec& spec, Builder& builder)
        : s_(spec), dropout_(builder.options().dropout), masks_(causal_masks(spec, builder)) {
        if (spec.image.used()) patches_ = builder.linear("patches");
        if (spec.vocab > 0) tokens_ = builder.tensor("tokens.weight");
        for (std::int64_t l = 0; l < spec.depth; ++l) blocks_.emplace_back(spec, l, builder);
        final_norm_ = builder.norm("final_norm", spec.norm);
        if (spec.classes > 0) head_ = builder.linear("head");
        if (spec.vocab_head) head_ = {builder.matrix(spec.tied ? "tokens.weight" : "head.weight"), {}};
    }

    [[nodiscard]] Tensor forward(const Input& input, const DropoutSeeds& seeds) const override {
        Dropout dropout(dropout_, seeds, parameters().front().tensor.device());
        Tensor x = embed(input);
        for (const Block& block : blocks_) {
            x = block(x, masks_, dropout);
            input.after_layer(x);
        }
        x = final_norm_(x);
        if (s_.classes > 0) return head_(x.mean(1));
        return s_.vocab_head ? head_(x) : x;
    }

  private:
    [[nodiscard]] Tensor embed(const Input& input) const {
        if (s_.vocab > 0) return model::embed(tokens_, input.tokens);
        return s_.image.used() ? patches_(cut_patches(s_.image, input.values)) : input.values;
    }

    MixerSpec s_;
    double dropout_;
    CausalMasks masks_;
    Linear patches_, head_;
    Tensor tokens_;
    std::vector<Block> blocks_;
    NormLayer final_norm_;
};

}  // namespace

Built build_mixer(const MixerSpec& spec, Builder& builder) { return std::make_unique<Mixer>(spec, builder); }

}  // namespace plimsoll::model
