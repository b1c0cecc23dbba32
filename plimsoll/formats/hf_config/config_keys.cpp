#include "plimsoll/formats/hf_config/config_keys.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/format.h"

namespace plimsoll::formats {

namespace keys {

const Keys depth{"num_hidden_layers",
                 "n_layer",
                 "n_layers",
                 "num_layers",
                 "decoder_layers",
                 "encoder_layers",
                 "depth",
                 "layers",
                 "num_blocks",
                 "num_encoder_layers",
                 "n_blocks",
                 "num_layer",
                 "encoder_depth",
                 "num_transformer_layers",
                 "l_layers",
                 "num_self_attends_per_block"};
const Keys encoder_depth{
    "encoder_layers", "encoder_num_hidden_layers", "num_encoder_layers", "encoder_num_layers",
    "num_layers",     "num_hidden_layers",         "n_layers",           "n_layer"};
const Keys decoder_depth{"decoder_layers", "num_decoder_layers", "decoder_num_hidden_layers",
                         "decoder_num_layers", "decoder_n_layers"};
const Keys width{
    "d_latents",         "hidden_size",       "n_embd",     "d_model",      "dim",           "n_embed",
    "model_dim",         "emb_dim",           "dim_model",  "embed_dim",    "embedding_dim", "width",
    "encoder_embed_dim", "decoder_embed_dim", "hidden_dim", "hidden_width", "input_dim"};
const Keys heads{"num_attention_heads",
                 "n_head",
                 "n_heads",
                 "num_heads",
                 "encoder_attention_heads",
                 "decoder_attention_heads",
                 "attention_heads",
                 "num_query_heads",
                 "heads",
                 "n_attention_heads",
                 "num_attn_heads",
                 "encoder_num_attention_heads",
                 "num_self_attention_heads"};
const Keys kv_heads{
    "num_key_value_heads", "num_kv_heads",     "n_kv_heads", "n_head_kv", "multi_query_group_num",
    "n_query_groups",      "num_query_groups", "kv_n_heads", "kv_heads",  "n_kv_head"};
const Keys head_dim{"head_dim",    "d_kv",      "d_head",   "attention_head_size", "attention_head_dim",
                    "kv_channels", "head_size", "dim_head", "size_per_head",       "attention_dim_head"};
const Keys ffn{"intermediate_size",
               "ffn_dim",
               "d_ff",
               "n_inner",
               "ffn_hidden_size",
               "encoder_ffn_dim",
               "decoder_ffn_dim",
               "d_inner",
               "dff",
               "mlp_hidden_size",
               "hidden_dim",
               "mlp_dim",
               "dim_feedforward",
               "inner_dim",
               "feed_forward_dim",
               "feedforward_dim",
               "intermediate_dim",
               "dim_ff",
               "ff_dim",
               "inner_hidden_size",
               "encoder_ffn_embed_dim"};
const Keys decoder_ffn{"decoder_ffn_dim", "decoder_intermediate_size", "decoder_ffn_embed_dim"};
const Keys vocab{"padded_vocab_size", "vocab_size", "n_vocab", "vocabulary_size", "n_tokens", "vocab_len"};
const Keys context{"max_position_embeddings",
                   "n_positions",
                   "n_ctx",
                   "max_seq_len",
                   "seq_length",
                   "max_sequence_length",
                   "max_target_positions",
                   "max_source_positions",
                   "max_seq_length",
                   "block_size",
                   "context_length",
                   "model_max_length",
                   "max_context_length",
                   "seq_len",
                   "max_window_size"};
const Keys embedding_rank{"embedding_size", "input_embedding_size", "word_embed_proj_dim", "d_embed"};
const Keys experts{"num_local_experts", "num_experts", "n_routed_experts",   "moe_num_experts",
                   "num_moe_experts",   "n_experts",   "num_routed_experts", "n_expert"};
const Keys experts_active{"num_experts_per_tok",
                          "num_experts_per_token",
                          "num_selected_experts",
                          "moe_topk",
                          "top_k_experts",
                          "moe_top_k",
                          "moe_k",
                          "experts_per_token",
                          "n_expert_per_token",
                          "num_experts_per_topk",
                          "router_topk"};
const Keys expert_ffn{"moe_intermediate_size", "expert_ffn_hidden_size", "expert_ffn_dim",
                      "moe_ffn_hidden_size"};
const Keys shared_experts{"n_shared_experts", "num_shared_experts", "moe_num_shared_experts",
                          "num_shared_expert"};
const Keys shared_expert_ffn{"shared_expert_intermediate_size", "shared_intermediate_size",
                             "moe_shared_expert_intermediate_size"};
const Keys dense_layers{"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"};
const Keys channels{"num_channels",       "in_channels", "in_chans",
                    "num_input_channels", "channels",    "n_channels"};
const Keys image_size{"image_size", "img_size", "input_size", "sample_size"};
const Keys patch_size{"patch_size", "patch"};
const Keys state_size{"state_size", "d_state", "ssm_state_size", "mamba_d_state"};
const Keys conv_kernel{"conv_kernel", "mamba_d_conv", "d_conv", "conv1d_width", "linear_conv_kernel_dim"};
const Keys classes{"num_labels", "num_classes"};

}  // namespace keys

std::optional<std::int64_t> whole_number(const Json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    const double real = value.get<double>();
    if (!std::isfinite(real) || std::abs(real) > 9e15 || real != std::floor(real)) return std::nullopt;
    return static_cast<std::int64_t>(real);
}

namespace {

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

// A value as the report quotes it: short, whatever the file holds.
std::string quoted(const Json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array() && value.size() > 16) return fmt::format("a list of {} entries", value.size());
    if (value.is_string() && value.get_ref<const std::string&>().size() > 64) return "a long text";
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > 24) text = text.substr(0, 21) + "...";
    return value.is_array() ? "the list " + text : text;
}

}  // namespace

