#include "plimsoll/model/cpu/attention.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <torch/csrc/autograd/custom_function.h>

#include "plimsoll/model/cpu/row_kernels.h"
#include "plimsoll/model/cpu/threads.h"

namespace plimsoll::model::cpu {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Queries are taken in blocks of this size when causal, each with the keys up to its end alone.
constexpr std::int64_t causal_block = 64;

struct Heads {
    Tensor q, k, v;  // (B, H, T, dim)

    [[nodiscard]] std::int64_t pairs() const { return q.size(0) * q.size(1); }
};

// Of one example and head: matrices (T, dim), and what hides their scores.
struct Pair {
    Tensor q, k, v;
    const AttentionRule& rule;
    Tensor bias;  // (T, T) or undefined

    [[nodiscard]] std::int64_t queries() const { return q.size(0); }
    [[nodiscard]] std::int64_t block() const { return rule.causal ? causal_block : queries(); }
    // Keys that queries before `end` may see.
    [[nodiscard]] std::int64_t seen(std::int64_t end) const {
        return rule.causal ? std::min(end, k.size(0)) : k.size(0);
    }
};

// One call where select() and narrow() would be several: a step makes thousands of them.
Tensor matrix_of(const Tensor& x, std::int64_t pair) {
    const std::int64_t example = pair / x.size(1), head = pair % x.size(1);
    return x.as_strided({x.size(2), x.size(3)}, {x.stride(2), x.stride(3)},
                        x.storage_offset() + example * x.stride(0) + head * x.stride(1));
}

struct Range {
    std::int64_t start, count;
};

Tensor block_of(const Tensor& x, Range rows, Range columns) {
    return x.as_strided({rows.count, columns.count}, {x.stride(0), x.stride(1)},
                        x.storage_offset() + rows.start * x.stride(0) + columns.start * x.stride(1));
}
Tensor rows_of(const Tensor& x, Range rows) { return block_of(x, rows, {0, x.size(1)}); }
Tensor transposed_block_of(const Tensor& x, Range rows, Range columns) {
    return x.as_strided({columns.count, rows.count}, {x.stride(1), x.stride(0)},
                        x.storage_offset() + rows.start * x.stride(0) + columns.start * x.stride(1));
}
Tensor transposed_rows_of(const Tensor& x, Range rows) {
    return transposed_block_of(x, rows, {0, x.size(1)});
}

Pair pair_of(const Heads& heads, const AttentionRule& rule, std::int64_t index) {
    return {matrix_of(heads.q, index), matrix_of(heads.k, index), matrix_of(heads.v, index), rule,
            rule.bias.defined() ? matrix_of(rule.bias, index) : Tensor()};
}

// The bias for every pair, its rows in one piece of memory.
AttentionRule spread(AttentionRule rule, const Heads& heads) {
    if (!rule.bias.defined()) return rule;
    Tensor bias = rule.bias.to(heads.q.scalar_type());
    if (bias.size(-1) != heads.k.size(2) || bias.stride(-1) != 1)
        bias = bias.expand({bias.size(0), bias.size(1), bias.size(2), heads.k.size(2)}).contiguous();
    rule.bias = bias.expand({heads.q.size(0), heads.q.size(1), heads.q.size(2), heads.k.size(2)});
    return rule;
}

// Scores of the queries first..first + scores.size(0) become shares.
template <class Number>
void share_rows(const Pair& pair, const Tensor& scores, std::int64_t first) {
    const auto scale = static_cast<Number>(pair.rule.scale);
    const std::int64_t length = scores.size(1), stride = scores.stride(0);
    auto* row = scores.data_ptr<Number>();
    for (std::int64_t i = 0; i < scores.size(0); ++i, row += stride) {
        const Number* bias =
            pair.bias.defined() ? pair.bias.data_ptr<Number>() + (first + i) * pair.bias.stride(0) : nullptr;
        softmax_row(row, bias, scale, pair.seen(first + i + 1), length);
    }
}

// work(queries, keys that they may see) for every block of queries.
template <class Work>
void for_query_blocks(const Pair& pair, const Work& work) {
    for (std::int64_t start = 0; start < pair.queries(); start += pair.block()) {
        const std::int64_t count = std::min(pair.block(), pair.queries() - start);
        work(Range{start, count}, Range{0, pair.seen(start + count)});
    }
}

// shares (T, T): of a causal block of queries only the keys up to its end are written.
template <class Number>
void mix(const Pair& pair, const Tensor& shares, const Tensor& out) {
    for_query_blocks(pair, [&](Range queries, Range keys) {
        Tensor scores = block_of(shares, queries, keys), rows = rows_of(out, queries);
        at::mm_out(scores, rows_of(pair.q, queries), transposed_rows_of(pair.k, keys));
        share_rows<Number>(pair, scores, queries.start);
        at::mm_out(rows, scores, rows_of(pair.v, keys));
    });
}

// The gradient by q; leaves that by the scores in slopes (T, T), where mix() wrote shares.
template <class Number>
void unmix_queries(const Pair& pair, const Tensor& shares, const Tensor& by_out, const Tensor& slopes,
                   const Tensor& by_q) {
    for_query_blocks(pair, [&](Range queries, Range keys) {
        Tensor block = block_of(slopes, queries, keys), rows = rows_of(by_q, queries);
        at::mm_out(block, rows_of(by_out, queries), transposed_rows_of(pair.v, keys));
        for (std::int64_t i = queries.start; i < queries.start + queries.count; ++i) {
            softmax_row_backward(shares.data_ptr<Number>() + i * shares.stride(0),
                                 slopes.data_ptr<Number>() + i * slopes.stride(0),
                                 static_cast<Number>(pair.rule.scale), keys.count);
        }
        at::mm_out(rows, block, rows_of(pair.k, keys));
    });
}

// The gradients by k and v: for a block of keys from the queries that see any of it.
void unmix_keys(const Pair& pair, const Tensor& shares, const Tensor& by_out, const Tensor& slopes,
                const Pair& by) {
    const std::int64_t all = pair.k.size(0), block = pair.rule.causal ? causal_block : all;
    for (std::int64_t start = 0; start < all; start += block) {
        const Range keys{start, std::min(block, all - start)};
        const std::int64_t from = pair.rule.causal ? start : 0;
        const Range queries{from, pair.queries() - from};
        Tensor by_k = rows_of(by.k, keys), by_v = rows_of(by.v, keys);
        at::mm_out(by_k, transposed_block_of(slopes, queries, keys), rows_of(pair.q, queries));
        at::mm_out(by_v, transposed_block_of(shares, queries, keys), rows_of(by_out, queries));
    }
}

// Writes the result to out (B, H, T, value_dim); gives the shares, (B, H, T, T).
Tensor forward_pairs(const Heads& heads, const AttentionRule& given, const Tensor& out) {
    const AttentionRule rule = spread(given, heads);
    Tensor shares =
        at::empty({heads.q.size(0), heads.q.size(1), heads.q.size(2), heads.k.size(2)}, out.options());
    AT_DISPATCH_FLOATING_TYPES(out.scalar_type(), "attention", [&] {
        on_all_threads(heads.pairs(), [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; ++i)
                mix<scalar_t>(pair_of(heads, rule, i), matrix_of(shares, i), matrix_of(out, i));
        });
    });
    return shares;
}

