#include "plimsoll/arch/rules.h"

namespace plimsoll::arch {

Status check_image(const ImageInput& image) {
    const bool used = image.used();
    PLIMSOLL_RETURN_IF_ERROR(together("patch_width", image.patch_width, used, "patch"));
    PLIMSOLL_RETURN_IF_ERROR(together("image", image.image, used, "patch"));
    PLIMSOLL_RETURN_IF_ERROR(together("image_width", image.image_width, used, "patch"));
    PLIMSOLL_RETURN_IF_ERROR(together("image_channels", image.image_channels, used, "patch"));
    if (!used) return {};
    PLIMSOLL_RETURN_IF_ERROR(divides("patch", image.patch, "image", image.image));
    return divides("patch_width", image.patch_width, "image_width", image.image_width);
}

std::vector<std::string> activation_names() { return {"gelu", "relu", "silu", "tanh", "square", "identity"}; }

std::vector<std::string> norm_names() { return {"none", "layer", "rms"}; }

}  // namespace plimsoll::arch
