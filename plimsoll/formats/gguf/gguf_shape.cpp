#include "plimsoll/formats/gguf/gguf_shape.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config/reading_steps.h"

namespace plimsoll::formats {
namespace {

struct Translation {
    std::string_view gguf;
    std::string_view model_type;
};

// general.architecture to the model_type whose facts it shares, where the names differ.
constexpr std::array translations{
    Translation{"llama4", "llama4_text"},
    Translation{"qwen2moe", "qwen2_moe"},
    Translation{"qwen3moe", "qwen3_moe"},
    Translation{"gemma3", "gemma3_text"},
    Translation{"phi2", "phi"},
    Translation{"gptneox", "gpt_neox"},
    Translation{"starcoder", "gpt_bigcode"},
    Translation{"command-r", "cohere"},
    Translation{"deepseek2", "deepseek_v3"},
    Translation{"gpt-oss", "gpt_oss"},
    Translation{"qwen2vl", "qwen2_vl"},
    Translation{"qwen3vl", "qwen3_vl_text"},
    Translation{"jina-bert-v2", "bert"},
    Translation{"t5encoder", "t5"},
    Translation{"granitehybrid", "granitemoehybrid"},
    Translation{"falcon-h1", "falcon_h1"},
    Translation{"qwen3next", "qwen3_next"},
    Translation{"glm4moe", "glm4_moe"},
    Translation{"ernie4_5-moe", "ernie4_5_moe"},
    Translation{"hunyuan-moe", "hunyuan_v1_moe"},
};

std::string_view model_type_of(std::string_view architecture) {
    const auto found = std::ranges::find(translations, architecture, &Translation::gguf);
    return found == translations.end() ? architecture : found->model_type;
}

// The keys under "llama." without that prefix; appended, since each is known to be new.
Json without_prefix(const Json& metadata, std::string_view prefix) {
    Json inner = Json::object();
    auto& members = inner.get_ref<Json::object_t&>();
    for (const auto& [key, value] : metadata.items()) {
        if (!std::string_view(key).starts_with(prefix) || key.size() == prefix.size()) continue;
        members.push_back({key.substr(prefix.size()), value});
    }
    return inner;
}

// The entries of an array that may stand as its count.
ModelShape::Number entries(const Json& metadata, std::string_view key) {
    const auto found = metadata.find(key);
    if (found == metadata.end()) return {};
    if (found->is_array()) return static_cast<std::int64_t>(found->size());
    if (!found->is_object() || !found->contains("count")) return {};
    const auto count = whole_number((*found)["count"]);
    if (!count || *count < 1 || *count > max_size) return {};
    return count;
}

// An image or text encoder file keeps its keys one level deeper.
std::string prefix_of(const Json& metadata, const std::string& architecture) {
    if (architecture != "clip") return architecture + ".";
    const bool text =
        metadata.contains("clip.text.block_count") && !metadata.contains("clip.vision.block_count");
    return text ? "clip.text." : "clip.vision.";
}

void read_heads(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    shape.heads = reader.stated({"attention.head_count"});
    if (!shape.heads) {
        reader.skip("heads", "the file has no attention.head_count");
        return;
    }
    shape.kv_heads = reader.stated({"attention.head_count_kv"});
    if (!shape.kv_heads) shape.kv_heads = shape.heads;
    shape.head_dim = reader.stated({"attention.key_length_mla", "attention.key_length"});
    if (!shape.head_dim && shape.width && *shape.width >= *shape.heads) {
        shape.head_dim = *shape.width / *shape.heads;
        reader.assume("attention.key_length", *shape.head_dim, "embedding_length / attention.head_count");
    }
    const auto value = reader.stated({"attention.value_length_mla", "attention.value_length"});
    if (value && value != shape.head_dim) shape.value_head_dim = value;
}

void read_latent(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    shape.kv_lora_rank = reader.some({"attention.kv_lora_rank"});
    if (!shape.kv_lora_rank) return;
    shape.q_lora_rank = reader.some({"attention.q_lora_rank"});
    shape.rope_head_dim = reader.some({"rope.dimension_count"});
    shape.kv_heads = shape.heads;
    if (!shape.value_head_dim) shape.value_head_dim = shape.head_dim;
}

void read_feed_forward(ConfigReader& reader, const Family& family) {
    ModelShape& shape = reader.shape();
    shape.ffn = reader.some({"feed_forward_length"});
    shape.ffn_matrices = family.ffn_matrices.value_or(shape.kind == ModelKind::decoder ? 3 : 2);
    if (!family.ffn_matrices) reader.assume("ffn_matrices", *shape.ffn_matrices, "the metadata do not say");
    const auto experts = reader.some({"expert_count"});
    if (!experts || *experts < 2) return;
    shape.experts = experts;
    shape.experts_active = reader.some({"expert_used_count"});
    shape.shared_experts = reader.some({"expert_shared_count"});
    shape.expert_ffn = reader.some({"expert_feed_forward_length"});
    if (!shape.expert_ffn) shape.expert_ffn = shape.ffn;
    shape.shared_expert_ffn = reader.some({"expert_shared_feed_forward_length"});
    shape.dense_layers = reader.some({"leading_dense_block_count"}, max_layers);
    if (shape.depth)
        shape.expert_layers = std::max<std::int64_t>(0, *shape.depth - shape.dense_layers.value_or(0));
}

void read_vocabulary(ConfigReader& reader, const Json& metadata, const Family& family) {
    ModelShape& shape = reader.shape();
    shape.vocab = reader.some({"vocab_size"});
    if (!shape.vocab) {
        shape.vocab = entries(metadata, "tokenizer.ggml.tokens");
        if (shape.vocab) reader.assume("vocab_size", *shape.vocab, "entries of tokenizer.ggml.tokens");
    }
    shape.tied = family.tied;
    if (shape.tied) {
        reader.assume("tied", *shape.tied ? "true" : "false",
                      "usual for the family; an output.weight in the file decides");
    }
}

void read_picture(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const auto patch = reader.stated({"patch_size"}), image = reader.stated({"image_size"});
    if (!patch) return;
    shape.patch_height = shape.patch_width = patch;
    shape.image_height = shape.image_width = image;
    shape.channels = 3;
    reader.assume("channels", 3, "the metadata do not say; colour images");
}

void read_states(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    shape.state_size = reader.some({"ssm.state_size"});
    if (!shape.state_size) return;
    StateSpaceSizes& sizes = shape.state_space;
    sizes.inner = reader.some({"ssm.inner_size"}).value_or(0);
    sizes.conv_kernel = reader.some({"ssm.conv_kernel"}).value_or(4);
    sizes.step_rank = reader.some({"ssm.time_step_rank"}).value_or(0);
    sizes.groups = reader.some({"ssm.group_count"}).value_or(0);
    sizes.version = shape.kind == ModelKind::state_space && sizes.inner > 0 && sizes.groups == 0 ? 1 : 0;
    if (shape.kind == ModelKind::decoder || shape.kind == ModelKind::unknown) {
        shape.kind = shape.heads ? ModelKind::hybrid : ModelKind::state_space;
    }
}

void settle_kind(ConfigReader& reader, const Family& family, std::string_view architecture) {
    ModelShape& shape = reader.shape();
    shape.kind = family.kind;
    shape.tensors = family.tensors;
    shape.positions = family.positions;
    if (architecture == "t5encoder") shape.kind = ModelKind::encoder;
    if (family.listed) return;
    const bool encoder = architecture.find("bert") != std::string_view::npos || architecture == "clip";
    shape.kind = encoder ? ModelKind::encoder : ModelKind::decoder;
    shape.tensors.head = !encoder;
    reader.assume("kind", name_of(shape.kind), "the architecture is not known here");
}

void read_body(ConfigReader& reader, const Json& metadata, const Family& family) {
    ModelShape& shape = reader.shape();
    shape.depth = reader.stated({"block_count"}, max_layers);
    if (!shape.depth) reader.skip("depth", "the file has no block_count");
    if (shape.kind == ModelKind::encoder_decoder) {
        shape.decoder_depth = reader.stated({"decoder_block_count"}, max_layers);
        if (!shape.decoder_depth) shape.decoder_depth = shape.depth;
    }
    shape.width = reader.stated({"embedding_length"});
    if (!shape.width) reader.skip("width", "the file has no embedding_length");
    if (shape.kind != ModelKind::state_space) {
        read_heads(reader);
        read_latent(reader);
        read_feed_forward(reader, family);
    }
    shape.context = reader.some({"context_length"});
    if (shape.positions == "learned" && shape.context)
        shape.tensors.position_rows = *shape.context + family.position_offset;
    if (shape.positions == "relative") shape.tensors.bias_buckets = 32, shape.tensors.bias_tables = 2;
    read_vocabulary(reader, metadata, family);
    read_picture(reader);
    read_states(reader);
}

}  // namespace

Result<ModelShape> shape_from_gguf(const Json& metadata, std::string_view name) {
    if (!metadata.is_object())
        return unsupported(std::string(name), "its metadata are no table of keys and values");
    ModelShape shape;
    shape.name = std::string(name);
    const std::string architecture = name_in(metadata, "general.architecture");
    shape.family = architecture.empty() ? "unknown" : architecture;
    const Json inner =
        without_prefix(metadata, architecture.empty() ? "?" : prefix_of(metadata, architecture));
    ConfigReader reader(inner, {}, shape);
    if (architecture.empty()) {
        reader.skip("architecture", "the file has no general.architecture, so its keys cannot be read");
        shape.vocab = entries(metadata, "tokenizer.ggml.tokens");
        return shape;
    }
    const Family family = family_of_type(model_type_of(architecture));
    settle_kind(reader, family, architecture);
    read_body(reader, metadata, family);
    if (const auto& problem = reader.problem()) return bad_input(std::string(name), problem->text());
    if (const std::string type = name_in(metadata, "general.type"); !type.empty() && type != "model") {
        reader.skip("file", fmt::format("general.type is {}, not a model of its own", type));
    }
    const auto parts = metadata.find("split.count");
    if (const auto count = parts == metadata.end() ? std::nullopt : whole_number(*parts);
        count && *count > 1) {
        reader.skip("other files", fmt::format("this file is one of {}", *count));
    }
    return shape;
}

}  // namespace plimsoll::formats
