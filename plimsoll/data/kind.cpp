#include "plimsoll/data/kind.h"

#include <array>

namespace plimsoll::data {
namespace {

struct KindFacts {
    Kind kind;
    std::string_view name, title;
};
constexpr std::array<KindFacts, 11> kinds{{
    {Kind::cifar10, "cifar10", "CIFAR-10, binary records"},
    {Kind::cifar100, "cifar100", "CIFAR-100, binary records"},
    {Kind::svhn, "svhn", "SVHN, cropped digits (.mat)"},
    {Kind::stl10, "stl10", "STL-10, binary"},
    {Kind::idx, "idx", "images in IDX files (MNIST's layout)"},
    {Kind::image_folder, "image-folder", "a folder of images, one subfolder per class"},
    {Kind::image_arrays, "image-arrays", "images in a .npz file"},
    {Kind::text, "text", "text"},
    {Kind::tokens, "tokens", "token ids"},
    {Kind::sentence_pairs, "sentence-pairs", "sentence pairs with labels"},
    {Kind::table, "table", "a table"},
}};

}  // namespace

std::string_view kind_name(Kind kind) { return kinds[static_cast<std::size_t>(kind)].name; }
std::string_view kind_title(Kind kind) { return kinds[static_cast<std::size_t>(kind)].title; }

bool is_images(Kind kind) { return kind <= Kind::image_arrays; }

std::optional<Kind> kind_named(std::string_view name) {
    for (const auto& facts : kinds)
        if (facts.name == name) return facts.kind;
    return std::nullopt;
}

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const auto& facts : kinds) names.emplace_back(facts.name);
    return names;
}

}  // namespace plimsoll::data
