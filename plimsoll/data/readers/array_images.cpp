#include "plimsoll/data/readers/array_images.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"

namespace plimsoll::data {
namespace {

struct ArrayNames {
    std::string_view split, images, labels;
};
constexpr std::array array_names{
    ArrayNames{"train", "train_images", "train_labels"},
    ArrayNames{"val", "val_images", "val_labels"},
    ArrayNames{"test", "test_images", "test_labels"},
    ArrayNames{"train", "x_train", "y_train"},
    ArrayNames{"val", "x_val", "y_val"},
    ArrayNames{"test", "x_test", "y_test"},
    ArrayNames{"all", "images", "labels"},
};

const NpyArray* array_named(const std::vector<NpzArray>& arrays, std::string_view name) {
    const auto found = std::ranges::find(arrays, name, &NpzArray::name);
    return found == arrays.end() ? nullptr : &found->array;
}

// (N, H, W) or (N, H, W, C) with 1 or 3 channels.
Result<ImageShape> shape_of(const NpyArray& array) {
    const auto& shape = array.shape;
    const bool planar = shape.size() == 3, coloured = shape.size() == 4 && (shape[3] == 1 || shape[3] == 3);
    if (array.element_bytes != 1 || array.type != ElementType::unsigned_whole)
        return unsupported(array.name, fmt::format("images of {}; unsigned bytes are read: (x * "
                                                   "255).astype('uint8') for numbers from 0 to 1",
                                                   type_name(array)));
    if (!(planar || coloured) || array.count() == 0)
        return bad_input(array.name, fmt::format("is {}; images are N x height x width, or x 3 with colours",
                                                 shape_text(array)));
    if (array.columns_first)
        return unsupported(array.name, "an array in Fortran's order; save numpy.ascontiguousarray of it");
    return ImageShape{coloured ? shape[3] : 1, shape[1], shape[2]};
}

// Colours beside one another become planes.
HostArray<std::uint8_t> planes_of(const NpyArray& array, const ImageShape& shape) {
    if (shape.channels == 1) return array.elements;
    const auto pixels = array.elements.view();
    const std::size_t plane = shape.height * shape.width;
    std::vector<std::uint8_t> planes(pixels.size());
    for (std::size_t first = 0; first < pixels.size(); first += shape.bytes())
        for (std::size_t i = 0; i < plane; ++i)
            for (std::size_t c = 0; c < shape.channels; ++c)
                planes[first + c * plane + i] = pixels[first + i * shape.channels + c];
    return planes;
}

Result<std::vector<std::uint16_t>> labels_of(const NpyArray& array, std::size_t images) {
    if (array.type == ElementType::real || array.shape.empty() || array.row() != 1)
        return bad_input(array.name, fmt::format("is {} of {}; labels are one whole number an image",
                                                 shape_text(array), type_name(array)));
    if (array.count() != images)
        return bad_input(array.name, fmt::format("{} labels for {} images", array.count(), images));
    std::vector<std::uint16_t> labels(images);
    constexpr std::int64_t most = 65535;
    for (std::size_t i = 0; i < images; ++i) {
        const std::int64_t label = *whole_at(array, i);
        if (label < 0 || label > most)
            return bad_input(array.name,
                             fmt::format("record {}: label {}; labels are 0 to {}", i, label, most));
        labels[i] = static_cast<std::uint16_t>(label);
    }
    return labels;
}

std::vector<std::string> numbered_classes(const std::vector<ImageSplit>& splits) {
    std::size_t classes = 0;
    for (const auto& split : splits)
        for (const auto label : split.labels) classes = std::max<std::size_t>(classes, label + 1U);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < classes; ++i) names.push_back(std::to_string(i));
    return names;
}

}  // namespace

bool are_images(const std::vector<NpzArray>& arrays) {
    return std::ranges::any_of(array_names, [&](const ArrayNames& names) {
        const auto* images = array_named(arrays, names.images);
        return images != nullptr && images->shape.size() >= 3 && array_named(arrays, names.labels) != nullptr;
    });
}

Result<Images> images_from(const std::vector<NpzArray>& arrays, const std::string& file) {
    Images set;
    for (const ArrayNames& names : array_names) {
        const auto* images = array_named(arrays, names.images);
        const auto* labels = array_named(arrays, names.labels);
        if (images == nullptr || labels == nullptr) continue;
        PLIMSOLL_ASSIGN(shape, shape_of(*images));
        if (!set.splits.empty() && shape != set.shape)
            return bad_input(images->name, fmt::format("is {}; those before are {} x {} with {} channels",
                                                       shape_text(*images), set.shape.height, set.shape.width,
                                                       set.shape.channels));
        set.shape = shape;
        const std::size_t count = images->shape[0];
        PLIMSOLL_ASSIGN(numbers, labels_of(*labels, count));
        ImageSplit split;
        split.name = names.split;
        split.labels = std::move(numbers);
        split.add({planes_of(*images, shape), 0, shape.bytes(), count});
        set.splits.push_back(std::move(split));
    }
    if (set.splits.empty())
        return bad_input(file,
                         "has no images with labels (train_images and train_labels, x_train and "
                         "y_train, or images and labels)");
    set.class_names = numbered_classes(set.splits);
    return set;
}

Result<Images> load_npz_images(const std::filesystem::path& path, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(file, load_file(path, options));
    PLIMSOLL_ASSIGN(arrays, read_npz(file, options.most_bytes));
    return images_from(arrays, file.name);
}

}  // namespace plimsoll::data
