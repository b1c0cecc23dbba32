#include "plimsoll/model/transformer_layer.h"

#include <cmath>

#include "plimsoll/model/cpu/attention.h"
#include "plimsoll/model/cpu/products.h"
#include "plimsoll/model/fused.h"
#include "plimsoll/model/positions.h"
#include "plimsoll/model/torch_compat.h"

namespace plimsoll::model {
namespace {

// (B, T, heads * dim) to (B, heads, T, dim).
Tensor split_heads(const Tensor& x, std::int64_t heads) {
    return x.view({x.size(0), x.size(1), heads, -1}).transpose(1, 2);
}

// Dimension `dim` (from the end) as heads of `size` numbers: (..., heads * size, ...) to (..., heads, size,
// ...).
Tensor in_heads(const Tensor& x, std::int64_t dim, std::int64_t size) {
    std::vector<std::int64_t> shape = x.sizes().vec();
    const auto place = shape.end() + dim;
    *place /= size;
    shape.insert(place + 1, size);
    return x.reshape(shape);
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

// No gradient goes through the bias there.
bool view_suits_cpu(const Tensor& x, const AttentionView& view) {
    return cpu::ours(x) && !(view.bias.defined() && view.bias.requires_grad());
}

Tensor softmax_heads(const Tensor& q, const Tensor& k, const Tensor& v, double scale,
                     const AttentionView& view) {
    if (view_suits_cpu(q, view)) return cpu::attention(q, k, v, {scale, view.causal, view.bias});
    return softmax_attention(q, k, v, scale, view.bias, view.causal);
}

}  // namespace

SelfAttention::SelfAttention(const arch::TransformerSpec& spec, const std::string& prefix, Builder& builder)
    : spec_(spec),
      scores_(builder.options().scaling.scores),
      query_(builder.linear(prefix + "query")),
      key_(builder.linear(prefix + "key")),
      value_(builder.linear(prefix + "value")),
      output_(builder.linear(prefix + "output")),
      query_norm_(builder.norm(prefix + "query_norm", spec.norm)),
      key_norm_(builder.norm(prefix + "key_norm", spec.norm)) {}

std::int64_t SelfAttention::zeros(const Tensor& x) const {
    constexpr std::int64_t multiple = 8;  // of numbers of two bytes
    const bool plain = spec_.attention == arch::AttentionKind::softmax && spec_.head_dim == spec_.value_dim &&
                       spec_.positions != arch::PositionKind::rope && spec_.qk_norm == arch::QkNorm::none;
    if (!plain || !x.is_cuda() || x.scalar_type() != at::kBFloat16) return 0;
    return (multiple - spec_.head_dim % multiple) % multiple;
}

bool SelfAttention::projects_heads_alone() const {
    return spec_.attention == arch::AttentionKind::softmax && spec_.kv_heads == spec_.heads &&
           spec_.positions != arch::PositionKind::rope && spec_.qk_norm == arch::QkNorm::none;
}

double SelfAttention::scale() const { return scores_ / std::sqrt(static_cast<double>(spec_.head_dim)); }

// Queries, keys and values by one product.
Tensor SelfAttention::all_heads(const Tensor& x, std::int64_t zeros) const {
    Tensor weight = at::cat({query_.weight.value(), key_.weight.value(), value_.weight.value()}, -2);
    Tensor bias = query_.bias.defined() ? at::cat({query_.bias, key_.bias, value_.bias}, -1) : Tensor();
    if (zeros > 0) {
        weight = at::constant_pad_nd(in_heads(weight, -2, spec_.head_dim), {0, 0, 0, zeros}).flatten(-3, -2);
        if (bias.defined())
            bias = at::constant_pad_nd(in_heads(bias, -1, spec_.head_dim), {0, zeros}).flatten(-2);
    }
    return linear(x, weight, bias);
}

SelfAttention::Parts SelfAttention::project(const Tensor& x, std::int64_t zeros, const Tensor& angles) const {
    const std::int64_t queries = spec_.heads * (spec_.head_dim + zeros),
                       keys = spec_.kv_heads * (spec_.head_dim + zeros);
    const std::int64_t values = spec_.kv_heads * (spec_.value_dim + zeros);
    // Not narrow(): the gradients of a split are joined at once, those of three slices are filled up with
    // zeros and added.
    const auto all = at::split_with_sizes(all_heads(x, zeros), {queries, keys, values}, 2);
    Tensor q = all[0], k = all[1];
    const auto query_form = head_form(spec_.heads, query_norm_, angles),
               key_form = head_form(spec_.kv_heads, key_norm_, angles);
    if (query_form && key_form && forms_heads(q, *query_form) && forms_heads(k, *key_form))
        return {form_heads(q, *query_form), form_heads(k, *key_form), split_heads(all[2], spec_.kv_heads)};
    if (spec_.qk_norm == arch::QkNorm::full) q = query_norm_(q), k = key_norm_(k);
    q = split_heads(q, spec_.heads), k = split_heads(k, spec_.kv_heads);
    if (spec_.qk_norm == arch::QkNorm::head) q = query_norm_(q), k = key_norm_(k);
    if (angles.defined()) q = rotate(q, angles), k = rotate(k, angles);
    return {q, k, split_heads(all[2], spec_.kv_heads)};
}

// What the kernels of a GPU can do in one pass; none for norms that they do not have.
std::optional<HeadForm> SelfAttention::head_form(std::int64_t heads, const NormLayer& norm,
                                                 const Tensor& angles) const {
    const bool normed = spec_.qk_norm == arch::QkNorm::head;
    const bool known = spec_.qk_norm == arch::QkNorm::none || (normed && norm.kind == arch::Norm::rms);
    if (!known || (!normed && !angles.defined())) return {};
    return HeadForm{heads, normed ? norm.weight : Tensor(), norm_epsilon, angles};
}

// (B, heads, T, value_dim + zeros) to (B, T, width).
Tensor SelfAttention::join_heads(const Tensor& mixed, std::int64_t zeros) const {
    const Tensor joined = mixed.transpose(1, 2).flatten(2);
    if (zeros == 0) return output_(joined);
    const Tensor weight = output_.weight.value();
    const Tensor wide =
        at::constant_pad_nd(in_heads(weight, -1, weight.size(-1) / spec_.heads), {0, zeros}).flatten(-2);
    return linear(joined, wide, output_.bias);
}

Tensor SelfAttention::operator()(const Tensor& x, const AttentionView& view) const {
    const std::int64_t zeros = this->zeros(x);
    if (projects_heads_alone() && view_suits_cpu(x, view))
        return output_(cpu::joined_attention(all_heads(x, zeros), spec_.heads, spec_.head_dim,
                                             {scale(), view.causal, view.bias}));
    const Parts parts = project(x, zeros, view.rope);
    const std::int64_t times = spec_.heads / spec_.kv_heads;
    const Tensor key = repeat_heads(parts.key, times), value = repeat_heads(parts.value, times);
    if (spec_.attention == arch::AttentionKind::linear) {
        const Tensor query = scores_ == 1 ? parts.query : parts.query * scores_;
        return join_heads(linear_attention(query, key, value, view), zeros);
    }
    return join_heads(softmax_heads(parts.query, key, value, scale(), view), zeros);
}

FeedForward::FeedForward(const arch::TransformerSpec& spec, const std::string& prefix, Builder& builder)
    : activation_(spec.activation),
      gated_(spec.ffn_matrices == 3),
      gate_(gated_ ? builder.linear(prefix + "gate") : Linear{}),
      up_(builder.linear(prefix + "up")),
      down_(builder.linear(prefix + "down")) {}

Tensor FeedForward::operator()(const Tensor& x) const { return down_(hidden(x)); }

Tensor FeedForward::hidden(const Tensor& x) const {
    if (!gated_) return activate(activation_, up_(x));
    const Tensor gate = gate_.weight.value();
    if (!joins_gate(x, activation_, gate.size(-2))) return activate(activation_, gate_(x)) * up_(x);
    const Tensor bias = gate_.bias.defined() ? at::cat({gate_.bias, up_.bias}, -1) : Tensor();
    return gated(activation_, linear(x, at::cat({gate, up_.weight.value()}, -2), bias));
}

TransformerLayer::TransformerLayer(const arch::TransformerSpec& spec, const std::string& prefix,
                                   Builder& builder)
    : spec_(spec),
      residual_(builder.options().scaling.residual),
      attention_norm_(builder.norm(prefix + "attention_norm", spec.norm)),
      attention_post_norm_(builder.norm(prefix + "attention_post_norm", spec.norm)),
      ffn_norm_(builder.norm(prefix + "ffn_norm", spec.norm)),
      ffn_post_norm_(builder.norm(prefix + "ffn_post_norm", spec.norm)),
      attention_(spec, prefix + "attention.", builder) {
    if (spec.ffn > 0) ffn_.emplace(spec, prefix + "ffn.", builder);
}

Tensor TransformerLayer::with_branch(const Tensor& x, const Tensor& branch) const {
    return at::add(x, branch, residual_);
}

Tensor TransformerLayer::attention(const Tensor& x, const AttentionView& view, Dropout& dropout) const {
    if (spec_.norm_order == arch::NormOrder::post) {
        return attention_norm_(with_branch(x, dropout(attention_(x, view))));
    }
    return with_branch(x, dropout(attention_post_norm_(attention_(attention_norm_(x), view))));
}

Tensor TransformerLayer::feed_forward(const Tensor& x, Dropout& dropout) const {
    if (!ffn_) return x;
    if (spec_.norm_order == arch::NormOrder::post) return ffn_norm_(with_branch(x, dropout((*ffn_)(x))));
    return with_branch(x, dropout(ffn_post_norm_((*ffn_)(ffn_norm_(x)))));
}

Tensor TransformerLayer::parallel(const Tensor& x, const AttentionView& view, Dropout& dropout) const {
    const Tensor normed = attention_norm_(x);
    Tensor sum = with_branch(x, dropout(attention_post_norm_(attention_(normed, view))));
    if (!ffn_) return sum;
    return with_branch(sum, dropout(ffn_post_norm_((*ffn_)(spec_.shared_norm ? normed : ffn_norm_(x)))));
}

}  // namespace plimsoll::model
