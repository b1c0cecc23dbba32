#include "plimsoll/data/readers/image_folder.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/data/readers/image_file.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> split_folders{"train", "val", "valid", "validation", "test"};
constexpr std::size_t most_classes = 65536;

struct ImageEntry {
    fs::path path;
    std::size_t split = 0;
    std::uint16_t label = 0;
};

// Everything a folder says before a pixel is decoded.
struct Listing {
    std::vector<std::string> splits, classes;
    std::vector<ImageEntry> images;
};

Result<std::vector<fs::path>> subfolders(const fs::path& folder) {
    std::error_code problem;
    std::vector<fs::path> found;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        std::error_code ignored;
        const bool hidden = entry->path().filename().string().starts_with('.');
        if (entry->is_directory(ignored) && !hidden) found.push_back(entry->path());
    }
    if (problem == std::errc::no_such_file_or_directory) return not_found(folder.string(), "no such folder");
    if (problem) return io_error(folder.string(), problem.message());
    std::sort(found.begin(), found.end());
    return found;
}

bool is_split(const fs::path& folder) {
    return std::find(split_folders.begin(), split_folders.end(), folder.filename()) != split_folders.end();
}

std::uint16_t label_of(const std::string& name, std::vector<std::string>& classes) {
    const auto at = std::find(classes.begin(), classes.end(), name);
    if (at != classes.end()) return static_cast<std::uint16_t>(at - classes.begin());
    classes.push_back(name);
    return static_cast<std::uint16_t>(classes.size() - 1);
}

Status list_split(const fs::path& folder, std::size_t split, Listing& listing) {
    PLIMSOLL_ASSIGN(classes, subfolders(folder));
    for (const auto& one : classes) {
        const std::uint16_t label = label_of(one.filename().string(), listing.classes);
        if (listing.classes.size() > most_classes)
            return bad_input(folder.string(), "has more than 65536 classes");
        PLIMSOLL_ASSIGN(files, files_in(one));
        for (const auto& file : files)
            if (!file.filename().string().starts_with('.')) listing.images.push_back({file, split, label});
    }
    return {};
}

Result<Listing> list_folder(const fs::path& folder) {
    Listing listing;
    PLIMSOLL_ASSIGN(inside, subfolders(folder));
    if (!inside.empty() && std::all_of(inside.begin(), inside.end(), is_split)) {
        for (const auto name : split_folders)  // train first, test last
            if (fs::is_directory(folder / name)) listing.splits.emplace_back(name);
        for (std::size_t i = 0; i < listing.splits.size(); ++i)
            PLIMSOLL_RETURN_IF_ERROR(list_split(folder / listing.splits[i], i, listing));
    } else {
        listing.splits = {"all"};
        PLIMSOLL_RETURN_IF_ERROR(list_split(folder, 0, listing));
    }
    if (listing.images.empty())
        return not_found(folder.string(),
                         "has no images; wanted are PNG or JPEG files in one subfolder per class");
    return listing;
}

// Looks at images one at a time, so that a large folder does not take a mapping for each file.
class Reader {
  public:
    Reader(const std::vector<ImageEntry>& images, const LoadOptions& options)
        : images_(images), options_(options) {}

    Result<LoadedFile> read(std::size_t index) {
        if (options_.progress) options_.progress(done_++, 2 * images_.size());  // each is read twice
        return load_file(images_[index].path, {options_.most_bytes, nullptr});
    }

  private:
    const std::vector<ImageEntry>& images_;
    const LoadOptions& options_;
    std::uint64_t done_ = 0;
};

// The one shape of all images, or which of them differ.
Result<ImageShape> common_shape(const std::vector<ImageEntry>& images, Reader& reader) {
    ImageShape common;
    std::vector<std::string> others;
    std::size_t different = 0;
    for (std::size_t i = 0; i < images.size(); ++i) {
        PLIMSOLL_ASSIGN(file, reader.read(i));
        PLIMSOLL_ASSIGN(shape, image_shape(file));
        if (i == 0) common = shape;
        common.channels = std::max(common.channels, shape.channels);
        if (shape.height == common.height && shape.width == common.width) continue;
        if (++different <= 3)
            others.push_back(fmt::format("{} is {} x {}", file.name, shape.height, shape.width));
    }
    if (different == 0) return common;
    return bad_input(images[0].path.string(),
                     fmt::format("is {} x {} but {} of {} images are not: {}{}", common.height, common.width,
                                 different, images.size(), join(others, ", "), different > 3 ? ", ..." : ""));
}

Status check_memory(const fs::path& folder, const ImageShape& shape, std::size_t images,
                    std::uint64_t most_bytes) {
    if (shape.bytes() <= most_bytes / images) return {};
    return bad_input(folder.string(),
                     fmt::format("{} images of {} bytes are more than the {} that are allowed here", images,
                                 shape.bytes(), human_bytes(static_cast<double>(most_bytes))));
}

}  // namespace

Result<Images> load_image_folder(const fs::path& folder, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(listing, list_folder(folder));
    Reader reader(listing.images, options);
    PLIMSOLL_ASSIGN(shape, common_shape(listing.images, reader));
    PLIMSOLL_RETURN_IF_ERROR(check_memory(folder, shape, listing.images.size(), options.most_bytes));
    Images set{shape, listing.classes, {}, std::vector<ImageSplit>(listing.splits.size())};
    std::vector<std::vector<std::uint8_t>> pixels(listing.splits.size());
    for (std::size_t i = 0; i < listing.images.size(); ++i) {
        PLIMSOLL_ASSIGN(file, reader.read(i));
        auto& into = pixels[listing.images[i].split];
        into.resize(into.size() + shape.bytes());
        PLIMSOLL_RETURN_IF_ERROR(decode_image(file, shape, std::span(into).last(shape.bytes())));
        set.splits[listing.images[i].split].labels.push_back(listing.images[i].label);
    }
    for (std::size_t i = 0; i < set.splits.size(); ++i) {
        set.splits[i].name = listing.splits[i];
        const std::size_t count = set.splits[i].labels.size();
        set.splits[i].add({std::move(pixels[i]), 0, shape.bytes(), count});
    }
    return set;
}

}  // namespace plimsoll::data
