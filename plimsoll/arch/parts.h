#pragma once

#include <cstdint>

namespace plimsoll::arch {

enum class Activation { gelu, relu, silu, tanh, square, identity };

enum class Norm { none, layer, rms };

// An image cut into patches, each flattened; `patch` 0 means that the input is not an image.
struct ImageInput {
    std::int64_t image = 0;  // height in pixels
    std::int64_t image_width = 0;
    std::int64_t image_channels = 0;  // numbers per pixel
    std::int64_t patch = 0;           // height in pixels
    std::int64_t patch_width = 0;

    [[nodiscard]] bool used() const { return patch > 0; }
    // Patches per image; 0 when not an image.
    [[nodiscard]] std::int64_t patches() const {
        return used() ? (image / patch) * (image_width / patch_width) : 0;
    }
    // Numbers per patch, the rank cap of the input (WIES-CONV-V); 0 when not an image.
    [[nodiscard]] std::int64_t patch_dim() const { return patch * patch_width * image_channels; }

    bool operator==(const ImageInput&) const = default;
};

}  // namespace plimsoll::arch
