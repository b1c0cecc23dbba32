#include "plimsoll/audit/weights/weight_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

using formats::TensorInfo;
using Index = std::unordered_map<std::string_view, const TensorInfo*>;

// How one family of checkpoints names the projections below a layer's prefix; `output` lists alternatives.
struct AttentionStyle {
    AttentionLayout layout;
    std::string_view query, key, value, output;
    std::string_view only_below;  // the prefix must contain this; empty: any
};

// Tried in this order for each tensor that ends in `query`; all four must be there.
constexpr std::array attention_styles{
    // Llama, Mistral, Qwen, Gemma, OPT, BART, CLIP, Phi, GPT-J, GPT-Neo, wav2vec2
    AttentionStyle{AttentionLayout::separate, ".q_proj.weight", ".k_proj.weight", ".v_proj.weight",
                   ".o_proj.weight|.out_proj.weight|.dense.weight", ""},
    // BERT, RoBERTa, ESM, Swin
    AttentionStyle{AttentionLayout::separate, ".self.query.weight", ".self.key.weight", ".self.value.weight",
                   ".output.dense.weight", ""},
    // DeBERTa
    AttentionStyle{AttentionLayout::separate, ".self.query_proj.weight", ".self.key_proj.weight",
                   ".self.value_proj.weight", ".output.dense.weight", ""},
    // ViT
    AttentionStyle{AttentionLayout::separate, ".attention.query.weight", ".attention.key.weight",
                   ".attention.value.weight", ".output.dense.weight", ""},
    // ALBERT; Whisper in OpenAI's own names
    AttentionStyle{AttentionLayout::separate, ".query.weight", ".key.weight", ".value.weight",
                   ".dense.weight|.out.weight", ""},
    // T5
    AttentionStyle{AttentionLayout::separate, ".q.weight", ".k.weight", ".v.weight", ".o.weight", ""},
    // DistilBERT
    AttentionStyle{AttentionLayout::separate, ".q_lin.weight", ".k_lin.weight", ".v_lin.weight",
                   ".out_lin.weight", ""},
    // Llama and Mistral in their makers' names
    AttentionStyle{AttentionLayout::separate, ".wq.weight", ".wk.weight", ".wv.weight", ".wo.weight", ""},
    // GGUF
    AttentionStyle{AttentionLayout::separate, ".attn_q.weight", ".attn_k.weight", ".attn_v.weight",
                   ".attn_output.weight", ""},
    AttentionStyle{AttentionLayout::stacked, ".attn_qkv.weight", "", "", ".attn_output.weight", ""},
    // GPT-2, Qwen 1
    AttentionStyle{AttentionLayout::stacked, ".c_attn.weight", "", "", ".c_proj.weight", ""},
    // ViT of timm
    AttentionStyle{AttentionLayout::stacked, ".qkv.weight", "", "", ".proj.weight", ""},
    // Phi-3; MPT and ModernBERT; Baichuan; torch.nn.MultiheadAttention
    AttentionStyle{AttentionLayout::stacked, ".qkv_proj.weight", "", "", ".o_proj.weight", ""},
    AttentionStyle{AttentionLayout::stacked, ".Wqkv.weight", "", "", ".out_proj.weight|.Wo.weight", ""},
    AttentionStyle{AttentionLayout::stacked, ".W_pack.weight", "", "", ".o_proj.weight", ""},
    AttentionStyle{AttentionLayout::stacked, ".in_proj_weight", "", "", ".out_proj.weight", ""},
    // ChatGLM has the name of the next row, but stacks
    AttentionStyle{AttentionLayout::stacked, ".query_key_value.weight", "", "", ".dense.weight",
                   "encoder.layers."},
    // GPT-NeoX, BLOOM, Falcon; InternLM2
    AttentionStyle{AttentionLayout::grouped, ".query_key_value.weight", "", "", ".dense.weight", ""},
    AttentionStyle{AttentionLayout::grouped, ".wqkv.weight", "", "", ".wo.weight", ""},
};

