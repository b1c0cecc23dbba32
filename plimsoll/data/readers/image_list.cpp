#include "plimsoll/data/readers/image_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <tuple>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> split_folders{"train", "val", "valid", "validation", "test"};
constexpr std::size_t most_classes = 65536;

bool is_split_folder(const std::string& name) {
    return std::ranges::find(split_folders, name) != split_folders.end();
}

std::vector<std::string> parts_of_path(const std::string& name) {
    std::vector<std::string> parts;
    for (const auto& part : fs::path(name)) parts.push_back(part.string());
    return parts;
}

// The images' paths as lists of names.
struct ImagePath {
    std::size_t file;
    std::vector<std::string> parts;
    std::size_t split = 0;
};
// Takes off a folder that all of them are in and that is no split.
void drop_folder_around(std::vector<ImagePath>& images) {
    const auto deep = [](const ImagePath& image) { return image.parts.size() > 2; };
    const auto same = [&](const ImagePath& image) { return image.parts[0] == images[0].parts[0]; };
    while (!images.empty() && std::ranges::all_of(images, deep) && std::ranges::all_of(images, same) &&
           !is_split_folder(images[0].parts[0]))
        for (auto& image : images) image.parts.erase(image.parts.begin());
}

std::uint16_t label_of(const std::string& name, std::vector<std::string>& classes) {
    const auto at = std::find(classes.begin(), classes.end(), name);
    if (at != classes.end()) return static_cast<std::uint16_t>(at - classes.begin());
    classes.push_back(name);
    return static_cast<std::uint16_t>(classes.size() - 1);
}

// The splits that there are, train first and test last; each image learns its own.
std::vector<std::string> find_splits(std::vector<ImagePath>& images) {
    std::vector<std::string> splits;
    for (const auto name : split_folders) {
        const auto in_it = [&](const ImagePath& image) { return image.parts[0] == name; };
        if (std::ranges::none_of(images, in_it)) continue;
        for (auto& image : images)
            if (in_it(image)) image.split = splits.size();
        splits.emplace_back(name);
    }
    return splits;
}

Error no_images(const std::string& where) {
    return not_found(where, "has no images; wanted are PNG or JPEG files in one subfolder per class");
}

// The class of a WebDataset example, a whole number as text.
Result<std::uint16_t> class_in(const LoadedFile& file) {
    const auto bytes = file.bytes.view();
    const std::string_view text = trim({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    std::uint16_t label = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), label);
    if (error == std::errc() && end == text.data() + text.size()) return label;
    return bad_input(file.name,
                     fmt::format("class '{}'; wanted is a whole number up to 65535", printable(text, 40)));
}

// WebDataset's key: the path up to the first dot of the file's name.
std::string key_of(const std::string& name) {
    const auto slash = name.rfind('/');
    const auto dot = name.find('.', slash == std::string::npos ? 0 : slash);
    return name.substr(0, dot);
}

// "train" of imagenet-train-0000.tar; "all" where no word says it.
std::string split_of_archive(const std::string& archive) {
    std::string name = fs::path(archive).filename().string();
    for (char& c : name)
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')) c = ' ';
    for (const auto& word : split(name, ' '))
        if (is_split_folder(word)) return word;
    return "all";
}

}  // namespace

bool is_image_name(const std::string& name) {
    const std::string ending = fs::path(name).extension().string();
    return ending == ".png" || ending == ".jpg" || ending == ".jpeg" || ending == ".PNG" ||
           ending == ".JPG" || ending == ".JPEG";
}

bool has_class_files(const FileSet& files) {
    for (std::size_t i = 0; i < files.size(); ++i)
        if (files.name(i).ends_with(".cls")) return true;
    return false;
}

Result<ImageListing> list_by_folders(const FileSet& files, const std::string& where) {
    ImageListing listing;
    std::vector<ImagePath> images;
    for (std::size_t i = 0; i < files.size(); ++i) {
        auto parts = parts_of_path(files.name(i));
        if (parts.size() > 1) images.push_back({i, std::move(parts)});
    }
    drop_folder_around(images);
    const auto in_split = [](const ImagePath& image) {
        return image.parts.size() > 2 && is_split_folder(image.parts[0]);
    };
    const bool splits = !images.empty() && std::ranges::all_of(images, in_split);
    listing.splits = splits ? find_splits(images) : std::vector<std::string>{"all"};
    const std::size_t class_at = splits ? 1 : 0;
    std::ranges::sort(images, [](const auto& a, const auto& b) {
        return std::tie(a.split, a.parts) < std::tie(b.split, b.parts);
    });
    for (const auto& image : images) {
        if (image.parts.size() != class_at + 2) continue;  // neither a class's own nor an image
        const std::uint16_t label = label_of(image.parts[class_at], listing.classes);
        if (listing.classes.size() > most_classes) return bad_input(where, "has more than 65536 classes");
        listing.images.push_back({image.file, image.split, label});
    }
    if (listing.images.empty()) return no_images(where);
    return listing;
}

Result<ImageListing> list_by_keys(const FileSet& files, const std::string& where) {
    std::map<std::string, std::uint16_t> classes;
    std::uint16_t most = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!files.name(i).ends_with(".cls")) continue;
        PLIMSOLL_ASSIGN(file, files.read(i));
        PLIMSOLL_ASSIGN(label, class_in(file));
        most = std::max(most, label);
        classes[fmt::format("{}:{}", files.archive_of(i), key_of(files.name(i)))] = label;
    }
    ImageListing listing;
    for (int i = 0; i <= most; ++i) listing.classes.push_back(std::to_string(i));
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!is_image_name(files.name(i))) {
            if (!files.name(i).ends_with(".cls")) ++listing.passed_over;
            continue;
        }
        const auto label = classes.find(fmt::format("{}:{}", files.archive_of(i), key_of(files.name(i))));
        if (label == classes.end())
            return bad_input(where,
                             fmt::format("'{}' has no class beside it (KEY.cls)", printable(files.name(i))));
        const std::string split =
            files.archives().empty() ? "all" : split_of_archive(files.archives()[files.archive_of(i)]);
        const auto at = std::ranges::find(listing.splits, split);
        listing.images.push_back({i, static_cast<std::size_t>(at - listing.splits.begin()), label->second});
        if (at == listing.splits.end()) listing.splits.push_back(split);
    }
    if (listing.images.empty()) return no_images(where);
    std::ranges::sort(listing.images, {},
                      [](const auto& image) { return std::pair(image.split, image.file); });
    return listing;
}

}  // namespace plimsoll::data
