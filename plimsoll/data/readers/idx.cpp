#include "plimsoll/data/readers/idx.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t magic_bytes = 4, dimension_bytes = 4, most_idx_dimensions = 8, any_byte = 256;
constexpr std::uint8_t unsigned_byte = 0x08;

std::string_view element_type(std::uint8_t code) {
    switch (code) {
        case 0x09:
            return "signed bytes";
        case 0x0b:
            return "16-bit integers";
        case 0x0c:
            return "32-bit integers";
        case 0x0d:
            return "32-bit reals";
        case 0x0e:
            return "64-bit reals";
        default:
            return "";
    }
}

std::uint32_t load_big(std::span<const std::uint8_t> bytes) {
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
           bytes[3];
}

Status check_magic(const LoadedFile& file) {
    const auto bytes = file.bytes.view();
    if (bytes.size() < magic_bytes)
        return bad_input(file.name,
                         fmt::format("byte {}: ends inside the 4 bytes of IDX's magic", bytes.size()));
    if (bytes[0] != 0 || bytes[1] != 0)
        return bad_input(
            file.name,
            fmt::format("byte 0: not an IDX file, which starts with 00 00; this with {:02x} {:02x}", bytes[0],
                        bytes[1]));
    if (bytes[2] != unsigned_byte) {
        if (const auto type = element_type(bytes[2]); !type.empty())
            return unsupported(file.name, fmt::format("byte 2: holds {}; unsigned bytes are read", type));
        return bad_input(file.name, fmt::format("byte 2: {:02x} is no element type of IDX", bytes[2]));
    }
    if (bytes[3] == 0 || bytes[3] > most_idx_dimensions)
        return bad_input(
            file.name, fmt::format("byte 3: {} dimensions; 1 to {} are read", bytes[3], most_idx_dimensions));
    return {};
}

// "train" of train-images-idx3-ubyte; t10k is what MNIST calls its test split.
std::string split_name(const std::string& file_name) {
    const std::string prefix = file_name.substr(0, file_name.find("-images"));
    return prefix == "t10k" ? "test" : prefix;
}

// train-labels-idx1-ubyte for train-images-idx3-ubyte, in whatever packing.
std::optional<fs::path> labels_beside(const fs::path& images) {
    std::string name = unpacked_name(images);
    for (const auto& [from, to] : {std::pair{"images", "labels"}, {"idx3", "idx1"}}) {
        const auto at = name.rfind(from);
        if (at == std::string::npos) return std::nullopt;
        name.replace(at, std::string_view(from).size(), to);
    }
    return find_packed(images.parent_path(), name);
}

Result<std::vector<fs::path>> image_files(const fs::path& path) {
    if (!fs::is_directory(path)) return std::vector{path};
    PLIMSOLL_ASSIGN(files, files_in(path));
    std::erase_if(files, [](const fs::path& file) {
        return unpacked_name(file).find("-images") == std::string::npos ||
               unpacked_name(file).find("idx3") == std::string::npos;
    });
    // A file may lie there packed and unpacked: the first is enough.
    const auto same = [](const auto& a, const auto& b) { return unpacked_name(a) == unpacked_name(b); };
    files.erase(std::unique(files.begin(), files.end(), same), files.end());
    std::stable_partition(files.begin(), files.end(),
                          [](const auto& file) { return file.filename().string().starts_with("train"); });
    if (files.empty()) return not_found(path.string(), "has no file named *-images-idx3-ubyte");
    return files;
}

std::vector<std::string> names_for(const std::vector<ImageSplit>& splits) {
    std::size_t classes = 0;
    for (const auto& split : splits)
        for (const auto label : split.labels) classes = std::max<std::size_t>(classes, label + 1U);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < classes; ++i) names.push_back(std::to_string(i));
    return names;
}

