#include <algorithm>

#include "plimsoll/arch/tally.h"

namespace plimsoll::arch {
namespace {

Tally around_layers(const FlatNet& net) {
    Tally out;
    out.unit = "input";
    if (net.inputs > 0) {
        out.add("input layer", dense(net.inputs, net.width, net.bias), 1);
        out.activations += net.width;
    }
    out.add("norms", Count(net.depth) * norm_weights(net.norm, net.norm_bias, net.width), 0);
    if (net.norm != Norm::none) out.activations += Count(net.depth) * net.width;
    if (net.classes > 0) {
        out.add("head", dense(net.width, net.classes, net.bias), 1);
        out.activations += net.classes;
    }
    return out;
}

// Outputs of the products and activations of one layer: one matrix, or two with `hidden` between.
Count layer_values(const FlatNet& net, Count hidden) {
    return hidden == 0 ? Count(2) * net.width : Count(2) * hidden + net.width;
}

// A Monarch matrix from `in` to `out` numbers; the factors meet in the smaller of the two.
Weights monarch_weights(const MonarchSpec& s, std::int64_t in, std::int64_t out) {
    const std::int64_t middle = std::min(in, out);
    const Count first = Count(in / s.blocks) * (middle / s.blocks);
    const Count second = Count(middle / s.second_blocks) * (out / s.second_blocks);
    const Count multiplies = first * s.blocks + second * s.second_blocks;
    const Count stored = s.tied_blocks ? first + second : multiplies;
    return {stored + Count(s.net.bias ? out : 0), multiplies};
}

}  // namespace

Tally tally(const PkSpec& s, std::int64_t) {
    Tally out = around_layers(s.net);
    const std::int64_t period = std::ssize(s.blocks);
    for (std::int64_t i = 0; i < period; ++i) {
        const Count layers = s.net.depth / period + (i < s.net.depth % period ? 1 : 0);
        const Count blocks = s.blocks[static_cast<std::size_t>(i)];
        const Count size = s.net.width / s.blocks[static_cast<std::size_t>(i)];
        out.add("layers", layers * dense(size, size, s.net.bias), blocks);
    }
    out.activations += Count(s.net.depth) * layer_values(s.net, 0);
    return out;
}

Tally tally(const SwMlpSpec& s, std::int64_t) {
    Tally out = around_layers(s.net);
    const Count depth = s.net.depth, matrices = s.hidden == 0 ? 1 : 2;
    const Count biases = s.net.bias ? s.net.width + s.hidden : 0;
    const Count connections = matrices * s.connections;
    out.add("layers", depth * Weights{connections + biases, connections}, 1);
    out.activations += depth * layer_values(s.net, s.hidden);
    return out;
}

Tally tally(const MonarchSpec& s, std::int64_t) {
    Tally out = around_layers(s.net);
    const std::int64_t width = s.net.width;
    const Weights layer = s.hidden == 0
                              ? monarch_weights(s, width, width)
                              : monarch_weights(s, width, s.hidden) + monarch_weights(s, s.hidden, width);
    const Count middles = s.hidden == 0 ? Count(width) : Count(2) * std::min(width, s.hidden);
    out.add("layers", Count(s.net.depth) * layer, 1);
    out.activations += Count(s.net.depth) * (layer_values(s.net, s.hidden) + middles);
    return out;
}

Tally tally(const MlpSpec& s, std::int64_t) {
    Tally out = around_layers(s.net);
    const FlatNet& net = s.net;
    if (!s.categories.empty()) {
        out.add("category embedding", table(Count(s.table_rows()) * net.width), 1);
        out.activations += net.width;
    }
    const Weights layer = s.hidden == 0
                              ? dense(net.width, net.width, net.bias)
                              : dense(net.width, s.hidden, net.bias) + dense(s.hidden, net.width, net.bias);
    out.add("layers", Count(net.depth) * layer, 1);
    out.activations += Count(net.depth) * layer_values(net, s.hidden);
    return out;
}

}  // namespace plimsoll::arch
