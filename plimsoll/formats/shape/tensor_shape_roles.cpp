#include "plimsoll/formats/shape/tensor_shape_roles.h"

#include <algorithm>
#include <array>
#include <optional>

#include "plimsoll/base/text.h"

namespace plimsoll::formats {
namespace {

struct RoleName {
    std::string_view part;  // of the name, in lower case
    Role role;
};

// The first part that occurs decides, so the particular ones stand before the general ones.
constexpr std::array role_names{
    RoleName{"token_type_embd", Role::segment_table},
    RoleName{"token_type_embeddings", Role::segment_table},
    RoleName{"a_log", Role::state_space},
    RoleName{"ssm_", Role::state_space},
    RoleName{"time_decay", Role::state_space},
    RoleName{"conv1d", Role::state_space},
    RoleName{"linear_attn", Role::state_space},
    RoleName{"relative_attention_bias", Role::relative_bias},
    RoleName{"attn_rel_b", Role::relative_bias},
    RoleName{"sinks", Role::sinks},
    RoleName{"token_mix", Role::token_mixing},
    RoleName{"tokens_mix", Role::token_mixing},
    RoleName{"mlp_tokens", Role::token_mixing},
    RoleName{"patch_mixer", Role::token_mixing},
    RoleName{"channel_mix", Role::channel_mixing},
    RoleName{"mlp_channels", Role::channel_mixing},
    RoleName{"feature_mixer", Role::channel_mixing},
    RoleName{"q_norm", Role::query_norm},
    RoleName{"query_norm", Role::query_norm},
    RoleName{"q_layernorm", Role::query_norm},
    RoleName{"k_norm", Role::other},
    RoleName{"k_layernorm", Role::other},
    RoleName{"kv_a_layernorm", Role::other},
    RoleName{"q_a_layernorm", Role::other},
    RoleName{"encdecattention.q", Role::cross_query},
    RoleName{"encoder_attn.q", Role::cross_query},
    RoleName{"cross_attn_q", Role::cross_query},
    RoleName{"encdecattention", Role::other},
    RoleName{"encoder_attn.", Role::other},
    RoleName{"crossattention", Role::other},
    RoleName{"q_b_proj", Role::latent_query},
    RoleName{"attn_q_b", Role::latent_query},
    RoleName{"kv_b_proj", Role::latent_kv},
    RoleName{"attn_kv_b", Role::latent_kv},
    RoleName{"q_a_proj", Role::other},
    RoleName{"kv_a_proj", Role::other},
    RoleName{"attn_q_a", Role::other},
    RoleName{"attn_kv_a", Role::other},
    RoleName{"rel_attn.q", Role::query},
    RoleName{"rel_attn.k", Role::key},
    RoleName{"rel_attn.v", Role::value},
    RoleName{"self.in_proj", Role::fused_qkv},
    RoleName{"position_embd", Role::position_table},
    RoleName{"position_embeddings", Role::position_table},
    RoleName{"position_embedding", Role::position_table},
    RoleName{"embed_positions", Role::position_table},
    RoleName{"positional_embedding", Role::position_table},
    RoleName{"pos_embed", Role::position_table},
    RoleName{"wpe.", Role::position_table},
    RoleName{"patch_embed", Role::patch_filter},
    RoleName{"patcher", Role::patch_filter},
    RoleName{"stem.", Role::patch_filter},
    RoleName{"conv_proj", Role::patch_filter},
    RoleName{"norm", Role::norm},
    RoleName{"ln_", Role::norm},
    RoleName{"ln1", Role::norm},
    RoleName{"ln2", Role::norm},
    RoleName{"token_embd", Role::token_table},
    RoleName{"embed_tokens", Role::token_table},
    RoleName{"tok_embeddings", Role::token_table},
    RoleName{"word_embeddings", Role::token_table},
    RoleName{"token_embedding", Role::token_table},
    RoleName{"embed_in", Role::token_table},
    RoleName{"wte.", Role::token_table},
    RoleName{"shared.weight", Role::token_table},
    RoleName{"embeddings.weight", Role::token_table},
    RoleName{"embedding.weight", Role::token_table},
    RoleName{"lm_head", Role::output_head},
    RoleName{"embed_out", Role::output_head},
    RoleName{"query_key_value", Role::fused_qkv},
    RoleName{"qkv", Role::fused_qkv},
    RoleName{"c_attn", Role::fused_qkv},
    RoleName{"in_proj_weight", Role::fused_qkv},
    RoleName{"attn_output", Role::attention_output},
    RoleName{"attention.output.dense", Role::attention_output},
    RoleName{"attn.c_proj", Role::attention_output},
    RoleName{"o_proj", Role::attention_output},
    RoleName{"out_proj", Role::attention_output},
    RoleName{"out_lin", Role::attention_output},
    RoleName{"selfattention.o", Role::attention_output},
    RoleName{"attention.wo", Role::attention_output},
    RoleName{"attn.proj", Role::attention_output},
    RoleName{"self_attention.dense", Role::attention_output},
    RoleName{"attention.dense", Role::attention_output},
    RoleName{"selfattention.q", Role::query},
    RoleName{"selfattention.k", Role::key},
    RoleName{"selfattention.v", Role::value},
    RoleName{"attn_q", Role::query},
    RoleName{"attn_k", Role::key},
    RoleName{"attn_v", Role::value},
    RoleName{"q_proj", Role::query},
    RoleName{"k_proj", Role::key},
    RoleName{"v_proj", Role::value},
    RoleName{"q_lin", Role::query},
    RoleName{"k_lin", Role::key},
    RoleName{"v_lin", Role::value},
    RoleName{"attention.wq", Role::query},
    RoleName{"attention.wk", Role::key},
    RoleName{"attention.wv", Role::value},
    RoleName{"query", Role::query},
    RoleName{"key", Role::key},
    RoleName{"value", Role::value},
    RoleName{"router", Role::router},
    RoleName{"mlp.gate.", Role::router},
    RoleName{"moe.gate.", Role::router},
    RoleName{"ffn_gate_inp", Role::router},
    RoleName{"gate_up", Role::ffn_gate_up},
    RoleName{"gate_proj", Role::ffn_gate},
    RoleName{"ffn_gate", Role::ffn_gate},
    RoleName{"wi_0", Role::ffn_gate},
    RoleName{"wi_1", Role::ffn_in},
    RoleName{"feed_forward.w1", Role::ffn_gate},
    RoleName{"feed_forward.w3", Role::ffn_in},
    RoleName{"feed_forward.w2", Role::ffn_out},
    RoleName{".w1.", Role::ffn_gate},
    RoleName{".w3.", Role::ffn_in},
    RoleName{".w2.", Role::ffn_out},
    RoleName{"up_proj", Role::ffn_in},
    RoleName{"ffn_up", Role::ffn_in},
    RoleName{".wi.", Role::ffn_in},
    RoleName{"c_fc", Role::ffn_in},
    RoleName{"fc1", Role::ffn_in},
    RoleName{"fc_in", Role::ffn_in},
    RoleName{"lin1", Role::ffn_in},
    RoleName{"intermediate", Role::ffn_in},
    RoleName{"dense_h_to_4h", Role::ffn_in},
    RoleName{"linear1", Role::ffn_in},
    RoleName{"down_proj", Role::ffn_out},
    RoleName{"ffn_down", Role::ffn_out},
    RoleName{"mlp.c_proj", Role::ffn_out},
    RoleName{"fc2", Role::ffn_out},
    RoleName{"output.weight", Role::output_head},
};

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::optional<std::int64_t> block_number(std::string_view piece) {
    if (piece.empty() || piece.size() > 6) return std::nullopt;
    std::int64_t number = 0;
    for (const char c : piece) {
        if (c < '0' || c > '9') return std::nullopt;
        number = 10 * number + (c - '0');
    }
    return number;
}

// "a.b.3.c.d" in pieces: "a.b", 3, "c.d"; nothing when no piece of the name is a number.
struct Numbered {
    std::string prefix;
    std::int64_t number = 0;
    std::string rest;
};

std::optional<Numbered> numbered(std::string_view name) {
    std::size_t begin = 0;
    while (begin < name.size()) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        if (const auto number = block_number(name.substr(begin, end - begin))) {
            Numbered parts;
            parts.prefix = std::string(name.substr(0, begin == 0 ? 0 : begin - 1));
            parts.number = *number;
            parts.rest = std::string(end < name.size() ? name.substr(end + 1) : std::string_view());
            return parts;
        }
        begin = end + 1;
    }
    return std::nullopt;
}

// Blocks inside blocks count when every inner number has the same tensors; sublayers (T5's layer.0, layer.1)
// differ.
struct Inner {
    std::map<std::int64_t, std::set<std::string>> members;
};

std::int64_t alike_blocks(const std::map<std::string, Inner>& inside, bool experts) {
    for (const auto& [prefix, inner] : inside) {
        if ((prefix.find("expert") != std::string::npos) != experts || inner.members.size() < 2) continue;
        const auto& first = inner.members.begin()->second;
        if (first.size() < 2 && !experts) continue;
        const bool alike =
            std::ranges::all_of(inner.members, [&](const auto& one) { return one.second == first; });
        if (alike) return static_cast<std::int64_t>(inner.members.size());
    }
    return experts ? 0 : 1;
}

}  // namespace

