#include "plimsoll/model/transformer_layer.h"

#include "plimsoll/model/positions.h"
#include "plimsoll/model/torch_compat.h"

namespace plimsoll::model {
namespace {

// (B, T, heads * dim) to (B, heads, T, dim).
Tensor split_heads(const Tensor& x, std::int64_t heads) {
    return x.view({x.size(0), x.size(1), heads, -1}).transpose(1, 2);
}

// Every key and value head as often as there are query heads that read it.
Tensor repeat_heads(const Tensor& x, std::int64_t times) {
    if (times == 1) return x;
    return x.unsqueeze(2)
        .expand({x.size(0), x.size(1), times, x.size(2), x.size(3)})
        .reshape({x.size(0), x.size(1) * times, x.size(2), x.size(3)});
}

// sum_j <q_i, k_j> v_j [Levine et al. 2020, eq. 3], over j <= i when causal.
Tensor linear_attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionView& view) {
    const Tensor values = view.absent.defined() ? v.masked_fill(view.absent, 0) : v;
    if (!view.causal) return at::matmul(q, at::matmul(k.transpose(-2, -1), values));
    return at::matmul(at::matmul(q, k.transpose(-2, -1)).tril(), values);
}

}  // namespace

SelfAttention::SelfAttention(const arch::TransformerSpec& spec, const std::string& prefix, Builder& builder)
    : spec_(spec),
      query_(builder.linear(prefix + "query")),
      key_(builder.linear(prefix + "key")),
      value_(builder.linear(prefix + "value")),
      output_(builder.linear(prefix + "output")),
      query_norm_(builder.norm(prefix + "query_norm", spec.norm)),
      key_norm_(builder.norm(prefix + "key_norm", spec.norm)) {}

// Queries, keys and values by one product.
Tensor SelfAttention::all_heads(const Tensor& x) const {
    const Tensor weight = at::cat({query_.weight.value(), key_.weight.value(), value_.weight.value()});
    const Tensor bias = query_.bias.defined() ? at::cat({query_.bias, key_.bias, value_.bias}) : Tensor();
    return at::linear(x, weight, bias);
}

SelfAttention::Parts SelfAttention::project(const Tensor& x) const {
    const std::int64_t queries = spec_.heads * spec_.head_dim, keys = spec_.kv_heads * spec_.head_dim;
    const Tensor all = all_heads(x);
    Tensor q = all.narrow(2, 0, queries), k = all.narrow(2, queries, keys);
    const Tensor v = all.narrow(2, queries + keys, spec_.kv_heads * spec_.value_dim);
    if (spec_.qk_norm == arch::QkNorm::full) q = query_norm_(q), k = key_norm_(k);
    q = split_heads(q, spec_.heads), k = split_heads(k, spec_.kv_heads);
    if (spec_.qk_norm == arch::QkNorm::head) q = query_norm_(q), k = key_norm_(k);
    return {q, k, split_heads(v, spec_.kv_heads)};
}

Tensor SelfAttention::operator()(const Tensor& x, const AttentionView& view) const {
    Parts parts = project(x);
    if (view.rope.defined()) {
        parts.query = rotate(parts.query, view.rope);
        parts.key = rotate(parts.key, view.rope);
    }
    const std::int64_t times = spec_.heads / spec_.kv_heads;
    const Tensor key = repeat_heads(parts.key, times), value = repeat_heads(parts.value, times);
    const Tensor mixed = spec_.attention == arch::AttentionKind::softmax
                             ? softmax_attention(parts.query, key, value, view.bias, view.causal)
                             : linear_attention(parts.query, key, value, view);
    return output_(mixed.transpose(1, 2).flatten(2));
}

FeedForward::FeedForward(const arch::TransformerSpec& spec, const std::string& prefix, Builder& builder)
    : activation_(spec.activation),
      gated_(spec.ffn_matrices == 3),
      gate_(gated_ ? builder.linear(prefix + "gate") : Linear{}),
      up_(builder.linear(prefix + "up")),
      down_(builder.linear(prefix + "down")) {}

Tensor FeedForward::operator()(const Tensor& x) const {
    const Tensor hidden = gated_ ? activate(activation_, gate_(x)) * up_(x) : activate(activation_, up_(x));
    return down_(hidden);
}

TransformerLayer::TransformerLayer(const arch::TransformerSpec& spec, const std::string& prefix,
                                   Builder& builder)
    : spec_(spec),
      attention_norm_(builder.norm(prefix + "attention_norm", spec.norm)),
      attention_post_norm_(builder.norm(prefix + "attention_post_norm", spec.norm)),
      ffn_norm_(builder.norm(prefix + "ffn_norm", spec.norm)),
      ffn_post_norm_(builder.norm(prefix + "ffn_post_norm", spec.norm)),
      attention_(spec, prefix + "attention.", builder) {
    if (spec.ffn > 0) ffn_.emplace(spec, prefix + "ffn.", builder);
}

Tensor TransformerLayer::attention(const Tensor& x, const AttentionView& view, Dropout& dropout) const {
    if (spec_.norm_order == arch::NormOrder::post) {
        return attention_norm_(x + dropout(attention_(x, view)));
    }
    return x + dropout(attention_post_norm_(attention_(attention_norm_(x), view)));
}

Tensor TransformerLayer::feed_forward(const Tensor& x, Dropout& dropout) const {
    if (!ffn_) return x;
    if (spec_.norm_order == arch::NormOrder::post) return ffn_norm_(x + dropout((*ffn_)(x)));
    return x + dropout(ffn_post_norm_((*ffn_)(ffn_norm_(x))));
}

Tensor TransformerLayer::parallel(const Tensor& x, const AttentionView& view, Dropout& dropout) const {
    const Tensor normed = attention_norm_(x);
    Tensor sum = x + dropout(attention_post_norm_(attention_(normed, view)));
    if (!ffn_) return sum;
    return sum + dropout(ffn_post_norm_((*ffn_)(spec_.shared_norm ? normed : ffn_norm_(x))));
}

}  // namespace plimsoll::model