void backward_pairs(const Heads& heads, const AttentionRule& rule, const Tensor& shares, const Tensor& by_out,
                    const Heads& by) {
    AT_DISPATCH_FLOATING_TYPES(shares.scalar_type(), "attention", [&] {
        on_all_threads(heads.pairs(), [&](std::int64_t first, std::int64_t last) {
            const Tensor slopes = at::empty({shares.size(2), shares.size(3)}, shares.options());
            for (std::int64_t i = first; i < last; ++i) {
                const Pair pair = pair_of(heads, rule, i), by_pair = pair_of(by, rule, i);
                const Tensor given = matrix_of(shares, i), by_rows = matrix_of(by_out, i);
                unmix_queries<scalar_t>(pair, given, by_rows, slopes, by_pair.q);
                unmix_keys(pair, given, by_rows, slopes, by_pair);
            }
        });
    });
}

// (B, H, T, dim) with the heads of a position side by side in memory.
Tensor empty_heads(const Tensor& like, std::int64_t heads, std::int64_t dim) {
    return at::empty({like.size(0), like.size(2), heads, dim}, like.options()).transpose(1, 2);
}

// What hides scores is in the shares already; gradients need no more than these.
void keep(AutogradContext* context, const AttentionRule& rule) {
    context->saved_data["scale"] = rule.scale;
    context->saved_data["causal"] = rule.causal;
}
AttentionRule kept(AutogradContext* context) {
    return {context->saved_data["scale"].toDouble(), context->saved_data["causal"].toBool(), {}};
}

