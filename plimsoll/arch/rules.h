#pragma once

#include <cstdint>
#include <string>

#include "plimsoll/arch/key_table.h"
#include "plimsoll/arch/limits.h"
#include "plimsoll/arch/parts.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/result.h"

// Rules and groups of keys that several families share.
namespace plimsoll::arch {

inline Error clash(std::string key, std::string message) {
    return bad_input(std::move(key), std::move(message));
}

// key: must be at most NAME (VALUE), got ...
inline Status at_most(const std::string& key, std::int64_t value, const std::string& name,
                      std::int64_t most) {
    if (value <= most) return {};
    return clash(key, fmt::format("must be at most {} = {}, got {}", name, most, value));
}

// key: must divide NAME VALUE, got ...
inline Status divides(const std::string& key, std::int64_t value, const std::string& name,
                      std::int64_t whole) {
    if (whole % value == 0) return {};
    return clash(key, fmt::format("must divide {} {}, got {}", name, whole, value));
}

// key: OTHER needs it / needs OTHER, for a number that is zero when absent.
inline Status together(const std::string& key, std::int64_t value, bool wanted, const std::string& other) {
    if (wanted && value == 0) return clash(key, fmt::format("missing; {} needs it", other));
    if (!wanted && value != 0) return clash(key, fmt::format("needs {}", other));
    return {};
}

// width / heads, the usual head dimension.
template <class S>
Result<std::int64_t> head_dim_of(const S& spec) {
    PLIMSOLL_RETURN_IF_ERROR(divides("heads", spec.heads, "width", spec.width));
    return spec.width / spec.heads;
}

// The keys of an image cut into patches; `image` finds the group in the spec.
template <class S>
void add_image_keys(KeyTable<S>& keys, std::function<ImageInput&(S&)> image, Default<std::int64_t, S> patch) {
    using D = Draft<S>;
    using I = Default<std::int64_t, S>;
    const auto part = [image](const D& d) -> ImageInput& { return image(const_cast<S&>(d.spec)); };
    const auto if_used = [part](std::int64_t value) {
        return [part, value](const D& d) -> Result<std::int64_t> { return part(d).used() ? value : 0; };
    };
    const I same_patch{"patch", [part](const D& d) -> Result<std::int64_t> { return part(d).patch; }};
    const I same_image{"image", [part](const D& d) -> Result<std::int64_t> { return part(d).image; }};
    const auto field = [image](std::int64_t ImageInput::* member) {
        return [image, member](S& s) -> std::int64_t& { return image(s).*member; };
    };
    const Range pixels{1, max_image, true};
    keys.integer("patch", field(&ImageInput::patch), pixels, patch,
                 "patch height in pixels; makes the input an image");
    keys.integer("patch_width", field(&ImageInput::patch_width), pixels, same_patch, "patch width in pixels");
    keys.integer("image", field(&ImageInput::image), pixels, I{"224", if_used(224)},
                 "image height in pixels");
    keys.integer("image_width", field(&ImageInput::image_width), pixels, same_image, "image width in pixels");
    keys.integer("image_channels", field(&ImageInput::image_channels), {1, 10'000, true}, I{"3", if_used(3)},
                 "numbers per pixel");
}

// The rules of that group.
Status check_image(const ImageInput& image);

// The names of Activation and Norm, in their order.
std::vector<std::string> activation_names();
std::vector<std::string> norm_names();

}  // namespace plimsoll::arch
