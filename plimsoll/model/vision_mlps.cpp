#include "plimsoll/base/format.h"
#include "plimsoll/model/mlp.h"

namespace plimsoll::model {
namespace {

using arch::VisionNet;

// A vision MLP: patches on a grid, blocks of token mixing and a channel MLP, the mean token to a classifier.
// `Mix` maps (B, rows, cols, C) to the same.
template <class Mix>
class VisionNetwork final : public BuiltNetwork {
  public:
    template <class MakeMix>
    VisionNetwork(const VisionNet& net, Builder& builder, MakeMix make)
        : net_(net), dropout_(builder.options().dropout), patches_(builder.linear("patches")) {
        for (std::int64_t l = 0; l < net.depth; ++l) {
            const std::string name = fmt::format("blocks.{}.", l);
            blocks_.push_back({builder.norm(name + "token_norm", net.norm), make(name, l),
                               builder.norm(name + "channel_norm", net.norm),
                               read_mlp(name + "channels", false, net.activation, builder)});
        }
        final_norm_ = builder.norm("final_norm", net.norm);
        if (net.classes > 0) head_ = builder.linear("head");
    }

    [[nodiscard]] Tensor forward(const Input& input, const DropoutSeeds& seeds) const override {
        Dropout dropout(dropout_, seeds, parameters().front().tensor.device());
        const arch::ImageInput& image = net_.image;
        Tensor x =
            patches_(cut_patches(image, input.values))
                .view({-1, image.image / image.patch, image.image_width / image.patch_width, net_.channels});
        for (const Block& block : blocks_) {
            x = pass(block, x, dropout);
            input.after_layer(x);
        }
        x = final_norm_(x).flatten(1, 2);
        return net_.classes > 0 ? head_(x.mean(1)) : x;
    }

  private:
    struct Block {
        NormLayer token_norm;
        Mix mix;
        NormLayer channel_norm;
        Mlp channels;
    };

    [[nodiscard]] Tensor pass(const Block& block, Tensor x, Dropout& dropout) const {
        const Tensor tokens = dropout(block.mix(block.token_norm(x)));
        x = net_.skip ? x + tokens : tokens;
        const Tensor channels = block.channels(block.channel_norm(x), dropout);
        return net_.skip ? x + channels : channels;
    }

    VisionNet net_;
    double dropout_;
    Linear patches_, head_;
    std::vector<Block> blocks_;
    NormLayer final_norm_;
};

// x moved one place along `dim`, towards its end or its beginning; the border keeps its own values.
Tensor shifted(const Tensor& x, std::int64_t dim, bool forwards) {
    const std::int64_t last = x.size(dim) - 1;
    if (last == 0) return x;
    if (forwards) return at::cat({x.narrow(dim, 0, 1), x.narrow(dim, 0, last)}, dim);
    return at::cat({x.narrow(dim, 1, last), x.narrow(dim, last, 1)}, dim);
}

// Linear, activation, a shift of each quarter of the channels in its own direction, Linear.
struct S2Mix {
    arch::Activation activation;
    Linear before, after;

    Tensor operator()(const Tensor& x) const {
        const auto quarters = activate(activation, before(x)).chunk(4, 3);
        return after(at::cat({shifted(quarters[0], 1, true), shifted(quarters[1], 1, false),
                              shifted(quarters[2], 2, true), shifted(quarters[3], 2, false)},
                             3));
    }
};

// The three branches of a token mixing, summed with weights that the input decides, or with ones.
struct BranchSum {
    arch::Activation activation;
    bool weighted = false;
    Linear down, up;

