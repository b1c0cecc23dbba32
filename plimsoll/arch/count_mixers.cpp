#include "plimsoll/arch/tally.h"

namespace plimsoll::arch {
namespace {

// One direction of a mixer block: an MLP, or one matrix when `hidden` is 0.
Weights step(Count size, Count hidden, bool bias) {
    if (hidden == 0) return dense(size, size, bias);
    return dense(size, hidden, bias) + dense(hidden, size, bias);
}

// Outputs of its products and activations.
Count step_values(Count size, Count hidden) {
    return hidden == 0 ? Count(2) * size : Count(2) * hidden + size;
}

void add_image(Tally& out, const ImageInput& image, Count channels, bool bias) {
    if (!image.used()) return;
    out.add("patch embedding", dense(image.patch_dim(), channels, bias), image.patches());
    out.activations += Count(image.patches()) * channels;
}

// Norms over the channels: two per block, and one at the end.
template <class N>
void add_channel_norms(Tally& out, const N& net, bool final_norm) {
    const Weights one = norm_weights(net.norm, net.norm_bias, net.channels);
    const Count norms = Count(2) * net.depth + Count(final_norm ? 1 : 0);
    out.add("norms", norms * one, 0);
    if (net.norm != Norm::none) out.activations += norms * out.tokens * net.channels;
}

void add_classes(Tally& out, Count channels, Count classes, bool bias) {
    if (classes == 0) return;
    out.add("head", dense(channels, classes, bias), 1);
    out.activations += classes;
}

void add_vocabulary(Tally& out, const MixerSpec& s) {
    if (s.vocab == 0) return;
    out.add("token embedding", table(Count(s.vocab) * s.channels), 0);
    out.activations += Count(s.tokens) * s.channels;
    if (!s.vocab_head) return;
    const Weights head = dense(s.channels, s.vocab, false);
    const Count stored = s.tied ? Count() : head.parameters;
    out.add("vocabulary head", stored, stored, Count(2) * s.tokens * head.multiplies);
    out.activations += Count(s.tokens) * s.vocab;
}

Tally around_blocks(const VisionNet& net) {
    Tally out;
    out.unit = "image";
    out.tokens = net.image.patches();
    add_image(out, net.image, net.channels, net.bias);
    add_channel_norms(out, net, net.final_norm);
    const Count tokens = out.tokens;
    out.add("channel mixing", Count(net.depth) * step(net.channels, net.channel_hidden, net.bias), tokens);
    out.activations += Count(net.depth) * tokens * step_values(net.channels, net.channel_hidden);
    add_classes(out, net.channels, net.classes, net.bias);
    return out;
}

// Split attention over three branches: channels -> channels/4 -> 3 channels, once per image.
void add_weighting(Tally& out, const VisionNet& net) {
    const Count c = net.channels, quarter = net.channels / 4;
    const Weights one = dense(c, quarter, net.bias) + dense(quarter, Count(3) * c, net.bias);
    out.add("token mixing", Count(net.depth) * one, 1);
    out.activations += Count(net.depth) * (Count(2) * quarter + Count(6) * c);
}

}  // namespace

Tally tally(const MixerSpec& s, std::int64_t) {
    Tally out;
    out.unit = s.image.used() ? "image" : s.vocab > 0 ? "sequence" : "input";
    out.tokens = s.tokens;
    add_image(out, s.image, s.channels, s.bias);
    add_vocabulary(out, s);
    const Count depth = s.depth;
    out.add("token mixing", depth * step(s.tokens, s.token_hidden, s.bias), s.channels);
    out.add("channel mixing", depth * step(s.channels, s.channel_hidden, s.bias), s.tokens);
    out.activations += depth * (Count(s.channels) * step_values(s.tokens, s.token_hidden) +
                                Count(s.tokens) * step_values(s.channels, s.channel_hidden));
    add_channel_norms(out, s, s.final_norm);
    add_classes(out, s.channels, s.classes, s.bias);
    return out;
}

Tally tally(const S2MlpSpec& s, std::int64_t) {
    Tally out = around_blocks(s.net);
    const Count c = s.net.channels, depth = s.net.depth, tokens = out.tokens;
    out.add("token mixing", depth * Count(2) * dense(c, c, s.net.bias), tokens);
    out.activations += depth * tokens * Count(3) * c;
    return out;
}

Tally tally(const VipSpec& s, std::int64_t) {
    Tally out = around_blocks(s.net);
    const Count c = s.net.channels, depth = s.net.depth, tokens = out.tokens;
    out.add("token mixing", depth * (Count(3) * dense(c, c, s.branch_bias) + dense(c, c, s.net.bias)),
            tokens);
    out.activations += depth * tokens * Count(4) * c;
    if (s.weighted) add_weighting(out, s.net);
    return out;
}

Tally tally(const HireMlpSpec& s, std::int64_t) {
    Tally out = around_blocks(s.net);
    const Count c = s.net.channels, depth = s.net.depth, tokens = out.tokens;
    const Count regions = out.tokens / s.region, region = Count(s.region) * c, inner = s.bottleneck;
    const Weights mix = dense(region, inner, false) + dense(inner, region, s.net.bias);
    out.add("token mixing", Count(2) * depth * mix, regions);
    out.add("token mixing", Count(2) * depth * dense(c, c, s.net.bias), tokens);
    out.add("norms", Count(2) * depth * norm_weights(s.net.norm, s.net.norm_bias, inner), 0);
    const Count bottleneck_values = inner * Count(s.net.norm == Norm::none ? 2 : 3);
    out.activations += depth * (Count(2) * regions * (bottleneck_values + region) + tokens * Count(2) * c);
    if (s.weighted) add_weighting(out, s.net);
    return out;
}

}  // namespace plimsoll::arch