Status add_idx_labels(const LoadedFile& file, std::size_t classes, ImageSplit& split) {
    PLIMSOLL_ASSIGN(header, parse_idx(file));
    if (header.dimensions.size() != 1)
        return bad_input(file.name,
                         fmt::format("byte 3: {} dimensions where labels have 1", header.dimensions.size()));
    if (header.dimensions[0] != split.count())
        return bad_input(file.name,
                         fmt::format("byte 4: {} labels for {} images", header.dimensions[0], split.count()));
    for (std::size_t i = 0; i < split.count(); ++i) {
        const auto label = file.bytes[header.first + i];
        if (label >= classes)
            return bad_input(file.name, fmt::format("record {}, byte {}: label {} of {} classes", i,
                                                    header.first + i, label, classes));
        split.labels.push_back(label);
    }
    return {};
}

}  // namespace

bool looks_like_idx(std::span<const std::uint8_t> first) {
    return first.size() >= magic_bytes && first[0] == 0 && first[1] == 0 &&
           (first[2] == unsigned_byte || !element_type(first[2]).empty()) && first[3] >= 1 &&
           first[3] <= most_idx_dimensions;
}

Result<IdxHeader> parse_idx(const LoadedFile& file) {
    PLIMSOLL_RETURN_IF_ERROR(check_magic(file));
    const auto bytes = file.bytes.view();
    IdxHeader header;
    header.first = magic_bytes + dimension_bytes * bytes[3];
    if (bytes.size() < header.first)
        return bad_input(file.name,
                         fmt::format("byte {}: ends inside its {} dimensions", bytes.size(), bytes[3]));
    // Everything is held against what is there, so that the product cannot overflow.
    const std::size_t there = bytes.size() - header.first;
    std::size_t stated = 1;
    for (std::size_t at = magic_bytes; at < header.first; at += dimension_bytes) {
        const std::uint32_t dimension = load_big(bytes.subspan(at));
        if (dimension == 0) return bad_input(file.name, fmt::format("byte {}: a dimension of 0", at));
        if (stated > there / dimension)
            return bad_input(file.name,
                             fmt::format("byte {}: states at least {} x {} bytes; {} follow the header", at,
                                         stated, dimension, there));
        stated *= dimension;
        header.dimensions.push_back(dimension);
    }
    if (stated != there)
        return bad_input(file.name, fmt::format("byte {}: {} bytes follow the {} that the header states",
                                                header.first + stated, there - stated, stated));
    return header;
}

Result<IdxSplit> make_idx_split(const LoadedFile& images, const LoadedFile* labels, std::size_t classes) {
    PLIMSOLL_ASSIGN(header, parse_idx(images));
    const auto& dimensions = header.dimensions;
    if (dimensions.size() != 3)
        return bad_input(images.name,
                         fmt::format("byte 3: {} dimensions where images have 3 (count, height, width)",
                                     dimensions.size()));
    IdxSplit made{{1, dimensions[1], dimensions[2]}, {}};
    made.split.add({images.bytes, header.first, made.shape.bytes(), dimensions[0]});
    if (labels != nullptr) PLIMSOLL_RETURN_IF_ERROR(add_idx_labels(*labels, classes, made.split));
    return made;
}

Result<Images> load_idx(const fs::path& path, std::vector<std::string> class_names,
                        const LoadOptions& options) {
    PLIMSOLL_ASSIGN(images, image_files(path));
    std::vector<fs::path> paths;
    for (const auto& file : images) {
        paths.push_back(file);
        if (const auto labels = labels_beside(file)) paths.push_back(*labels);
    }
    PLIMSOLL_ASSIGN(files, load_files(paths, options));
    Images set;
    for (std::size_t at = 0, image = 0; at < files.size(); ++image) {
        const bool labelled =
            at + 1 < files.size() && (image + 1 == images.size() || paths[at + 1] != images[image + 1]);
        PLIMSOLL_ASSIGN(made, make_idx_split(files[at], labelled ? &files[at + 1] : nullptr,
                                             class_names.empty() ? any_byte : class_names.size()));
        if (image > 0 && made.shape != set.shape)
            return bad_input(files[at].name,
                             fmt::format("{} x {} images; those before are {} x {}", made.shape.height,
                                         made.shape.width, set.shape.height, set.shape.width));
        set.shape = made.shape;
        made.split.name = split_name(unpacked_name(images[image]));
        set.splits.push_back(std::move(made.split));
        at += labelled ? 2 : 1;
    }
    set.class_names = class_names.empty() ? names_for(set.splits) : std::move(class_names);
    return set;
}

}  // namespace plimsoll::data