std::string printable_name(std::string_view name) {
    std::string text(name.substr(0, 64));
    std::ranges::replace_if(text, [](char c) { return !is_printable(c); }, '?');
    return text;
}

std::string name_in(const Json& object, std::string_view key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string()) return {};
    const auto& text = found->get_ref<const std::string&>();
    return text.size() <= 64 && std::ranges::all_of(text, is_printable) ? text : std::string();
}

const Json* ConfigReader::find(std::string_view key) const {
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
}

void ConfigReader::assume(std::string_view key, std::string_view value, std::string_view reason) {
    shape_.assumed.push_back({std::string(key), std::string(value), std::string(reason)});
}

void ConfigReader::assume(std::string_view key, std::int64_t value, std::string_view reason) {
    assume(key, std::to_string(value), reason);
}

void ConfigReader::skip(std::string_view part, std::string_view reason) {
    shape_.not_analysed.push_back({std::string(part), std::string(reason)});
}

void ConfigReader::complain(std::string_view key, std::string_view reason) {
    if (!problem_) problem_ = bad_input(std::string(key), std::string(reason));
}

void ConfigReader::miss(std::string_view part, const Keys& keys, std::string_view reason) {
    const auto null = std::ranges::find_if(keys, [&](std::string_view key) {
        const auto found = object_.find(key);
        return found != object_.end() && found->is_null();
    });
    if (null == keys.end()) return skip(part, reason);
    complain(*null, "must be a whole number from 1 on, got null");
}

ConfigReader::Reading ConfigReader::read(std::string_view key, std::int64_t least, std::int64_t most) {
    if (!object_.is_object()) return {};
    const auto found = object_.find(key);
    if (found == object_.end()) return {};
    if (found->is_null()) return {State::null, 0};
    if (found->is_array() && !found->empty()) return read_list(key, *found, least, most);
    const auto number = whole_number(*found);
    if (number && *number >= least && *number <= most) return {State::good, *number};
    complain(key, fmt::format("must be a whole number from {} to {}, got {}", least, most, quoted(*found)));
    return {State::wrong, 0};
}

ConfigReader::Reading ConfigReader::read_list(std::string_view key, const Json& list, std::int64_t least,
                                              std::int64_t most) {
    std::int64_t largest = 0;
    for (const Json& item : list) {
        const auto number = whole_number(item);
        if (!number || *number < 0 || *number > most) {
            complain(key,
                     fmt::format("holds {} where whole numbers up to {} are expected", quoted(list), most));
            return {State::wrong, 0};
        }
        largest = std::max(largest, *number);
    }
    if (largest < least) {
        complain(key, fmt::format("holds {}, of which none is {} or more", quoted(list), least));
        return {State::wrong, 0};
    }
    if (complained_.emplace(key).second)
        assume(key, largest, "the largest of the file's list, one number per layer");
    return {State::good, largest};
}

