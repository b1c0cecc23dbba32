#include "plimsoll/data/readers/image_folder.h"

#include <algorithm>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/data/readers/image_file.h"
#include "plimsoll/data/readers/image_list.h"
#include "plimsoll/data/readers/resize.h"

namespace plimsoll::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_side = 4096;

// Looks at images one at a time, so that a large folder does not take a mapping for each file.
class ImageReader {
  public:
    ImageReader(const FileSet& files, const ImageListing& listing, const LoadOptions& options)
        : files_(files), listing_(listing), options_(options) {}

    Result<LoadedFile> read(std::size_t index) {
        if (options_.progress) options_.progress(done_++, 2 * listing_.images.size());  // each is read twice
        return files_.read(listing_.images[index].file);
    }

  private:
    const FileSet& files_;
    const ImageListing& listing_;
    const LoadOptions& options_;
    std::uint64_t done_ = 0;
};

using Size = std::pair<std::size_t, std::size_t>;  // height, width

// How many images have each size, and whether one has colours.
struct Sizes {
    std::map<Size, std::size_t> counts;
    std::size_t channels = 1, images = 0;
    [[nodiscard]] Size most() const {
        return std::ranges::max_element(counts, {}, &std::pair<const Size, std::size_t>::second)->first;
    }
};

Result<Sizes> sizes_of(ImageReader& reader, std::size_t images) {
    Sizes sizes;
    sizes.images = images;
    for (std::size_t i = 0; i < images; ++i) {
        PLIMSOLL_ASSIGN(file, reader.read(i));
        PLIMSOLL_ASSIGN(shape, image_shape(file));
        sizes.channels = std::max(sizes.channels, shape.channels);
        ++sizes.counts[{shape.height, shape.width}];
    }
    return sizes;
}

std::string list_sizes(const Sizes& sizes) {
    std::vector<std::string> some;
    constexpr std::size_t most = 3;
    for (const auto& [size, count] : sizes.counts) {
        if (some.size() == most) break;
        some.push_back(fmt::format("{} of {} x {}", count, size.first, size.second));
    }
    if (sizes.counts.size() > most) some.emplace_back("...");
    return join(some, ", ");
}

// The one shape that all images get; what is done to reach it is noted.
Result<ImageShape> common_shape(const Sizes& sizes, std::size_t asked, const std::string& where,
                                std::vector<std::string>& notes) {
    const Size most = asked > 0 ? Size{asked, asked} : sizes.most();
    const auto found = sizes.counts.find(most);
    const std::size_t same = found == sizes.counts.end() ? 0 : found->second;
    if (asked > most_side)
        return bad_input("resize", fmt::format("must be 1 to {}, got {}", most_side, asked));
    if (asked == 0 && 2 * same <= sizes.images)
        return bad_input(where, fmt::format("its {} images have {} sizes ({}), none of them that of most; "
                                            "--resize 32 makes all of them 32 x 32",
                                            sizes.images, sizes.counts.size(), list_sizes(sizes)));
    if (same < sizes.images)
        notes.push_back(fmt::format("{} of {} images were resized to {} x {}{}", sizes.images - same,
                                    sizes.images, most.first, most.second,
                                    asked > 0 ? "" : ", the size of the others"));
    return ImageShape{sizes.channels, most.first, most.second};
}

// The pixels of one image in the common shape.
Status decode_into(const LoadedFile& file, const ImageShape& shape, std::span<std::uint8_t> out) {
    PLIMSOLL_ASSIGN(own, image_shape(file));
    if (own.height == shape.height && own.width == shape.width) return decode_image(file, shape, out);
    const ImageShape full{shape.channels, own.height, own.width};
    std::vector<std::uint8_t> pixels(full.bytes());
    PLIMSOLL_RETURN_IF_ERROR(decode_image(file, full, pixels));
    resize(pixels, full, out, shape);
    return {};
}

Status check_room(const std::string& where, const ImageShape& shape, std::size_t images,
                  std::uint64_t most_bytes) {
    if (shape.bytes() <= most_bytes / images) return {};
    return bad_input(where, fmt::format("{} images of {} bytes are more than the {} that are allowed here",
                                        images, shape.bytes(), human_bytes(static_cast<double>(most_bytes))));
}

Result<Images> decode_all(ImageReader& reader, const ImageListing& listing, const ImageShape& shape) {
    Images set{shape, listing.classes, {}, std::vector<ImageSplit>(listing.splits.size())};
    std::vector<std::vector<std::uint8_t>> pixels(listing.splits.size());
    for (std::size_t i = 0; i < listing.images.size(); ++i) {
        PLIMSOLL_ASSIGN(file, reader.read(i));
        auto& into = pixels[listing.images[i].split];
        into.resize(into.size() + shape.bytes());
        PLIMSOLL_RETURN_IF_ERROR(decode_into(file, shape, std::span(into).last(shape.bytes())));
        set.splits[listing.images[i].split].labels.push_back(listing.images[i].label);
    }
    for (std::size_t i = 0; i < set.splits.size(); ++i) {
        set.splits[i].name = listing.splits[i];
        const std::size_t count = set.splits[i].labels.size();
        set.splits[i].add({std::move(pixels[i]), 0, shape.bytes(), count});
    }
    return set;
}

}  // namespace

Result<Images> load_image_folder(const fs::path& path, const ReadOptions& read, const LoadOptions& options) {
    PLIMSOLL_ASSIGN(files, FileSet::open(path, options));
    PLIMSOLL_ASSIGN(listing, has_class_files(files) ? list_by_keys(files, path.string())
                                                    : list_by_folders(files, path.string()));
    ImageReader reader(files, listing, options);
    PLIMSOLL_ASSIGN(sizes, sizes_of(reader, listing.images.size()));
    std::vector<std::string> notes;
    PLIMSOLL_ASSIGN(shape, common_shape(sizes, read.resize, path.string(), notes));
    PLIMSOLL_RETURN_IF_ERROR(check_room(path.string(), shape, listing.images.size(), options.most_bytes));
    PLIMSOLL_ASSIGN(set, decode_all(reader, listing, shape));
    set.notes = std::move(notes);
    if (listing.passed_over > 0)
        set.notes.push_back(fmt::format("{} files that are no images were passed over", listing.passed_over));
    return set;
}

}  // namespace plimsoll::data