    [[nodiscard]] Tensor operator()(const Tensor& a, const Tensor& b, const Tensor& c) const {
        if (!weighted) return a + b + c;
        const Tensor mean = (a + b + c).flatten(1, 2).mean(1);       // (B, C)
        const Tensor scores = up(activate(activation, down(mean)));  // (B, 3 C)
        const Tensor share = at::softmax(scores.view({mean.size(0), 1, 1, -1, 3}), 4);
        return a * share.select(4, 0) + b * share.select(4, 1) + c * share.select(4, 2);
    }
};

BranchSum read_branch_sum(const VisionNet& net, bool weighted, const std::string& name, Builder& builder) {
    if (!weighted) return {net.activation, false, {}, {}};
    return {net.activation, true, builder.linear(name + "weighting.down"),
            builder.linear(name + "weighting.up")};
}

// One map of `channels` numbers over a column (dim 1) or row (dim 2): the channels are cut into as many
// segments as there are places, and a segment of all places is mixed at once.
Tensor mix_along(const Tensor& x, std::int64_t dim, const Linear& linear) {
    const Tensor lines = dim == 1 ? x.transpose(1, 2) : x;  // (B, lines, places, C)
    const std::int64_t places = lines.size(2);
    const Tensor segments = lines.reshape({x.size(0), lines.size(1), places, places, -1});
    const Tensor mixed = linear(segments.transpose(2, 3).flatten(3))
                             .view({x.size(0), lines.size(1), places, places, -1})
                             .transpose(2, 3)
                             .flatten(3);
    return dim == 1 ? mixed.transpose(1, 2) : mixed;
}

struct VipMix {
    Linear height, width, channel, projection;
    BranchSum sum;

    Tensor operator()(const Tensor& x) const {
        return projection(sum(mix_along(x, 1, height), mix_along(x, 2, width), channel(x)));
    }
};

// Regions of `region` neighbours along a column or row, mixed through a bottleneck.
struct RegionMlp {
    arch::Activation activation;
    std::int64_t region;
    Linear down;
    NormLayer norm;
    Linear up;

    // `step` places of cyclic shift before, and back after.
    [[nodiscard]] Tensor operator()(const Tensor& x, std::int64_t dim, std::int64_t step) const {
        const Tensor rolled = step == 0 ? x : x.roll(step, dim);
        const Tensor lines = dim == 1 ? rolled.transpose(1, 2) : rolled;  // (B, lines, places, C)
        const Tensor regions = lines.reshape({x.size(0), lines.size(1), lines.size(2) / region, -1});
        const Tensor mixed = up(activate(activation, norm(down(regions)))).view(lines.sizes());
        const Tensor grid = dim == 1 ? mixed.transpose(1, 2) : mixed;
        return step == 0 ? grid : grid.roll(-step, dim);
    }
};

RegionMlp read_region(const arch::HireMlpSpec& spec, const std::string& name, Builder& builder) {
    return {spec.net.activation, spec.region, builder.linear(name + ".down"),
            builder.norm(name + ".norm", spec.net.norm), builder.linear(name + ".up")};
}

struct HireMix {
    RegionMlp height, width;
    Linear channel, projection;
    BranchSum sum;
    std::int64_t step;

    Tensor operator()(const Tensor& x) const {
        return projection(sum(height(x, 1, step), width(x, 2, step), channel(x)));
    }
};

}  // namespace

Built build_s2_mlp(const arch::S2MlpSpec& spec, Builder& builder) {
    return std::make_unique<VisionNetwork<S2Mix>>(
        spec.net, builder, [&](const std::string& name, std::int64_t) {
            return S2Mix{spec.net.activation, builder.linear(name + "before_shift"),
                         builder.linear(name + "after_shift")};
        });
}

Built build_vip(const arch::VipSpec& spec, Builder& builder) {
    return std::make_unique<VisionNetwork<VipMix>>(
        spec.net, builder, [&](const std::string& name, std::int64_t) {
            return VipMix{builder.linear(name + "height"), builder.linear(name + "width"),
                          builder.linear(name + "channel"), builder.linear(name + "projection"),
                          read_branch_sum(spec.net, spec.weighted, name, builder)};
        });
}

Built build_hire_mlp(const arch::HireMlpSpec& spec, Builder& builder) {
    return std::make_unique<VisionNetwork<HireMix>>(
        spec.net, builder, [&](const std::string& name, std::int64_t block) {
            const bool across = spec.cross_region > 0 && block % spec.cross_region == 0;
            return HireMix{read_region(spec, name + "height", builder),
                           read_region(spec, name + "width", builder),
                           builder.linear(name + "channel"),
                           builder.linear(name + "projection"),
                           read_branch_sum(spec.net, spec.weighted, name, builder),
                           across ? 1 : 0};
        });
}

}  // namespace plimsoll::model