ConfigReader::Reading ConfigReader::first(const Keys& keys, std::int64_t least, std::int64_t most) {
    Reading best;
    for (const auto key : keys) {
        const Reading reading = read(key, least, most);
        if (reading.state == State::good) return reading;
        if (best.state == State::absent) best = reading;
    }
    return best;
}

ModelShape::Number ConfigReader::default_of(const Keys& keys) {
    if (!defaults_) return {};
    for (const auto key : keys) {
        const auto value = defaults_(key);
        if (!value || *value < 1) continue;
        assume(key, *value, fmt::format("the file does not say; the default of {}", shape_.family));
        return value;
    }
    return {};
}

ModelShape::Number ConfigReader::size(const Keys& keys, std::int64_t most) {
    const Reading reading = first(keys, 1, most);
    if (reading.state == State::good) return reading.value;
    return reading.state == State::absent ? default_of(keys) : ModelShape::Number{};
}

ModelShape::Number ConfigReader::stated(const Keys& keys, std::int64_t most) {
    const Reading reading = first(keys, 1, most);
    if (reading.state == State::good) return reading.value;
    return {};
}

ModelShape::Number ConfigReader::some(const Keys& keys, std::int64_t most) {
    const Reading reading = first(keys, 0, most);
    if (reading.state == State::absent) return default_of(keys);
    if (reading.state == State::good && reading.value > 0) return reading.value;
    return {};
}

std::optional<bool> ConfigReader::flag(std::string_view key) {
    if (const Json* value = find(key)) {
        if (value->is_boolean()) return value->get<bool>();
        if (const auto number = whole_number(*value)) return *number != 0;
        if (complained_.emplace(key).second)
            skip(key, fmt::format("must be true or false, got {}", quoted(*value)));
        return std::nullopt;
    }
    if (!defaults_ || object_.contains(key)) return std::nullopt;
    const auto value = defaults_(key);
    return value ? std::optional<bool>(*value != 0) : std::nullopt;
}

std::optional<double> ConfigReader::ratio(const Keys& keys) {
    for (const auto key : keys) {
        const Json* value = find(key);
        if (!value) continue;
        if (value->is_number() && value->get<double>() > 0 && value->get<double>() <= 1000)
            return value->get<double>();
        complain(key, fmt::format("must be a ratio above 0 and at most 1000, got {}", quoted(*value)));
    }
    return std::nullopt;
}

std::vector<std::int64_t> ConfigReader::list(std::string_view key) const {
    std::vector<std::int64_t> numbers;
    const Json* value = find(key);
    if (!value || !value->is_array()) return numbers;
    for (const Json& item : *value) {
        const auto number = whole_number(item);
        if (!number || std::abs(*number) > max_size) return {};
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<std::string> ConfigReader::text(std::string_view key) const {
    const Json* value = find(key);
    if (!value || !value->is_string()) return std::nullopt;
    return value->get<std::string>();
}

std::optional<std::pair<std::int64_t, std::int64_t>> ConfigReader::pair(const Keys& keys) {
    for (const auto key : keys) {
        const Json* value = find(key);
        if (!value) continue;
        const Json* height = value;
        const Json* width = value;
        if (value->is_array() && value->size() >= 1 && value->size() <= 4) {
            width = &value->back();
            height = value->size() == 1 ? width : &(*value)[value->size() - 2];
        } else if (value->is_object()) {
            const auto edge = value->find("shortest_edge"), h = value->find("height"),
                       w = value->find("width");
            if (edge != value->end()) height = width = &*edge;
            if (h != value->end() && w != value->end()) height = &*h, width = &*w;
        }
        const auto h = whole_number(*height), w = whole_number(*width);
        if (h && w && *h >= 1 && *w >= 1 && *h <= max_layers && *w <= max_layers) return std::pair{*h, *w};
        complain(key, fmt::format("must be a size or a pair of sizes, got {}", quoted(*value)));
    }
    for (const auto key : keys) {
        const auto value = defaults_ && !object_.contains(key) ? defaults_(key) : std::nullopt;
        if (!value || *value < 1) continue;
        assume(key, *value, fmt::format("the file does not say; the default of {}", shape_.family));
        return std::pair{*value, *value};
    }
    return std::nullopt;
}

}  // namespace plimsoll::formats
