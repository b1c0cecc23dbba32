#include <cmath>
#include <limits>

#include "plimsoll/model/cpu/attention.h"
#include "tests/model/cpu_test_support.h"

namespace plimsoll::model {
namespace {

using at::Tensor;

// From LibTorch's operations, one after the other.
Tensor plain_attention(const Tensor& q, const Tensor& k, const Tensor& v, const cpu::AttentionRule& rule) {
    Tensor scores = at::matmul(q, k.transpose(2, 3)) * rule.scale;
    if (rule.bias.defined()) scores = scores + rule.bias.to(scores.scalar_type());
    if (rule.causal) {
        const Tensor later = at::ones({q.size(2), k.size(2)}, at::kBool).triu(1);
        scores = scores.masked_fill(later, -std::numeric_limits<double>::infinity());
    }
    return at::matmul(at::softmax(scores, -1), v);
}

// Zeros, minus infinity for the last entries of every example but the first.
Tensor padding_bias(std::int64_t batch, std::int64_t length) {
    Tensor bias = at::zeros({batch, 1, 1, length}, at::kDouble);
    for (std::int64_t b = 1; b < batch; ++b)
        bias[b].narrow(2, length - length / 3, length / 3).fill_(-std::numeric_limits<double>::infinity());
    return bias;
}

constexpr std::int64_t batch = 2, heads = 3, key_dim = 5, value_dim = 4;

// Queries, keys and values as a projection leaves them, (B, T, H, dim): not contiguous once transposed.
std::vector<Tensor> parts_of(std::int64_t length) {
    return {normal({batch, length, heads, key_dim}, 1), normal({batch, length, heads, key_dim}, 2),
            normal({batch, length, heads, value_dim}, 3)};
}

auto on_parts(const auto& function, const cpu::AttentionRule& rule) {
    return [function, rule](const std::vector<Tensor>& in) {
        return function(in[0].transpose(1, 2), in[1].transpose(1, 2), in[2].transpose(1, 2), rule);
    };
}

void check(std::int64_t length, const cpu::AttentionRule& rule, const std::string& what) {
    // The direction is not contiguous either.
    const Tensor direction = normal({batch, length, heads, value_dim}, 4).transpose(1, 2);
    expect_same(on_parts(cpu::attention, rule), on_parts(plain_attention, rule), parts_of(length), direction,
                what + ", length " + std::to_string(length));
}

// Lengths around those of a block of queries.
constexpr std::int64_t lengths[] = {1, 2, 31, 63, 64, 65, 130};

TEST(CpuAttention, IsTheCompositionOfItsParts) {
    for (const std::int64_t length : lengths) {
        check(length, {0.4, false, {}}, "all");
        check(length, {0.4, true, {}}, "causal");
    }
}

TEST(CpuAttention, AddsABiasThatBroadcasts) {
    for (const std::int64_t length : lengths) {
        const Tensor by_head = normal({1, heads, length, length}, 5);
        for (const bool causal : {false, true}) {
            check(length, {0.4, causal, by_head}, "by head");
            check(length, {0.4, causal, by_head.transpose(2, 3)}, "transposed");
            check(length, {0.4, causal, padding_bias(batch, length)}, "padding");
            check(length, {0.4, causal, normal({1, 1, length, 1}, 6)}, "one number a row");
        }
    }
}

// A row with nothing to read is not a number, as with LibTorch's softmax.
TEST(CpuAttention, ARowWithoutKeysIsNotANumber) {
    const Tensor x = normal({1, 1, 3, 2}, 1).to(at::kFloat);
    Tensor bias = at::zeros({1, 1, 3, 3}, at::kFloat);
    bias[0][0][1].fill_(-std::numeric_limits<float>::infinity());
    const Tensor y = cpu::attention(x, x, x, {1, false, bias});
    EXPECT_TRUE(y.select(2, 1).isnan().all().item<bool>());
    EXPECT_FALSE(y.select(2, 0).isnan().any().item<bool>());
    EXPECT_FALSE(y.select(2, 2).isnan().any().item<bool>());
}

// Scores of thousands: the small shares vanish, none overflows. Float has no digits left for a comparison.
TEST(CpuAttention, ScoresMayBeLarge) {
    for (const bool causal : {false, true}) {
        const auto parts = parts_of(65);
        const Tensor direction = normal({batch, heads, 65, value_dim}, 4);
        const cpu::AttentionRule rule{2000.0, causal, {}};
        const auto got = outcome(on_parts(cpu::attention, rule), parts, direction, at::kDouble);
        const auto wanted = outcome(on_parts(plain_attention, rule), parts, direction, at::kDouble);
        EXPECT_LT(difference(got[0], wanted[0]), 1e-9);
        for (const Tensor& one : outcome(on_parts(cpu::attention, rule), parts, direction, at::kFloat))
            EXPECT_TRUE(one.isfinite().all().item<bool>());
    }
}

TEST(CpuAttention, JoinedIsApart) {
    for (const bool causal : {false, true}) {
        const cpu::AttentionRule rule{0.3, causal, padding_bias(batch, 70)};
        const std::int64_t keys = heads * key_dim, values = heads * value_dim;
        const auto apart = [&](const std::vector<Tensor>& in) {
            const auto cut = at::split_with_sizes(in[0], {keys, keys, values}, 2);
            const auto head = [&](std::size_t i) {
                return cut[i].reshape({batch, 70, heads, -1}).transpose(1, 2);
            };
            return cpu::attention(head(0), head(1), head(2), rule).transpose(1, 2).flatten(2);
        };
        const auto joined = [&](const std::vector<Tensor>& in) {
            return cpu::joined_attention(in[0], heads, key_dim, rule);
        };
        const std::vector<Tensor> all{normal({batch, 70, 2 * keys + values}, 1)};
        const Tensor direction = normal({70, batch, values}, 2).transpose(0, 1);
        const auto a = outcome(apart, all, direction, at::kFloat),
                   b = outcome(joined, all, direction, at::kFloat);
        EXPECT_TRUE(at::equal(a[0], b[0]));
        EXPECT_TRUE(at::equal(a[1], b[1]));
    }
}

TEST(CpuAttention, ThreadsChangeNoBit) {
    const Tensor direction = normal({batch, heads, 130, value_dim}, 4);
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble})
        expect_same_bits(on_parts(cpu::attention, {0.4, true, {}}), parts_of(130), direction, dtype);
}

}  // namespace
}  // namespace plimsoll::model