// MLA, by the tensor that makes keys and values.
struct LatentStyle {
    std::string_view value, key, latent_gain, query, query_first, query_second, query_gain, output;
};

constexpr std::array latent_styles{
    LatentStyle{".kv_b_proj.weight", ".kv_a_proj_with_mqa.weight", ".kv_a_layernorm.weight", ".q_proj.weight",
                ".q_a_proj.weight", ".q_b_proj.weight", ".q_a_layernorm.weight", ".o_proj.weight"},
    LatentStyle{".attn_kv_b.weight", ".attn_kv_a_mqa.weight", ".attn_kv_a_norm.weight", ".attn_q.weight",
                ".attn_q_a.weight", ".attn_q_b.weight", ".attn_q_a_norm.weight", ".attn_output.weight"},
};

struct MatrixStyle {
    WeightRole role;
    std::string_view ending;
};

// Token tables in order of preference: the first that is there is the input's, the others are copies or
// heads.
constexpr std::array<std::string_view, 14> token_tables{
    "embed_tokens.weight",    "wte.weight",      "word_embeddings.weight", "tok_embeddings.weight",
    "token_embd.weight",      "embed_in.weight", "shared.weight",          "word_embedding.weight",
    "token_embedding.weight", "wte.embedding",   "tokens_embed.weight",    "embedding.weight",
    "embeddings.weight",      "embedder.weight",
};

constexpr std::array matrix_styles{
    MatrixStyle{WeightRole::input_embedding, "patch_embed.proj.weight"},
    MatrixStyle{WeightRole::input_embedding, "patch_embeddings.projection.weight"},
    MatrixStyle{WeightRole::input_embedding, "patch_embedding.weight"},
    MatrixStyle{WeightRole::input_embedding, "stem.proj.weight"},
    MatrixStyle{WeightRole::input_embedding, "encoder.conv1.weight"},
    MatrixStyle{WeightRole::input_embedding, "patcher.weight"},
    // Factorised embeddings: the second factor
    MatrixStyle{WeightRole::input_embedding, "embedding_hidden_mapping_in.weight"},
    MatrixStyle{WeightRole::input_embedding, "embeddings_project.weight"},
    MatrixStyle{WeightRole::input_embedding, "decoder.project_in.weight"},
    MatrixStyle{WeightRole::token_mixing, ".mlp_tokens.fc1.weight"},
    MatrixStyle{WeightRole::token_mixing, ".mlp_tokens.fc2.weight"},
    MatrixStyle{WeightRole::token_mixing, ".linear_tokens.weight"},
    MatrixStyle{WeightRole::token_mixing, ".patch_mixer.mlp.fc1.weight"},
    MatrixStyle{WeightRole::token_mixing, ".patch_mixer.mlp.fc2.weight"},
    MatrixStyle{WeightRole::channel_mixing, ".mlp_channels.fc1.weight"},
    MatrixStyle{WeightRole::channel_mixing, ".mlp_channels.fc2.weight"},
    MatrixStyle{WeightRole::channel_mixing, ".feature_mixer.mlp.fc1.weight"},
    MatrixStyle{WeightRole::channel_mixing, ".feature_mixer.mlp.fc2.weight"},
};

Index index_of(const formats::TensorTable& table) {
    Index index;
    for (const TensorInfo& tensor : table.tensors) index.emplace(tensor.name, &tensor);
    return index;
}

const TensorInfo* look_up(const Index& index, const std::string& name) {
    const auto found = index.find(name);
    return found == index.end() ? nullptr : found->second;
}

const TensorInfo* any_of(const Index& index, const std::string& prefix, std::string_view endings) {
    for (const std::string& ending : split(endings, '|')) {
        if (const TensorInfo* tensor = look_up(index, prefix + ending)) return tensor;
    }
    return nullptr;
}

