#pragma once

#include <optional>
#include <string>

#include "plimsoll/arch/transformer.h"
#include "plimsoll/model/builder.h"
#include "plimsoll/model/dropout.h"
#include "plimsoll/model/fused.h"

// The sublayers of a transformer.
namespace plimsoll::model {

// What every attention sublayer of one pass shares.
struct AttentionView {
    Tensor bias;          // added to the scores, (1 or B, 1 or H, T, T); undefined for none
    bool causal = false;  // what comes later is hidden, and `bias` does not say so already
    Tensor absent;        // (B, 1, T, 1): true where there is nothing to read; linear attention only
    Tensor rope;          // see rope_table(); undefined for none
};

class SelfAttention {
  public:
    SelfAttention(const arch::TransformerSpec& spec, const std::string& prefix, Builder& builder);

    // (B, T, width) to the same.
    [[nodiscard]] Tensor operator()(const Tensor& x, const AttentionView& view) const;

  private:
    struct Parts {
        Tensor query, key, value;  // (B, heads, T, dim)
    };
    // Zeros at the end of every head that the projections of x make, and with which LibTorch's fused
    // attention would otherwise fill up queries, keys and values themselves.
    [[nodiscard]] std::int64_t zeros(const Tensor& x) const;
    // True when nothing happens to queries, keys and values between their projection and the scores.
    [[nodiscard]] bool projects_heads_alone() const;
    [[nodiscard]] double scale() const;  // of softmax's scores
    // Normed and, with angles (see rope_table()), rotated.
    [[nodiscard]] Parts project(const Tensor& x, std::int64_t zeros, const Tensor& angles) const;
    [[nodiscard]] std::optional<HeadForm> head_form(std::int64_t heads, const NormLayer& norm,
                                                    const Tensor& angles) const;
    [[nodiscard]] Tensor all_heads(const Tensor& x, std::int64_t zeros) const;
    [[nodiscard]] Tensor join_heads(const Tensor& mixed, std::int64_t zeros) const;

    arch::TransformerSpec spec_;
    double scores_;  // Scaling::scores
    Linear query_, key_, value_, output_;
    NormLayer query_norm_, key_norm_;
};

// W2 phi(W1 x), or W2 (phi(W3 x) * W1 x) when gated.
class FeedForward {
  public:
    FeedForward(const arch::TransformerSpec& spec, const std::string& prefix, Builder& builder);

    [[nodiscard]] Tensor operator()(const Tensor& x) const;

  private:
    [[nodiscard]] Tensor hidden(const Tensor& x) const;

    arch::Activation activation_;
    bool gated_;
    Linear gate_, up_, down_;
};

// One layer with its norms; the sublayers can be run apart, for the attention-first order.
class TransformerLayer {
  public:
    TransformerLayer(const arch::TransformerSpec& spec, const std::string& prefix, Builder& builder);

    [[nodiscard]] Tensor attention(const Tensor& x, const AttentionView& view, Dropout& dropout) const;
    [[nodiscard]] Tensor feed_forward(const Tensor& x, Dropout& dropout) const;
    // Both read the same input.
    [[nodiscard]] Tensor parallel(const Tensor& x, const AttentionView& view, Dropout& dropout) const;

  private:
    // x with what a branch adds to it.
    [[nodiscard]] Tensor with_branch(const Tensor& x, const Tensor& branch) const;

    arch::TransformerSpec spec_;
    double residual_;  // Scaling::residual
    NormLayer attention_norm_, attention_post_norm_, ffn_norm_, ffn_post_norm_;
    SelfAttention attention_;
    std::optional<FeedForward> ffn_;
};

}  // namespace plimsoll::model