struct Attention : torch::autograd::Function<Attention> {
    static Tensor forward(AutogradContext* context, const Tensor& q, const Tensor& k, const Tensor& v,
                          const AttentionRule& rule) {
        Tensor out = empty_heads(q, q.size(1), v.size(3));
        const Tensor shares = forward_pairs({q, k, v}, rule, out);
        context->save_for_backward({q, k, v, shares});
        keep(context, rule);
        return out;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Heads heads{saved[0], saved[1], saved[2]};
        const auto like = [](const Tensor& x) { return empty_heads(x, x.size(1), x.size(3)); };
        const Heads by{like(heads.q), like(heads.k), like(heads.v)};
        backward_pairs(heads, kept(context), saved[3], gradients[0], by);
        return {by.q, by.k, by.v, Tensor()};
    }
};

// Views of (B, T, heads * (2 head_dim + value_dim)).
Heads heads_of(const Tensor& all, std::int64_t heads, std::int64_t head_dim) {
    const std::int64_t keys = heads * head_dim;
    const auto part = [&](std::int64_t from, std::int64_t count) {
        return all.narrow(2, from, count).view({all.size(0), all.size(1), heads, -1}).transpose(1, 2);
    };
    return {part(0, keys), part(keys, keys), part(2 * keys, all.size(2) - 2 * keys)};
}

struct JoinedAttention : torch::autograd::Function<JoinedAttention> {
    static Tensor forward(AutogradContext* context, const Tensor& all, std::int64_t count,
                          std::int64_t head_dim, const AttentionRule& rule) {
        const Heads heads = heads_of(all, count, head_dim);
        const Tensor out = empty_heads(heads.q, count, heads.v.size(3));
        const Tensor shares = forward_pairs(heads, rule, out);
        context->save_for_backward({all, shares});
        context->saved_data["head_dim"] = head_dim;
        keep(context, rule);
        return out.transpose(1, 2).flatten(2);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Tensor &all = saved[0], &shares = saved[1];
        const std::int64_t count = shares.size(1), head_dim = context->saved_data["head_dim"].toInt();
        const Tensor by_all = at::empty(all.sizes(), all.options());
        const Tensor by_out = gradients[0].reshape({all.size(0), all.size(1), count, -1}).transpose(1, 2);
        backward_pairs(heads_of(all, count, head_dim), kept(context), shares, by_out,
                       heads_of(by_all, count, head_dim));
        return {by_all, Tensor(), Tensor(), Tensor()};
    }
};

}  // namespace

Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionRule& rule) {
    return Attention::apply(q, k, v, rule);
}

Tensor joined_attention(const Tensor& all, std::int64_t heads, std::int64_t head_dim,
                        const AttentionRule& rule) {
    return JoinedAttention::apply(all, heads, head_dim, rule);
}

}  // namespace plimsoll::model::cpu
