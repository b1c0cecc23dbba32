#include "plimsoll/exporter/stock.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::exporter {
namespace {

using arch::TransformerSpec;

// A property that a class needs, in the words of a spec.
struct Need {
    const char* words;
    bool (*holds)(const TransformerSpec&);
};
using Needs = std::span<const Need>;

// What none of the classes can do without.
constexpr auto every_class = std::to_array<Need>({
    {"order=interleaved", [](const TransformerSpec& s) { return s.order == arch::LayerOrder::interleaved; }},
    {"attention=softmax",
     [](const TransformerSpec& s) { return s.attention == arch::AttentionKind::softmax; }},
    {"sinks=off", [](const TransformerSpec& s) { return !s.sinks; }},
    {"kv_rank=none", [](const TransformerSpec& s) { return s.kv_rank == 0; }},
    {"value_dim=head_dim", [](const TransformerSpec& s) { return s.value_dim == s.head_dim; }},
    {"layer_groups=depth", [](const TransformerSpec& s) { return s.layer_groups == s.depth; }},
    {"a feed-forward layer (ffn)", [](const TransformerSpec& s) { return s.ffn > 0; }},
    {"experts=none", [](const TransformerSpec& s) { return s.experts == 0; }},
    {"an activation other than square",
     [](const TransformerSpec& s) { return s.activation != arch::Activation::square; }},
    {"position_rank=none", [](const TransformerSpec& s) { return s.position_rank == 0; }},
    {"factor_bias=off", [](const TransformerSpec& s) { return !s.factor_bias; }},
    {"positions_in_rank=off", [](const TransformerSpec& s) { return !s.positions_in_rank; }},
});

constexpr auto whole_heads = std::to_array<Need>({
    {"qk_norm=none", [](const TransformerSpec& s) { return s.qk_norm == arch::QkNorm::none; }},
    {"heads * head_dim = width", [](const TransformerSpec& s) { return s.heads * s.head_dim == s.width; }},
    {"kv_heads=heads", [](const TransformerSpec& s) { return s.kv_heads == s.heads; }},
    {"ffn_matrices=2", [](const TransformerSpec& s) { return s.ffn_matrices == 2; }},
    {"norm=layer", [](const TransformerSpec& s) { return s.norm == arch::Norm::layer; }},
    {"norm_bias=on", [](const TransformerSpec& s) { return s.norm != arch::Norm::layer || s.norm_bias; }},
    {"positions=learned",
     [](const TransformerSpec& s) { return s.positions == arch::PositionKind::learned; }},
});

constexpr auto reads_text = std::to_array<Need>({
    {"vocab", [](const TransformerSpec& s) { return s.vocab > 0; }},
});

constexpr auto causal = std::to_array<Need>({
    {"stack=decoder", [](const TransformerSpec& s) { return s.stack == arch::Stack::decoder; }},
    {"head=vocab", [](const TransformerSpec& s) { return s.head == arch::HeadKind::vocab; }},
    {"segments=none", [](const TransformerSpec& s) { return s.segments == 0; }},
    {"embedding_norm=off", [](const TransformerSpec& s) { return !s.embedding_norm; }},
    {"pooler=off", [](const TransformerSpec& s) { return !s.pooler; }},
    {"head_transform=off", [](const TransformerSpec& s) { return !s.head_transform; }},
    {"head_bias=off", [](const TransformerSpec& s) { return !s.head_bias; }},
});

constexpr auto pre_norm = std::to_array<Need>({
    {"norm_order=pre", [](const TransformerSpec& s) { return s.norm_order == arch::NormOrder::pre; }},
    {"final_norm=on", [](const TransformerSpec& s) { return s.final_norm; }},
});

constexpr auto qkv_bias =
    std::to_array<Need>({{"qkv_bias=on", [](const TransformerSpec& s) { return s.qkv_bias; }}});

constexpr auto other_biases = std::to_array<Need>({
    {"out_bias=on", [](const TransformerSpec& s) { return s.out_bias; }},
    {"ffn_bias=on", [](const TransformerSpec& s) { return s.ffn_bias; }},
});

constexpr auto whole_tables = std::to_array<Need>({
    {"embedding_rank=none", [](const TransformerSpec& s) { return s.embedding_rank == 0; }},
    {"head_rank=none", [](const TransformerSpec& s) { return s.head_rank == 0; }},
});

// What Llama and Qwen 3 have in common.
constexpr auto llama_layers = std::to_array<Need>({
    {"norm=rms", [](const TransformerSpec& s) { return s.norm == arch::Norm::rms; }},
    {"positions=rope", [](const TransformerSpec& s) { return s.positions == arch::PositionKind::rope; }},
    {"ffn_matrices=3", [](const TransformerSpec& s) { return s.ffn_matrices == 3; }},
    {"an even head_dim", [](const TransformerSpec& s) { return s.head_dim % 2 == 0; }},
    {"qkv_bias=out_bias", [](const TransformerSpec& s) { return s.qkv_bias == s.out_bias; }},
});

constexpr auto llama_alone = std::to_array<Need>({
    {"qk_norm=none", [](const TransformerSpec& s) { return s.qk_norm == arch::QkNorm::none; }},
    {"heads that divide width", [](const TransformerSpec& s) { return s.width % s.heads == 0; }},
});

constexpr auto qwen3_alone = std::to_array<Need>({
    {"qk_norm=head", [](const TransformerSpec& s) { return s.qk_norm == arch::QkNorm::head; }},
    {"ffn_bias=off", [](const TransformerSpec& s) { return !s.ffn_bias; }},
});

constexpr auto opt_alone = std::to_array<Need>({
    {"norm_order=pre or post",
     [](const TransformerSpec& s) { return s.norm_order != arch::NormOrder::both; }},
    {"final_norm=on with norm_order=pre alone",
     [](const TransformerSpec& s) { return s.final_norm == (s.norm_order == arch::NormOrder::pre); }},
    {"one setting for qkv_bias, out_bias and ffn_bias",
     [](const TransformerSpec& s) { return s.qkv_bias == s.out_bias && s.out_bias == s.ffn_bias; }},
    {"head_rank=embedding_rank", [](const TransformerSpec& s) { return s.head_rank == s.embedding_rank; }},
    {"an embedding_rank other than width",
     [](const TransformerSpec& s) { return s.embedding_rank != s.width; }},
});

constexpr auto bert_alone = std::to_array<Need>({
    {"stack=encoder", [](const TransformerSpec& s) { return s.stack == arch::Stack::encoder; }},
    {"norm_order=post", [](const TransformerSpec& s) { return s.norm_order == arch::NormOrder::post; }},
    {"final_norm=off", [](const TransformerSpec& s) { return !s.final_norm; }},
    {"embedding_norm=on", [](const TransformerSpec& s) { return s.embedding_norm; }},
    {"segments", [](const TransformerSpec& s) { return s.segments > 0; }},
    {"head_bias=on", [](const TransformerSpec& s) { return s.head_bias; }},
});

constexpr auto masked = std::to_array<Need>({
    {"head=vocab", [](const TransformerSpec& s) { return s.head == arch::HeadKind::vocab; }},
    {"tied=on", [](const TransformerSpec& s) { return s.tied; }},
    {"head_transform=on", [](const TransformerSpec& s) { return s.head_transform; }},
    {"pooler=off", [](const TransformerSpec& s) { return !s.pooler; }},
});

constexpr auto first_token = std::to_array<Need>({
    {"head=classes", [](const TransformerSpec& s) { return s.head == arch::HeadKind::classes; }},
    {"pooler=on", [](const TransformerSpec& s) { return s.pooler; }},
});

constexpr auto vit_alone = std::to_array<Need>({
    {"an image (patch)", [](const TransformerSpec& s) { return s.image.used(); }},
    {"stack=encoder", [](const TransformerSpec& s) { return s.stack == arch::Stack::encoder; }},
    {"embedding_norm=off", [](const TransformerSpec& s) { return !s.embedding_norm; }},
    {"patch_bias=on", [](const TransformerSpec& s) { return s.patch_bias; }},
    {"extra_tokens=1", [](const TransformerSpec& s) { return s.extra_tokens == 1; }},
    {"head=classes", [](const TransformerSpec& s) { return s.head == arch::HeadKind::classes; }},
    {"head_bias=on", [](const TransformerSpec& s) { return s.head_bias; }},
    {"pooler=off", [](const TransformerSpec& s) { return !s.pooler; }},
});

struct StockRow {
    StockClass stock;
    std::string_view name;
    std::vector<Needs> needs;
};

// In the order in which they are tried.
const std::vector<StockRow>& stock_rows() {
    static const std::vector<StockRow> rows{
        {StockClass::gpt2,
         "GPT2LMHeadModel",
         {every_class, reads_text, causal, whole_heads, pre_norm, qkv_bias, other_biases, whole_tables}},
        {StockClass::llama,
         "LlamaForCausalLM",
         {every_class, reads_text, causal, pre_norm, whole_tables, llama_layers, llama_alone}},
        {StockClass::qwen3,
         "Qwen3ForCausalLM",
         {every_class, reads_text, causal, pre_norm, whole_tables, llama_layers, qwen3_alone}},
        {StockClass::opt, "OPTForCausalLM", {every_class, reads_text, causal, whole_heads, opt_alone}},
        {StockClass::bert_masked,
         "BertForMaskedLM",
         {every_class, reads_text, whole_heads, qkv_bias, other_biases, whole_tables, bert_alone, masked}},
        {StockClass::bert_classifier,
         "BertForSequenceClassification",
         {every_class, reads_text, whole_heads, qkv_bias, other_biases, whole_tables, bert_alone,
          first_token}},
        {StockClass::vit,
         "ViTForImageClassification",
         {every_class, whole_heads, pre_norm, other_biases, vit_alone}},
    };
    return rows;
}

std::vector<std::string> unmet(const StockRow& row, const TransformerSpec& spec) {
    std::vector<std::string> words;
    for (const Needs needs : row.needs) {
        for (const Need& need : needs) {
            if (!need.holds(spec)) words.emplace_back(need.words);
        }
    }
    return words;
}

}  // namespace

std::string_view class_name(StockClass stock) {
    for (const StockRow& row : stock_rows()) {
        if (row.stock == stock) return row.name;
    }
    PLIMSOLL_CHECK(false, "a stock class without a row");
    return {};
}

std::variant<StockClass, std::string> stock_class_of(const arch::ArchSpec& spec) {
    const auto* transformer = std::get_if<TransformerSpec>(&spec);
    if (transformer == nullptr) {
        return fmt::format("no stock Hugging Face class computes the family {}", arch::family_name(spec));
    }
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    std::vector<std::string> nearest, reasons;
    for (const StockRow& row : stock_rows()) {
        const auto words = unmet(row, *transformer);
        if (words.empty()) return row.stock;
        if (words.size() > fewest) continue;
        if (words.size() < fewest) nearest.clear(), reasons.clear(), fewest = words.size();
        std::string reason = join(words, " and ");
        if (std::ranges::find(reasons, reason) != reasons.end()) continue;
        nearest.push_back(fmt::format("{} needs {}", row.name, reason));
        reasons.push_back(std::move(reason));
    }
    return "no stock Hugging Face class fits: " + join(nearest, "; ");
}

}  // namespace plimsoll::exporter