// Inside a block only what follows its number counts: a prefix may be the name of the model.
Role role_of(std::string_view name) {
    const auto parts = numbered(name);
    const std::string text = lower(parts ? std::string_view(parts->rest) : name);
    const auto found = std::ranges::find_if(
        role_names, [&](const RoleName& one) { return text.find(one.part) != std::string::npos; });
    return found == role_names.end() ? Role::other : found->role;
}

std::vector<BlockStack> block_stacks(const TensorTable& table) {
    std::map<std::string, BlockStack> stacks;
    std::map<std::string, std::map<std::string, Inner>> inside;
    for (const TensorInfo& tensor : table.tensors) {
        const auto parts = numbered(tensor.name);
        if (!parts) continue;
        BlockStack& stack = stacks[parts->prefix];
        stack.prefix = parts->prefix;
        stack.numbers.insert(parts->number);
        stack.elements += tensor.elements;
        stack.tensors.push_back(&tensor);
        if (const auto deeper = numbered(parts->rest)) {
            inside[parts->prefix][deeper->prefix].members[deeper->number].insert(deeper->rest);
        }
    }
    std::vector<BlockStack> sorted;
    for (auto& [prefix, stack] : stacks) {
        stack.inner = alike_blocks(inside[prefix], false);
        stack.experts = alike_blocks(inside[prefix], true);
        sorted.push_back(std::move(stack));
    }
    std::ranges::stable_sort(sorted, std::ranges::greater{}, &BlockStack::elements);
    return sorted;
}

}  // namespace plimsoll::formats
