#pragma once

#include <cstdint>

#include "plimsoll/arch/parts.h"

namespace plimsoll::arch {

// What the vision MLPs named by Navon & Bronstein have in common: one stage of equal blocks on a grid of
// patches.
struct VisionNet {
    std::int64_t depth = 1;
    std::int64_t channels = 1;
    std::int64_t channel_hidden = 1;  // of the channel MLP
    ImageInput image;
    std::int64_t classes = 0;  // linear classifier on the mean token; 0: none
    Activation activation = Activation::gelu;
    Norm norm = Norm::layer;
    bool norm_bias = true;
    bool final_norm = true;
    bool skip = true;
    bool bias = true;

    bool operator==(const VisionNet&) const = default;
};

// S2-MLP: Linear, activation, four-way spatial shift, Linear; then the channel MLP.
struct S2MlpSpec {
    VisionNet net;

    bool operator==(const S2MlpSpec&) const = default;
};

// Vision Permutator: height, width and channel branches (channels x channels each), summed and projected.
struct VipSpec {
    VisionNet net;
    bool weighted = true;      // split attention over the branches, with a bottleneck of channels/4
    bool branch_bias = false;  // biases of the three branches

    bool operator==(const VipSpec&) const = default;
};

// Hire-MLP: regions of `region` rows (columns) are mixed through a bottleneck, beside a channel branch.
struct HireMlpSpec {
    VisionNet net;
    std::int64_t region = 2;        // tokens per region
    std::int64_t bottleneck = 1;    // hidden width of the region MLPs
    std::int64_t cross_region = 1;  // blocks between cyclic shifts across regions; 0: never
    bool weighted = true;           // split attention over the branches, with a bottleneck of channels/4

    bool operator==(const HireMlpSpec&) const = default;
};

}  // namespace plimsoll::arch
