#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/arch/tensors.h"
#include "tests/support/random_spec.h"

// The second way to the FLOPs: every matrix of the tensor list, times how often one unit uses it, plus the
// products of attention.
namespace plimsoll::arch {
namespace {

using Uses = std::function<Count(const TensorShape&)>;

bool has(const TensorShape& tensor, std::string_view piece) {
    return tensor.name.find(piece) != std::string::npos;
}

bool is_matrix(const TensorShape& tensor) {
    return tensor.shape.size() >= 2 && !tensor.name.ends_with("bias");
}

Count flops(const ArchSpec& spec, const Uses& uses) {
    Count sum;
    for (const auto& tensor : tensors(spec)) {
        if (is_matrix(tensor)) sum += Count(2) * tensor.size() * uses(tensor);
    }
    return sum;
}

// Uses of a tensor per token of a stack; routed experts are scaled by the caller.
Count transformer_uses(const TransformerSpec& s, const TensorShape& t, std::int64_t tokens) {
    if (t.name == "tokens.weight") return 0;
    if (has(t, "positions") || has(t, "segments") || t.name == "extra_tokens") return 0;
    if (t.name == "patches.weight") return s.image.patches();
    if (t.name == "pooler.weight" || (t.name == "head.weight" && s.head == HeadKind::classes)) return 1;
    if (has(t, "tokens.factor") && s.stack == Stack::encoder_decoder) return tokens * 2;
    return tokens;
}

Count attention_products(const TransformerSpec& s, std::int64_t tokens) {
    const std::int64_t layers = s.depth + 2 * s.decoder_depth;  // a decoder layer has two attentions
    const bool linear = s.attention == AttentionKind::linear;
    const Count one = linear ? Count(4 * s.head_dim * s.value_dim)
                             : Count(2 * tokens) * s.head_dim + Count(2 * tokens) * s.value_dim;
    return Count(layers * s.heads) * one;
}

// Shared layers are listed once per group and used once per layer.
Count transformer_flops(const TransformerSpec& s, const CountReport& r) {
    const bool whole = r.unit == "image" || r.unit == "sequence";
    const std::int64_t tokens = whole ? r.tokens : 1;
    Count outside, layers, routed;
    for (const auto& t : tensors(s)) {
        if (!is_matrix(t)) continue;
        const Count one = Count(2) * t.size() * transformer_uses(s, t, tokens);
        const bool in_layer = has(t, "layers.");
        const bool expert = has(t, "experts.") && !has(t, "shared") && !has(t, "router");
        (expert ? routed : in_layer ? layers : outside) += one;
    }
    if (s.head == HeadKind::vocab && s.tied) {
        outside += Count(2 * s.vocab * tokens) * (s.head_rank > 0 ? s.head_rank : s.width);
    }
    // (layers + routed * active / experts) * depth / groups, kept whole by multiplying out.
    const Count share = layers * std::max<std::int64_t>(1, s.experts) + routed * s.experts_active;
    const Count all = share * (s.layer_groups == s.depth ? 1 : s.depth);
    const std::int64_t divisor =
        std::max<std::int64_t>(1, s.experts) * (s.layer_groups == s.depth ? 1 : s.layer_groups);
    const double layered = all.real() / static_cast<double>(divisor);  // exact: far below 2^53 in these tests
    return outside + Count(static_cast<std::int64_t>(layered)) +
           Count(tokens) * attention_products(s, r.tokens);
}

struct Expected {
    const CountReport& r;

    Count operator()(const TransformerSpec& s) const { return transformer_flops(s, r); }
    Count operator()(const AttentionSpec& s) const {
        const Count matrices = flops(s, [&](const TensorShape& t) -> Count {
            if (has(t, "positions")) return 0;
            const bool looked_up =
                s.embedding == InputEmbedding::vocab && has(t, "embedding") && !has(t, "outer");
            return looked_up ? 0 : 1;
        });
        return matrices + Count(4 * s.depth * s.heads * s.head_dim * s.head_dim);
    }
    Count operator()(const SquareMixerSpec& s) const {
        int layer = 0;
        return flops(s, [&](const TensorShape&) { return Count(layer++ % 2 == 0 ? s.cols : s.rows); });
    }
    Count operator()(const SquareMlpSpec& s) const {
        return flops(s, [&](const TensorShape&) { return Count(s.cols); });
    }
    Count operator()(const MixerSpec& s) const {
        const Count tied = s.tied ? Count(2 * s.tokens * s.vocab * s.channels) : Count();
        return tied + flops(s, [&](const TensorShape& t) -> Count {
                   if (t.name == "tokens.weight") return 0;
                   if (t.name == "head.weight" && s.classes > 0) return 1;
                   return has(t, ".tokens.") ? s.channels : s.tokens;
               });
    }
    Count operator()(const PkSpec& s) const {
        std::int64_t layer = 0;
        return flops(
            s, [&](const TensorShape& t) { return Count(has(t, "block") ? pk_blocks(s, ++layer) : 1); });
    }
    Count operator()(const SwMlpSpec& s) const {
        const Count sparse = Count(2 * s.net.depth * (s.hidden == 0 ? 1 : 2)) * s.connections;
        return sparse + flops(s, [](const TensorShape&) { return Count(1); });
    }
    Count operator()(const MonarchSpec& s) const {
        return flops(s, [&](const TensorShape& t) -> Count {
            if (!s.tied_blocks || !has(t, "layers.")) return 1;
            return has(t, "first") ? s.blocks : s.second_blocks;
        });
    }
    [[nodiscard]] Count vision(const ArchSpec& spec, std::int64_t region) const {
        return flops(spec, [&](const TensorShape& t) -> Count {
            if (has(t, "weighting") || has(t, "head.")) return 1;
            const bool side = has(t, ".height.") || has(t, ".width.");
            return side ? r.tokens / region : r.tokens;
        });
    }
    Count operator()(const S2MlpSpec& s) const { return vision(s, 1); }
    Count operator()(const VipSpec& s) const { return vision(s, 1); }
    Count operator()(const HireMlpSpec& s) const { return vision(s, s.region); }
    Count operator()(const MlpSpec& s) const {
        return flops(s, [](const TensorShape& t) { return Count(t.name == "categories.weight" ? 0 : 1); });
    }
};

TEST(Flops, EqualTheMatricesTimesTheirUses) {
    testing::for_random_specs(150, [](const ArchSpec& spec) {
        const auto result = count(spec, {});
        ASSERT_TRUE(result.ok());
        EXPECT_EQ(result->forward_flops.text(), std::visit(Expected{*result}, spec).text());
    });
}

// Half of them are the multiply-adds that model tables print: ViT-B/16 17.6 G, Mixer-B/16 12.6 G.
TEST(Flops, AgreeWithPublishedVisionModels) {
    const auto giga = [](const char* text) {
        return count(*parse_spec(text), {})->forward_flops.real() / 2e9;
    };
    EXPECT_NEAR(giga("transformer:depth=12,width=768,heads=12,patch=16,classes=1000"), 17.6, 0.05);
    EXPECT_NEAR(giga("mixer:depth=12,channels=768,patch=16,token_hidden=384,classes=1000"), 12.6, 0.05);
}

}  // namespace
}  // namespace plimsoll::arch
