#include "plimsoll/arch/vision_mlps_keys.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/arch/limits.h"
#include "plimsoll/arch/rules.h"

namespace plimsoll::arch {
namespace {

template <class S>
auto vision_field(auto VisionNet::* member) {
    return [member](S& s) -> auto& { return s.net.*member; };
}

// `expansion` is the usual one of the family's paper.
template <class S>
void add_vision_net(KeyTable<S>& keys, std::int64_t expansion) {
    const Default<bool, S> layered{"on for norm=layer", [](const Draft<S>& d) -> Result<bool> {
                                       return d.spec.net.norm == Norm::layer;
                                   }};
    const Default<bool, S> normed{"on unless norm=none", [](const Draft<S>& d) -> Result<bool> {
                                      return d.spec.net.norm != Norm::none;
                                  }};
    const Default<std::int64_t, S> expanded{
        fmt::format("{} * channels", expansion),
        [expansion](const Draft<S>& d) -> Result<std::int64_t> { return expansion * d.spec.net.channels; }};
    keys.integer("depth", vision_field<S>(&VisionNet::depth), {1, max_depth}, required, "blocks");
    keys.integer("channels", vision_field<S>(&VisionNet::channels), {1, max_width}, required, "C");
    add_image_keys<S>(keys, vision_field<S>(&VisionNet::image), required);
    keys.integer("channel_hidden", vision_field<S>(&VisionNet::channel_hidden), {1, max_hidden}, expanded,
                 "hidden size of the channel MLP");
    keys.integer("classes", vision_field<S>(&VisionNet::classes), {1, max_classes, true}, 0,
                 "classes of a linear classifier on the mean token");
    keys.template choice<Activation>("activation", vision_field<S>(&VisionNet::activation),
                                     activation_names(), Activation::gelu, "phi");
    keys.template choice<Norm>("norm", vision_field<S>(&VisionNet::norm), norm_names(), Norm::layer,
                               "before each half of a block");
    keys.flag("norm_bias", vision_field<S>(&VisionNet::norm_bias), layered, "bias of layer norms");
    keys.flag("final_norm", vision_field<S>(&VisionNet::final_norm), normed, "norm after the last block");
    keys.flag("skip", vision_field<S>(&VisionNet::skip), true, "skip connections");
    keys.flag("bias", vision_field<S>(&VisionNet::bias), true, "biases");
}

Status check_vision_net(const VisionNet& net) {
    if (net.norm != Norm::layer && net.norm_bias) return clash("norm_bias", "needs norm=layer");
    if (net.norm == Norm::none && net.final_norm) return clash("final_norm", "must be off with norm=none");
    return check_image(net.image);
}

Status check_weighted(bool weighted, const VisionNet& net) {
    if (!weighted || net.channels % 4 == 0) return {};
    return clash("channels", fmt::format("must be a multiple of 4 with weighted=on, got {}", net.channels));
}

std::int64_t grid_rows(const ImageInput& image) { return image.image / image.patch; }
std::int64_t grid_cols(const ImageInput& image) { return image.image_width / image.patch_width; }

}  // namespace

KeyTable<S2MlpSpec> s2_mlp_keys() {
    KeyTable<S2MlpSpec> keys;
    add_vision_net(keys, 4);
    return keys;
}

Status check(const S2MlpSpec& s) {
    PLIMSOLL_RETURN_IF_ERROR(check_vision_net(s.net));
    if (s.net.channels % 4 == 0) return {};
    return clash("channels",
                 fmt::format("must be a multiple of 4, one part per shift, got {}", s.net.channels));
}

KeyTable<VipSpec> vip_keys() {
    KeyTable<VipSpec> keys;
    add_vision_net(keys, 3);
    keys.flag("weighted", &VipSpec::weighted, true, "split attention over the three branches");
    keys.flag("branch_bias", &VipSpec::branch_bias, false, "biases of the three branches");
    return keys;
}

Status check(const VipSpec& s) {
    PLIMSOLL_RETURN_IF_ERROR(check_vision_net(s.net));
    const auto rows = grid_rows(s.net.image);
    const auto cols = grid_cols(s.net.image);
    if (s.net.channels % rows != 0 || s.net.channels % cols != 0) {
        return clash("channels",
                     fmt::format("must be a multiple of the {} x {} patches of a column and a row, got {}",
                                 rows, cols, s.net.channels));
    }
    return check_weighted(s.weighted, s.net);
}

KeyTable<HireMlpSpec> hire_mlp_keys() {
    using S = HireMlpSpec;
    KeyTable<S> keys;
    add_vision_net(keys, 4);
    keys.integer("region", &S::region, {1, max_image}, 2, "tokens per region");
    keys.integer("bottleneck", &S::bottleneck, {1, max_hidden},
                 {"channels / 2",
                  [](const Draft<S>& d) -> Result<std::int64_t> {
                      return std::max<std::int64_t>(1, d.spec.net.channels / 2);
                  }},
                 "hidden width of the region MLPs");
    keys.integer("cross_region", &S::cross_region, {1, max_depth, true}, 1,
                 "number of blocks between shifts across regions");
    keys.flag("weighted", &S::weighted, true, "split attention over the three branches");
    return keys;
}

Status check(const HireMlpSpec& s) {
    PLIMSOLL_RETURN_IF_ERROR(check_vision_net(s.net));
    PLIMSOLL_RETURN_IF_ERROR(divides("region", s.region, "patches of a column", grid_rows(s.net.image)));
    PLIMSOLL_RETURN_IF_ERROR(divides("region", s.region, "patches of a row", grid_cols(s.net.image)));
    return check_weighted(s.weighted, s.net);
}

}  // namespace plimsoll::arch
