#include <algorithm>
#include <cmath>
#include <numeric>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config/reading_steps.h"

namespace plimsoll::formats {
namespace {

bool attends(const ModelShape& shape) {
    return shape.kind != ModelKind::state_space && shape.kind != ModelKind::mixer &&
           shape.kind != ModelKind::mlp;
}

// Depth given by a list with one entry per layer or per block of layers.
Number depth_by_lists(ConfigReader& reader) {
    const auto blocks = reader.list("block_sizes");
    const std::int64_t sum = std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
    if (sum > 0 && sum <= max_layers) {
        reader.assume("depth", sum, "the sum of block_sizes");
        return sum;
    }
    for (const auto* key : {"attn_layers", "layers_block_type", "layer_types"}) {
        const Json* list = reader.find(key);
        if (!list || !list->is_array() || list->empty()) continue;
        reader.assume("depth", static_cast<std::int64_t>(list->size()), fmt::format("entries of {}", key));
        return static_cast<std::int64_t>(list->size());
    }
    return {};
}

void read_depth(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (shape.kind == ModelKind::encoder_decoder) {
        shape.depth = reader.size(keys::encoder_depth, max_layers);
        shape.decoder_depth = reader.size(keys::decoder_depth, max_layers);
        if (!shape.decoder_depth && shape.depth) {
            shape.decoder_depth = shape.depth;
            reader.assume("decoder_depth", *shape.depth,
                          "as deep as the encoder: the file says nothing else");
        }
    } else {
        shape.depth = reader.stated(keys::depth, max_layers);
        if (!shape.depth) shape.depth = depth_by_lists(reader);
        if (!shape.depth) shape.depth = reader.size(keys::depth, max_layers);
    }
    if (!shape.depth) reader.miss("depth", keys::depth, "no key of the file gives a number of layers");
}

void read_width(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    shape.width = reader.size(keys::width, arch::max_width);
    if (!shape.width) {
        const auto heads = reader.stated(keys::heads, arch::max_heads),
                   dim = reader.stated(keys::head_dim, arch::max_width);
        if (heads && dim && *dim <= max_size / *heads) {
            shape.width = *heads * *dim;
            reader.assume("width", *shape.width, "heads times head size: the file gives no width");
        }
    }
    if (!shape.width) reader.miss("width", keys::width, "no key of the file gives a width");
}

void read_kv_heads(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.heads) return;
    const bool single = reader.flag("multi_query").value_or(false);
    const bool ignores = reader.flag("new_decoder_architecture").value_or(false);
    const bool grouped = reader.stated({"multi_query_group_num"}).has_value();
    if (single && !ignores && !grouped) {
        shape.kv_heads = 1;
        return;
    }
    shape.kv_heads = reader.size(keys::kv_heads, arch::max_heads);
    if (!shape.kv_heads) shape.kv_heads = shape.heads;
}

// Multi-head latent attention: a head is a rotated and an unrotated part.
bool read_latent(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    shape.kv_lora_rank = reader.some({"kv_lora_rank"});
    if (!shape.kv_lora_rank) return false;
    shape.q_lora_rank = reader.some({"q_lora_rank"});
    shape.rope_head_dim = reader.some({"qk_rope_head_dim"});
    shape.value_head_dim = reader.size({"v_head_dim"});
    const auto rest = reader.some({"qk_nope_head_dim"});
    if (rest || shape.rope_head_dim) shape.head_dim = rest.value_or(0) + shape.rope_head_dim.value_or(0);
    return true;
}

void read_head_dim(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!shape.head_dim) shape.head_dim = reader.size(keys::head_dim, arch::max_width);
    if (shape.head_dim || !shape.width || !shape.heads) return;
    if (*shape.heads > *shape.width) {
        reader.skip("head_dim", fmt::format("{} heads do not fit a width of {}", *shape.heads, *shape.width));
        return;
    }
    shape.head_dim = *shape.width / *shape.heads;
    const bool whole = *shape.width % *shape.heads == 0;
    reader.assume("head_dim", *shape.head_dim, whole ? "width / heads" : "width / heads, rounded down");
}

void read_attention(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (!attends(shape)) return;
    shape.heads = reader.size(keys::heads, arch::max_heads);
    if (!shape.heads) {
        reader.miss("heads", keys::heads, "no key of the file gives a number of heads");
        return;
    }
    if (read_latent(reader)) shape.kv_heads = shape.heads;
    if (!shape.kv_heads) read_kv_heads(reader);
    read_head_dim(reader);
}

// The usual Llama rule: two thirds of 4 * width, scaled and rounded up to a multiple.
Number llama_params_ffn(ConfigReader& reader) {
    const auto multiple = reader.stated({"multiple_of"});
    const std::int64_t width = reader.shape().width.value_or(0);
    if (!multiple || width == 0) return {};
    double hidden = std::floor(2.0 * (4.0 * static_cast<double>(width)) / 3.0);
    if (const auto scale = reader.ratio({"ffn_dim_multiplier"})) hidden = std::floor(*scale * hidden);
    const double rounded =
        std::ceil(hidden / static_cast<double>(*multiple)) * static_cast<double>(*multiple);
    if (rounded < 1 || rounded > static_cast<double>(max_size)) return {};
    reader.assume("ffn", static_cast<std::int64_t>(rounded), "from multiple_of and ffn_dim_multiplier");
    return static_cast<std::int64_t>(rounded);
}

