#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/formats/hf_config/reading_steps.h"

namespace plimsoll::formats {
namespace {

// Keys that together belong to one family, for files without a model_type.
struct Fingerprint {
    std::string_view type;
    std::array<std::string_view, 4> keys;  // empty ones do not count
};

const std::array fingerprints{
    Fingerprint{"tinytimemixer", {"adaptive_patching_levels", "patch_length"}},
    Fingerprint{"mlp_mixer", {"tokens_mlp_dim", "channels_mlp_dim"}},
    Fingerprint{"mamba", {"ssm_cfg", "d_model"}},
    Fingerprint{"deepseek_v3", {"kv_lora_rank", "n_routed_experts"}},
    Fingerprint{"mixtral", {"num_local_experts", "num_key_value_heads", "hidden_size"}},
    Fingerprint{"albert", {"embedding_size", "hidden_size", "type_vocab_size"}},
    Fingerprint{"t5", {"d_kv", "d_ff", "d_model"}},
    Fingerprint{"whisper", {"encoder_layers", "decoder_layers", "num_mel_bins"}},
    Fingerprint{"bart", {"encoder_layers", "decoder_layers", "encoder_ffn_dim"}},
    Fingerprint{"opt", {"word_embed_proj_dim", "ffn_dim"}},
    Fingerprint{"llama", {"dim", "n_layers", "n_heads", "norm_eps"}},
    Fingerprint{"mpt", {"d_model", "n_heads", "expansion_ratio"}},
    Fingerprint{"gpt2", {"n_embd", "n_head", "n_layer", "n_positions"}},
    Fingerprint{"vit", {"patch_size", "image_size", "hidden_size", "num_attention_heads"}},
    Fingerprint{"bert", {"hidden_size", "num_attention_heads", "type_vocab_size"}},
    Fingerprint{"llama", {"hidden_size", "num_attention_heads", "rms_norm_eps"}},
};

std::string type_by_classes(const ConfigReader& reader) {
    for (const auto* key : {"architectures", "_class_name"}) {
        const Json* value = reader.find(key);
        if (!value) continue;
        const Json* name = value->is_array() && !value->empty() ? &value->front() : value;
        if (!name->is_string() || name->get_ref<const std::string&>().size() > 256) continue;
        if (auto type = type_of_architecture(name->get_ref<const std::string&>()); !type.empty()) return type;
    }
    return {};
}

std::string type_by_keys(ConfigReader& reader) {
    for (const Fingerprint& one : fingerprints) {
        std::vector<std::string> names;
        for (const std::string_view key : one.keys) {
            if (!key.empty()) names.emplace_back(key);
        }
        const bool all =
            std::ranges::all_of(names, [&](const std::string& key) { return reader.find(key) != nullptr; });
        if (!all) continue;
        reader.assume("model_type", one.type, "the file does not say; it has the keys " + join(names, ", "));
        return std::string(one.type);
    }
    return {};
}

// The text part of a model that holds several: "clip" has "clip_text_model", "gemma3" has "gemma3_text".
std::string type_inside(std::string_view outer) {
    for (const auto* suffix : {"_text_model", "_text"}) {
        std::string type = std::string(outer) + suffix;
        if (family_of_type(type).listed || !default_line(type).empty()) return type;
    }
    return {};
}

bool has(const ConfigReader& reader, std::initializer_list<const char*> keys) {
    return std::ranges::any_of(keys, [&](const char* key) { return reader.find(key) != nullptr; });
}

}  // namespace

Family identify(ConfigReader& reader, std::string_view outer_type) {
    std::string type = name_in(reader.object(), "model_type");
    if (type.empty() && reader.find("model_type")) reader.skip("model_type", "is no name");
    if (type.empty() && !outer_type.empty()) type = type_inside(outer_type);
    Family family = family_of_type(type);
    if (family.listed) return family;
    const bool known_class = !default_line(type).empty();
    if (const std::string other = type_by_classes(reader); !other.empty() && !known_class) {
        reader.assume("family", other, "by the file's architectures");
        family = family_of_type(other);
        if (!type.empty()) family.type = type;
        return family;
    }
    if (!type.empty()) return family;
    return family_of_type(type_by_keys(reader));
}

ModelKind kind_by_architecture(const ConfigReader& reader) {
    const Json* list = reader.find("architectures");
    if (!list || !list->is_array() || list->empty() || !list->front().is_string()) return ModelKind::unknown;
    const auto& name = list->front().get_ref<const std::string&>();
    if (name.find("Mamba") != std::string::npos || name.find("Rwkv") != std::string::npos)
        return ModelKind::unknown;
    if (name.ends_with("ForMaskedLM") || name.ends_with("ForImageClassification")) return ModelKind::encoder;
    if (name.ends_with("ForCausalLM") || name.ends_with("LMHeadModel")) {
        return has(reader, {"state_size", "ssm_state_size", "mamba_d_state", "mamba_expand"})
                   ? ModelKind::unknown
                   : ModelKind::decoder;
    }
    return ModelKind::unknown;
}

ModelKind kind_by_keys(const ConfigReader& reader) {
    const bool attends =
        std::ranges::any_of(keys::heads, [&](auto key) { return reader.find(key) != nullptr; });
    const bool states =
        has(reader, {"state_size", "ssm_state_size", "mamba_d_state", "d_state", "ssm_cfg", "mamba_expand"});
    if (states) return attends ? ModelKind::hybrid : ModelKind::state_space;
    if (has(reader, {"tokens_mlp_dim", "token_mlp_dim", "expansion_factor_token"})) return ModelKind::mixer;
    if (has(reader, {"decoder_layers", "num_decoder_layers"}) && attends &&
        has(reader, {"encoder_layers", "num_encoder_layers", "num_layers"})) {
        return ModelKind::encoder_decoder;
    }
    if (!attends) return has(reader, {"patch_size", "patch_length"}) ? ModelKind::mixer : ModelKind::unknown;
    if (has(reader, {"patch_size", "type_vocab_size", "num_mel_bins", "image_size", "conv_dim"}))
        return ModelKind::encoder;
    return ModelKind::decoder;
}

}  // namespace plimsoll::formats