bool is_matrix(const TensorInfo& tensor) { return tensor.shape.size() >= 2 && tensor.elements > 0; }

bool is_fused(const AttentionStyle& style) { return style.layout != AttentionLayout::separate; }

// GPT-2 keeps [in, out]: its fused tensor is wider than tall.
bool lies_input_first(const AttentionTensors& layer) {
    return layer.layout == AttentionLayout::stacked && layer.query->shape.size() == 2 &&
           layer.query->shape[1] > layer.query->shape[0] && layer.query->name.ends_with(".c_attn.weight");
}

std::optional<AttentionTensors> match(const Index& index, const TensorInfo& tensor,
                                      const AttentionStyle& style) {
    if (!tensor.name.ends_with(style.query)) return std::nullopt;
    AttentionTensors layer;
    layer.name = tensor.name.substr(0, tensor.name.size() - style.query.size());
    if (layer.name.find(style.only_below) == std::string::npos) return std::nullopt;
    layer.layout = style.layout;
    layer.query = &tensor;
    layer.output = any_of(index, layer.name, style.output);
    if (!is_fused(style)) {
        layer.key = any_of(index, layer.name, style.key);
        layer.value = any_of(index, layer.name, style.value);
    }
    if (layer.output == nullptr || (!is_fused(style) && !(layer.key && layer.value))) return std::nullopt;
    layer.input_first = lies_input_first(layer);
    return layer;
}

std::optional<AttentionTensors> match(const Index& index, const TensorInfo& tensor,
                                      const LatentStyle& style) {
    if (!tensor.name.ends_with(style.value)) return std::nullopt;
    AttentionTensors layer;
    layer.layout = AttentionLayout::latent;
    layer.name = tensor.name.substr(0, tensor.name.size() - style.value.size());
    layer.value = &tensor;
    layer.key = any_of(index, layer.name, style.key);
    layer.latent_gain = any_of(index, layer.name, style.latent_gain);
    layer.query_first = any_of(index, layer.name, style.query_first);
    layer.query_gain = any_of(index, layer.name, style.query_gain);
    layer.query = any_of(index, layer.name, layer.query_first ? style.query_second : style.query);
    layer.output = any_of(index, layer.name, style.output);
    if (!(layer.key && layer.query && layer.output)) return std::nullopt;
    return layer;
}

template <class Styles>
std::optional<AttentionTensors> match_any(const Index& index, const TensorInfo& tensor,
                                          const Styles& styles) {
    for (const auto& style : styles) {
        if (auto layer = match(index, tensor, style)) return layer;
    }
    return std::nullopt;
}

// Names that promise attention although the rest of the layer was not found.
bool looks_like_queries(std::string_view name) {
    return std::any_of(attention_styles.begin(), attention_styles.end(), [name](const AttentionStyle& style) {
        return style.query.size() > std::string_view(".q.weight").size() && name.ends_with(style.query);
    });
}

void find_attention(const formats::TensorTable& table, const Index& index, WeightNames& names) {
    std::set<std::string> latent;
    for (const TensorInfo& tensor : table.tensors) {
        auto layer = match_any(index, tensor, latent_styles);
        if (!layer) layer = match_any(index, tensor, attention_styles);
        if (!layer) continue;
        if (layer->layout == AttentionLayout::latent) latent.insert(layer->query->name);
        names.attention.push_back(std::move(*layer));
    }
    std::set<std::string_view> used;
    for (const AttentionTensors& layer : names.attention) used.insert(layer.query->name);
    for (const TensorInfo& tensor : table.tensors) {
        if (!looks_like_queries(tensor.name) || used.contains(tensor.name) || latent.contains(tensor.name))
            continue;
        names.not_analysed.push_back(
            {tensor.name, "no key, value or output projection of a known name beside it"});
    }
    std::sort(names.attention.begin(), names.attention.end(),
              [](const auto& a, const auto& b) { return natural_less(a.name, b.name); });
}

