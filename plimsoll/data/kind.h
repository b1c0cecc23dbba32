#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::data {

// The layouts that are read.
enum class Kind {
    cifar10,
    cifar100,
    svhn,
    stl10,
    idx,
    image_folder,
    image_arrays,
    text,
    tokens,
    sentence_pairs,
    table,
};

// "cifar10", "image-folder", ...: what --kind takes.
std::string_view kind_name(Kind kind);
std::optional<Kind> kind_named(std::string_view name);
std::vector<std::string> kind_names();

// Whether its examples are images.
bool is_images(Kind kind);

// "CIFAR-10, binary records": for people.
std::string_view kind_title(Kind kind);

}  // namespace plimsoll::data
