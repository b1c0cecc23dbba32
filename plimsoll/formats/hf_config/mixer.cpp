#include <cmath>

#include "plimsoll/base/format.h"
#include "plimsoll/formats/hf_config/reading_steps.h"

namespace plimsoll::formats {
namespace {

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
        shape.tokens =
            (*shape.image_height / *shape.patch_height) * (*shape.image_width / *shape.patch_width);
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
    shape.channel_ffn =
        reader.stated({"channels_mlp_dim", "channel_mlp_dim", "channels_hidden_dim", "channel_dim"});
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

using arch::Count;

// Parameters of one mixing step over `size` inputs: norm over the channels, two layers, gate.
Count mixing(std::int64_t size, std::int64_t hidden, std::int64_t channels, bool gated) {
    Count sum =
        Count(2) * Count(channels) + Count(2) * Count(size) * Count(hidden) + Count(hidden) + Count(size);
    if (gated) sum += Count(size) * Count(size) + Count(size);
    return sum;
}

// The switches of a TinyTimeMixer's blocks.
struct TimeMixer {
    std::int64_t layers, levels, tokens, width;
    double factor;
    bool gated;

    // Both steps of one block on `tokens` patches of `channels` numbers.
    [[nodiscard]] Count block(std::int64_t patches, std::int64_t channels) const {
        const auto hidden = [&](std::int64_t size) { return times(size, factor).value_or(size); };
        return mixing(patches, hidden(patches), channels, gated) +
               mixing(channels, hidden(channels), channels, gated);
    }
    // All levels: the first ones cut each patch in halves and have as many channels less.
    [[nodiscard]] Count encoder() const {
        Count sum;
        for (std::int64_t level = 0; level < levels; ++level) {
            const std::int64_t split = std::int64_t{1} << (levels - 1 - level);
            sum += Count(layers) * block(tokens * split, std::max<std::int64_t>(1, width / split));
        }
        return sum;
    }
};

// True where a switch adds tensors that the count does not know.
bool has_more(ConfigReader& reader) {
    for (const auto* key : {"mode", "decoder_mode"}) {
        if (reader.text(key).value_or("common_channel") != "common_channel") return true;
    }
    for (const auto* key : {"self_attn", "decoder_raw_residual", "resolution_prefix_tuning"}) {
        if (reader.flag(key).value_or(false)) return true;
    }
    return reader.some({"decoder_adaptive_patching_levels"}, 16).has_value();
}

// The decoder of a TinyTimeMixer, with the layer that leads to its width; returns that width.
std::int64_t count_decoder(ConfigReader& reader, const TimeMixer& net) {
    ModelShape& shape = reader.shape();
    if (!reader.flag("use_decoder").value_or(true)) return net.width;
    const std::int64_t width = reader.size({"decoder_d_model"}).value_or(net.width);
    shape.decoder_depth = reader.some({"decoder_num_layers"}, max_layers);
    Count sum = Count(shape.decoder_depth.value_or(0)) * net.block(net.tokens, width);
    if (width != net.width) sum += Count(net.width) * Count(width) + Count(width);
    shape.tensors.own.push_back({"decoder", sum});
    reader.skip("decoder", fmt::format("{} layers of width {}; the encoder was analysed",
                                       shape.decoder_depth.value_or(0), width));
    return width;
}

void count_time_mixer(ConfigReader& reader) {
    ModelShape& shape = reader.shape();
    const auto layers = reader.size({"num_layers"}, max_layers), horizon = reader.size({"prediction_length"});
    const auto levels = std::max<std::int64_t>(1, reader.some({"adaptive_patching_levels"}, 16).value_or(0));
    if (!layers || !horizon || !shape.tokens || !shape.width || !shape.input_dim) return;
    const TimeMixer net{*layers,
                        levels,
                        *shape.tokens,
                        *shape.width,
                        reader.ratio({"expansion_factor"}).value_or(2.0),
                        reader.flag("gated_attn").value_or(true)};
    const Count width = net.width, steps = *horizon;
    shape.tensors.own.push_back({"patch embedding", width * Count(*shape.input_dim) + width});
    shape.tensors.own.push_back({"mixing", net.encoder()});
    const Count out = count_decoder(reader, net);
    shape.tensors.own.push_back({"head", Count(net.tokens) * out * steps + steps});
    shape.depth = *layers * levels;
    if (levels > 1) reader.assume("depth", *shape.depth, "num_layers times adaptive_patching_levels");
    if (has_more(reader)) {
        shape.tensors.no_count =
            "its switches (mode, self_attn, prefix tuning) add tensors that are not counted";
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