Number ffn_by_ratio(ConfigReader& reader) {
    const auto ratio = reader.ratio({"mlp_ratio", "expansion_ratio", "ffn_ratio", "mlp_expansion_ratio"});
    const std::int64_t width = reader.shape().width.value_or(0);
    if (!ratio || width == 0) return {};
    const double hidden = std::floor(*ratio * static_cast<double>(width));
    if (hidden < 1 || hidden > static_cast<double>(max_size)) return {};
    reader.assume("ffn", static_cast<std::int64_t>(hidden), "the file's ratio times width");
    return static_cast<std::int64_t>(hidden);
}

// hidden_dim is the width of some families and the feed-forward size of others: the first to take it keeps
// it.
Keys ffn_keys(const ConfigReader& reader) {
    Keys usable = keys::ffn;
    const bool other_width = std::ranges::any_of(keys::width, [&](std::string_view key) {
        return key != "hidden_dim" && reader.find(key) != nullptr;
    });
    if (!other_width) std::erase(usable, "hidden_dim");
    return usable;
}

void read_ffn(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    if (shape.kind == ModelKind::state_space || shape.kind == ModelKind::mixer) return;
    shape.ffn = reader.stated(ffn_keys(reader), arch::max_hidden);
    if (!shape.ffn) shape.ffn = llama_params_ffn(reader);
    if (!shape.ffn) shape.ffn = ffn_by_ratio(reader);
    if (!shape.ffn) shape.ffn = reader.size(ffn_keys(reader), arch::max_hidden);
    if (!shape.ffn && shape.width && *shape.width <= max_size / 4) {
        shape.ffn = 4 * *shape.width;
        reader.assume("ffn", *shape.ffn, "4 times width: the file says nothing else");
    }
    if (shape.kind != ModelKind::encoder_decoder) return;
    const auto decoder = reader.stated(keys::decoder_ffn, arch::max_hidden);
    if (decoder && decoder != shape.ffn) shape.decoder_ffn = decoder;
}

// Whether the feed-forward layer is gated, where the keys say so.
std::optional<int> matrices_by_keys(const ConfigReader& reader) {
    for (const auto* key : {"feed_forward_proj", "activation_function", "hidden_act", "hidden_activation",
                            "activation_type", "mlp_class_name", "activation"}) {
        const auto text = reader.text(key);
        if (!text) continue;
        if (text->find("gated") != std::string::npos || text->find("glu") != std::string::npos ||
            text->find("GLU") != std::string::npos || text->find("LLaMAMLP") != std::string::npos) {
            return 3;
        }
    }
    return std::nullopt;
}

void read_matrices(ConfigReader& reader, const Family& family) {
    ModelShape& shape = reader.shape();
    if (!shape.ffn) return;
    auto matrices = matrices_by_keys(reader);
    if (!matrices && family.ffn_matrices) matrices = family.ffn_matrices;
    if (!matrices) {
        const auto act = reader.text("hidden_act").value_or("");
        const bool gated = act == "silu" || act == "swish" || reader.find("rms_norm_eps") != nullptr;
        matrices = gated ? 3 : 2;
        reader.assume("ffn_matrices", *matrices,
                      gated ? "silu or RMS norms: gated, as in Llama" : "not gated");
    }
    shape.ffn_matrices = *matrices;
}

}  // namespace

bool note_stages(ConfigReader& reader) {
    for (const auto* key :
         {"hidden_sizes", "embed_dims", "block_out_channels", "depths", "embed_dim", "dims", "widths",
          "num_blocks", "channels", "hidden_size", "stage_channels", "stem_channels"}) {
        const Json* value = reader.find(key);
        if (!value || !value->is_array() || value->size() < 2) continue;
        const std::string sizes =
            value->size() <= 8 ? printable_name(value->dump(-1, ' ', true, Json::error_handler_t::replace))
                               : "a list";
        reader.skip("width",
                    fmt::format("the network has stages of different sizes ({} {}); the bounds are about one "
                                "width and one depth",
                                key, sizes));
        return true;
    }
    return false;
}

void read_sizes(ConfigReader& reader, const Family& family) {
    read_depth(reader);
    read_width(reader);
    read_attention(reader);
    read_ffn(reader);
    read_matrices(reader, family);
    ModelShape& shape = reader.shape();
    if (const auto groups = reader.size({"num_hidden_groups"}, max_layers); groups && shape.depth) {
        if (*groups < *shape.depth) shape.layer_groups = *groups;
    }
}

}  // namespace plimsoll::formats