// "wte.weight" or "transformer.wte.weight", but not "newte.weight".
bool ends_in_part(std::string_view name, std::string_view ending) {
    if (!name.ends_with(ending)) return false;
    return name.size() == ending.size() || ending.front() == '.' ||
           name[name.size() - ending.size() - 1] == '.';
}

void find_token_table(const formats::TensorTable& table, WeightNames& names) {
    for (const std::string_view ending : token_tables) {
        for (const TensorInfo& tensor : table.tensors) {
            if (tensor.shape.size() != 2 || !ends_in_part(tensor.name, ending)) continue;
            names.matrices.push_back({WeightRole::input_embedding, &tensor});
            return;
        }
    }
}

void find_matrices(const formats::TensorTable& table, WeightNames& names) {
    for (const TensorInfo& tensor : table.tensors) {
        for (const MatrixStyle& style : matrix_styles) {
            if (is_matrix(tensor) && ends_in_part(tensor.name, style.ending)) {
                names.matrices.push_back({style.role, &tensor});
            }
        }
    }
}

bool knows_layers(const WeightNames& names) {
    return !names.attention.empty() ||
           std::any_of(names.matrices.begin(), names.matrices.end(),
                       [](const NamedMatrix& matrix) { return matrix.role != WeightRole::input_embedding; });
}

// Where no name says what a layer does, each matrix stands for itself.
void take_every_matrix(const formats::TensorTable& table, WeightNames& names) {
    std::set<const TensorInfo*> taken;
    for (const NamedMatrix& matrix : names.matrices) taken.insert(matrix.tensor);
    for (const TensorInfo& tensor : table.tensors) {
        if (is_matrix(tensor) && !taken.contains(&tensor))
            names.matrices.push_back({WeightRole::matrix, &tensor});
    }
}

std::string_view take_number(std::string_view& text) {
    std::size_t size = 0;
    while (size < text.size() && std::isdigit(static_cast<unsigned char>(text[size])) != 0) ++size;
    const std::string_view number = text.substr(0, size);
    text.remove_prefix(size);
    return number;
}

std::string_view without_zeros(std::string_view number) {
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

}  // namespace

std::string_view name_of(WeightRole role) {
    static constexpr std::array<std::string_view, 6> names{"input embedding", "value-output",   "query-key",
                                                           "token mixing",    "channel mixing", "matrix"};
    const auto index = static_cast<std::size_t>(role);
    PLIMSOLL_CHECK(index < names.size(), "a role without a name");
    return names[index];
}

WeightNames find_weights(const formats::TensorTable& table) {
    WeightNames names;
    const Index index = index_of(table);
    find_token_table(table, names);
    find_matrices(table, names);
    find_attention(table, index, names);
    if (!knows_layers(names)) take_every_matrix(table, names);
    std::stable_sort(names.matrices.begin(), names.matrices.end(), [](const auto& a, const auto& b) {
        const bool a_input = a.role == WeightRole::input_embedding,
                   b_input = b.role == WeightRole::input_embedding;
        if (a_input != b_input) return a_input;
        return !a_input && natural_less(a.tensor->name, b.tensor->name);
    });
    return names;
}

std::optional<std::int64_t> layer_number(std::string_view name) {
    for (const std::string& part : split(name, '.')) {
        const auto number = parse_integer(part, "layer");
        if (number.ok()) return *number;
    }
    return std::nullopt;
}

bool natural_less(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        const std::string_view first = without_zeros(take_number(a)), second = without_zeros(take_number(b));
        if (first.size() != second.size()) return first.size() < second.size();
        if (first != second) return first < second;
        if (a.empty() || b.empty()) break;
        if (a.front() != b.front()) return a.front() < b.front();
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    return a.empty() && !b.empty();
}

}  // namespace plimsoll::audit
