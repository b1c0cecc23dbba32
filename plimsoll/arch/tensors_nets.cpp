#include <algorithm>

#include "plimsoll/arch/tensor_list.h"

namespace plimsoll::arch {
namespace {

// An MLP size -> hidden -> size, or one matrix when hidden is 0.
void mlp(TensorList& out, const std::string& name, std::int64_t size, std::int64_t hidden, bool bias) {
    if (hidden == 0) return out.linear(name, size, size, bias);
    out.linear(name + ".up", size, hidden, bias);
    out.linear(name + ".down", hidden, size, bias);
}

// The parts around the blocks of a vision MLP; `mix` lists the token mixing of one block.
template <class Mix>
std::vector<TensorShape> vision(const VisionNet& net, Mix mix) {
    TensorList out;
    out.linear("patches", net.image.patch_dim(), net.channels, net.bias);
    for (std::int64_t l = 0; l < net.depth; ++l) {
        const std::string block = fmt::format("blocks.{}.", l);
        out.norm(block + "token_norm", net.norm, net.norm_bias, net.channels);
        mix(out, block);
        out.norm(block + "channel_norm", net.norm, net.norm_bias, net.channels);
        mlp(out, block + "channels", net.channels, net.channel_hidden, net.bias);
    }
    if (net.final_norm) out.norm("final_norm", net.norm, net.norm_bias, net.channels);
    if (net.classes > 0) out.linear("head", net.channels, net.classes, net.bias);
    return out.take();
}

void weighting(TensorList& out, const std::string& block, const VisionNet& net) {
    out.linear(block + "weighting.down", net.channels, net.channels / 4, net.bias);
    out.linear(block + "weighting.up", net.channels / 4, 3 * net.channels, net.bias);
}

// The parts around the layers of a net on a flat vector; `add` lists one layer. `rows` are those of the
// tables of categories.
template <class Layer>
std::vector<TensorShape> flat(const FlatNet& net, Layer add, std::int64_t rows = 0) {
    TensorList out;
    if (net.inputs > 0) out.linear("input", net.inputs, net.width, net.bias);
    if (rows > 0) out.add("categories.weight", {rows, net.width});
    for (std::int64_t l = 0; l < net.depth; ++l) {
        const std::string layer = fmt::format("layers.{}.", l);
        out.norm(layer + "norm", net.norm, net.norm_bias, net.width);
        add(out, layer, l + 1);
    }
    if (net.classes > 0) out.linear("head", net.width, net.classes, net.bias);
    return out.take();
}

void add_monarch(TensorList& out, const std::string& name, const MonarchSpec& s, std::int64_t in,
                 std::int64_t to) {
    const std::int64_t middle = std::min(in, to);
    out.add(name + "first", {s.tied_blocks ? 1 : s.blocks, middle / s.blocks, in / s.blocks});
    out.add(name + "second",
            {s.tied_blocks ? 1 : s.second_blocks, to / s.second_blocks, middle / s.second_blocks});
    if (s.net.bias) out.add(name + "bias", {to});
}

}  // namespace

std::vector<TensorShape> list_tensors(const MixerSpec& s) {
    TensorList out;
    if (s.image.used()) out.linear("patches", s.image.patch_dim(), s.channels, s.bias);
    if (s.vocab > 0) out.add("tokens.weight", {s.vocab, s.channels});
    for (std::int64_t l = 0; l < s.depth; ++l) {
        const std::string block = fmt::format("blocks.{}.", l);
        out.norm(block + "token_norm", s.norm, s.norm_bias, s.channels);
        mlp(out, block + "tokens", s.tokens, s.token_hidden, s.bias);
        out.norm(block + "channel_norm", s.norm, s.norm_bias, s.channels);
        mlp(out, block + "channels", s.channels, s.channel_hidden, s.bias);
    }
    if (s.final_norm) out.norm("final_norm", s.norm, s.norm_bias, s.channels);
    if (s.classes > 0) out.linear("head", s.channels, s.classes, s.bias);
    if (s.vocab_head && !s.tied) out.add("head.weight", {s.vocab, s.channels});
    return out.take();
}

std::vector<TensorShape> list_tensors(const PkSpec& s) {
    return flat(s.net, [&](TensorList& out, const std::string& layer, std::int64_t number) {
        const std::int64_t size = s.net.width / pk_blocks(s, number);
        out.linear(layer + "block", size, size, s.net.bias);
    });
}

std::vector<TensorShape> list_tensors(const SwMlpSpec& s) {
    return flat(s.net, [&](TensorList& out, const std::string& layer, std::int64_t) {
        out.add(layer + "first.values", {s.connections});
        if (s.net.bias) out.add(layer + "first.bias", {s.hidden == 0 ? s.net.width : s.hidden});
        if (s.hidden == 0) return;
        out.add(layer + "second.values", {s.connections});
        if (s.net.bias) out.add(layer + "second.bias", {s.net.width});
    });
}

std::vector<TensorShape> list_tensors(const MonarchSpec& s) {
    return flat(s.net, [&](TensorList& out, const std::string& layer, std::int64_t) {
        if (s.hidden == 0) return add_monarch(out, layer, s, s.net.width, s.net.width);
        add_monarch(out, layer + "up.", s, s.net.width, s.hidden);
        add_monarch(out, layer + "down.", s, s.hidden, s.net.width);
    });
}

std::vector<TensorShape> list_tensors(const MlpSpec& s) {
    const auto layer = [&](TensorList& out, const std::string& name, std::int64_t) {
        mlp(out, name + "mlp", s.net.width, s.hidden, s.net.bias);
    };
    return flat(s.net, layer, s.table_rows());
}

std::vector<TensorShape> list_tensors(const S2MlpSpec& s) {
    return vision(s.net, [&](TensorList& out, const std::string& block) {
        out.linear(block + "before_shift", s.net.channels, s.net.channels, s.net.bias);
        out.linear(block + "after_shift", s.net.channels, s.net.channels, s.net.bias);
    });
}

std::vector<TensorShape> list_tensors(const VipSpec& s) {
    const std::int64_t c = s.net.channels;
    return vision(s.net, [&](TensorList& out, const std::string& block) {
        for (const char* branch : {"height", "width", "channel"})
            out.linear(block + branch, c, c, s.branch_bias);
        if (s.weighted) weighting(out, block, s.net);
        out.linear(block + "projection", c, c, s.net.bias);
    });
}

std::vector<TensorShape> list_tensors(const HireMlpSpec& s) {
    const std::int64_t c = s.net.channels, region = s.region * c;
    return vision(s.net, [&](TensorList& out, const std::string& block) {
        for (const std::string side : {"height", "width"}) {
            out.linear(block + side + ".down", region, s.bottleneck, false);
            out.norm(block + side + ".norm", s.net.norm, s.net.norm_bias, s.bottleneck);
            out.linear(block + side + ".up", s.bottleneck, region, s.net.bias);
        }
        out.linear(block + "channel", c, c, s.net.bias);
        if (s.weighted) weighting(out, block, s.net);
        out.linear(block + "projection", c, c, s.net.bias);
    });
}

}  // namespace plimsoll::arch
