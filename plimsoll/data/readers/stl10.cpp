#include "plimsoll/data/readers/stl10.h"

#include "plimsoll/base/format.h"
#include "plimsoll/data/readers/class_names_table.h"
#include "plimsoll/data/readers/planes.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

struct OfficialSplit {
    std::string_view images, labels, name;
};
constexpr OfficialSplit official_splits[] = {{"train_X.bin", "train_y.bin", "train"},
                                             {"test_X.bin", "test_y.bin", "test"},
                                             {"unlabeled_X.bin", "", "unlabelled"}};

struct SplitFiles {
    fs::path images;
    std::optional<fs::path> labels;
    std::string name;
};

Result<SplitFiles> files_of(const OfficialSplit& split, const fs::path& images) {
    SplitFiles files{images, std::nullopt, std::string(split.name)};
    if (split.labels.empty()) return files;
    files.labels = find_packed(images.parent_path(), split.labels);
    if (!files.labels)
        return not_found(images.string(), fmt::format("its labels {} are not beside it", split.labels));
    return files;
}

Result<std::vector<SplitFiles>> stl10_files(const fs::path& path) {
    const bool folder = fs::is_directory(path);
    std::vector<SplitFiles> found;
    for (const auto& split : official_splits) {
        std::optional<fs::path> images;
        if (folder) images = find_packed(path, split.images);
        if (!folder && unpacked_name(path) == split.images) images = path;
        if (!images) continue;
        PLIMSOLL_ASSIGN(files, files_of(split, *images));
        found.push_back(std::move(files));
    }
    if (found.empty())
        return not_found(path.string(), folder ? "has no train_X.bin, test_X.bin or unlabeled_X.bin"
                                               : "is not named train_X.bin, test_X.bin or unlabeled_X.bin");
    return found;
}

Status add_stl10_labels(const LoadedFile& file, ImageSplit& split) {
    const std::size_t classes = stl10_classes.size();
    if (file.bytes.size() != split.count())
        return bad_input(file.name, fmt::format("{} labels for {} images", file.bytes.size(), split.count()));
    for (std::size_t i = 0; i < split.count(); ++i) {
        const std::uint8_t label = file.bytes[i];
        if (label < 1 || label > classes)
            return bad_input(file.name, fmt::format("record {}, byte {}: label {}; 1 to {} are classes", i, i,
                                                    label, classes));
        split.labels.push_back(static_cast<std::uint16_t>(label - 1));
    }
    return {};
}

}  // namespace

Result<ImageSplit> make_stl10_split(const LoadedFile& images, const LoadedFile* labels) {
    const std::size_t image = stl10_shape.bytes(), count = images.bytes.size() / image;
    if (images.bytes.empty())
        return bad_input(images.name, fmt::format("is empty; an image has {} bytes", image));
    if (const std::size_t rest = images.bytes.size() % image; rest != 0)
        return bad_input(images.name,
                         fmt::format("record {}, byte {}: the file ends after {} of the image's {} bytes",
                                     count, count * image, rest, image));
    ImageSplit split;
    std::vector<std::uint8_t> pixels(images.bytes.begin(), images.bytes.end());
    planes_to_rows(pixels, stl10_shape);
    split.add({std::move(pixels), 0, image, count});
    if (labels != nullptr) PLIMSOLL_RETURN_IF_ERROR(add_stl10_labels(*labels, split));
    return split;
}

Result<Images> load_stl10(const fs::path& path, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(parts, stl10_files(path));
    Images set;
    set.shape = stl10_shape;
    set.class_names = names_of(stl10_classes);
    for (const auto& part : parts) {
        std::vector<fs::path> paths{part.images};
        if (part.labels) paths.push_back(*part.labels);
        PLIMSOLL_ASSIGN(files, load_files(paths, options));
        PLIMSOLL_ASSIGN(split, make_stl10_split(files[0], part.labels ? &files[1] : nullptr));
        split.name = part.name;
        set.splits.push_back(std::move(split));
    }
    return set;
}

}  // namespace plimsoll::data
