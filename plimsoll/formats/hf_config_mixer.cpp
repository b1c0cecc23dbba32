#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config_parts.h"

namespace plimsoll::formats {
namespace {

using Number = ModelShape::Number;

Number times(Number size, double ratio) {
    if (!size) return {};
    const double product = std::floor(static_cast<double>(*size) * ratio);
    if (product < 1 || product > static_cast<double>(max_size)) return {};
    return static_cast<std::int64_t>(product);
}

void read_tokens(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    shape.tokens = reader.stated({"num_patches", "seq_len", "tokens"});
    if (shape.tokens) return;
    if (shape.image_height && shape.patch_height) {
        shape.tokens = (*shape.image_height / *shape.patch_height) * (*shape.image_width / *shape.patch_width);
        return;
    }
    const auto context = reader.size({"context_length"}), patch = reader.size({"patch_length"});
    const auto stride = reader.size({"patch_stride"});
    if (!context || !patch || !stride || *context < *patch) return;
    shape.tokens = (*context - *patch) / *stride + 1;
    reader.assume("tokens", *shape.tokens, "(context_length - patch_length) / patch_stride + 1");
}

// Hidden sizes of the two MLPs: given, or as ratios of tokens and channels.
void read_hidden(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    shape.token_ffn = reader.stated({"tokens_mlp_dim", "token_mlp_dim", "tokens_hidden_dim", "token_dim"});
    shape.channel_ffn = reader.stated({"channels_mlp_dim", "channel_mlp_dim", "channels_hidden_dim", "channel_dim"});
    double token = 0.5, channel = 4.0;
    std::string reason = "0.5 times tokens and 4 times width, as published for MLP-Mixer";
    if (const Json* ratios = reader.find("mlp_ratio"); ratios && ratios->is_array() && ratios->size() == 2 &&
                                                       (*ratios)[0].is_number() && (*ratios)[1].is_number()) {
        token = (*ratios)[0].get<double>(), channel = (*ratios)[1].get<double>();
        reason = "the ratios in mlp_ratio";
    } else if (const auto factor = reader.ratio({"expansion_factor"})) {
        token = channel = *factor;
        reason = "expansion_factor";
        if (const auto other = reader.ratio({"expansion_factor_token"})) token = *other;
    }
    if (!shape.token_ffn && (shape.token_ffn = times(shape.tokens, token))) {
        reader.assume("token_ffn", *shape.token_ffn, reason);
    }
    if (!shape.channel_ffn && (shape.channel_ffn = times(shape.width, channel))) {
        reader.assume("channel_ffn", *shape.channel_ffn, reason);
    }
}

using Wide = double;  // sums of products of bounded sizes; checked before they become integers

// Parameters of one mixing step over `size` inputs inside `channels`: norm, two layers, gate.
Wide mixing(Wide size, Wide factor, Wide channels, bool gated) {
    const Wide hidden = size * factor;
    return 2 * channels + 2 * size * hidden + hidden + size + (gated ? size * size + size : 0);
}

// TinyTimeMixer: levels of halved patches, a decoder of its own width, one head over all patches.
void count_time_mixer(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const auto layers = reader.size({"num_layers"}, max_layers), horizon = reader.size({"prediction_length"});
    const auto levels = reader.some({"adaptive_patching_levels"}, 16).value_or(0);
    if (!layers || !horizon || !shape.tokens || !shape.width || !shape.input_dim) return;
    const Wide factor = reader.ratio({"expansion_factor"}).value_or(2.0);
    const bool gated = reader.flag("gated_attn").value_or(true);
    const auto tokens = static_cast<Wide>(*shape.tokens), width = static_cast<Wide>(*shape.width);
    Wide mixers = 0;
    for (std::int64_t level = 0; level < std::max<std::int64_t>(levels, 1); ++level) {
        const Wide split = levels > 0 ? std::pow(2.0, static_cast<double>(levels - 1 - level)) : 1.0;
        mixers += static_cast<Wide>(*layers) * (mixing(tokens * split, factor, width / split, gated) +
                                                mixing(width / split, factor, width / split, gated));
    }
    Wide decoder = 0, out_width = width;
    if (reader.flag("use_decoder").value_or(true)) {
        out_width = static_cast<Wide>(reader.size({"decoder_d_model"}).value_or(*shape.width));
        shape.decoder_depth = reader.some({"decoder_num_layers"}, max_layers);
        const Wide one = mixing(tokens, factor, out_width, gated) + mixing(out_width, factor, out_width, gated);
        decoder = static_cast<Wide>(shape.decoder_depth.value_or(0)) * one;
        if (out_width != width) decoder += width * out_width + out_width;
        reader.skip("decoder", fmt::format("{} layers of width {}; the encoder was analysed",
                                           shape.decoder_depth.value_or(0), static_cast<std::int64_t>(out_width)));
    }
    const Wide head = tokens * out_width * static_cast<Wide>(*horizon) + static_cast<Wide>(*horizon);
    const Wide patcher = width * static_cast<Wide>(*shape.input_dim) + width;
    if (mixers + decoder + head > 1e15) return;
    const auto add = [&](const char* part, Wide count) {
        shape.tensors.own.push_back({part, static_cast<std::int64_t>(count)});
    };
    add("patch embedding", patcher), add("mixing", mixers), add("decoder", decoder), add("head", head);
    shape.depth = *layers * std::max<std::int64_t>(levels, 1);
    if (levels > 1) reader.assume("depth", *shape.depth, "num_layers times adaptive_patching_levels");
    const bool other = reader.text("mode").value_or("common_channel") != "common_channel" ||
                       reader.text("decoder_mode").value_or("common_channel") != "common_channel" ||
                       reader.flag("self_attn").value_or(false) || reader.flag("decoder_raw_residual").value_or(false) ||
                       reader.flag("resolution_prefix_tuning").value_or(false);
    if (other || reader.some({"decoder_adaptive_patching_levels"}, 16)) {
        shape.tensors.no_count = "its switches (mode, self_attn, prefix tuning) add tensors that are not counted";
    }
}

}  // namespace

void read_mixer(ConfigReader& reader, const Family& family) {
    ModelShape& shape = reader.shape();
    if (shape.kind != ModelKind::mixer) return;
    read_tokens(reader);
    read_hidden(reader);
    if (!shape.tokens) reader.skip("tokens", "no key of the file gives the number of tokens or patches");
    if (family.quirk == "time-mixer") count_time_mixer(reader);
}

}  // namespace plimsoll::formats
