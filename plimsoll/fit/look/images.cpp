#include <algorithm>
#include <numeric>

#include "plimsoll/base/format.h"
#include "plimsoll/fit/look/input_rank.h"
#include "plimsoll/fit/look/labels.h"
#include "plimsoll/fit/look/look_task.h"
#include "plimsoll/fit/look/row_dependence.h"
#include "plimsoll/run/splits.h"

namespace plimsoll::fit {
namespace {

constexpr std::size_t levels = 8;

struct ImagePart {
    std::vector<Pixels> images;
    std::vector<std::uint16_t> labels;
};

// The images of a part of the labelled splits, as the trainer takes them.
ImagePart images_of(const std::vector<const data::ImageSplit*>& splits, const data::ImageShape& shape,
                    const run::SetPart& part) {
    ImagePart all;
    for (const std::size_t i : part.splits) {
        for (std::size_t k = 0; k < splits[i]->count(); ++k)
            all.images.push_back(splits[i]->pixels(k, shape));
        all.labels.insert(all.labels.end(), splits[i]->labels.begin(), splits[i]->labels.end());
    }
    if (part.cut == run::Cut::whole) return all;
    ImagePart some;
    for (const std::size_t row : run::rows_of(all.labels, part.cut, run::DataSettings{})) {
        some.images.push_back(all.images[row]);
        some.labels.push_back(all.labels[row]);
    }
    return some;
}

Status check_different(const std::vector<Pixels>& images, const LookTask& task) {
    const auto differs = [&](const Pixels& image) { return !std::ranges::equal(image, images.front()); };
    if (std::ranges::any_of(images, differs)) return {};
    return bad_input(
        task.name,
        fmt::format("all {} images to train on are equal: there is nothing to tell apart", images.size()));
}

// The brightness (sum over the channels) of the pixels of a block of an image.
std::uint32_t brightness(Pixels image, const data::ImageShape& shape, std::size_t top, std::size_t bottom,
                         std::size_t left, std::size_t right) {
    std::uint32_t sum = 0;
    for (std::size_t c = 0; c < shape.channels; ++c)
        for (std::size_t y = top; y < bottom; ++y)
            for (std::size_t x = left; x < right; ++x) sum += image[(c * shape.height + y) * shape.width + x];
    return sum;
}

// An image as down x across blocks, each with its brightness.
std::vector<std::uint32_t> block_values(std::span<const Pixels> images, const data::ImageShape& shape,
                                        std::size_t down, std::size_t across) {
    std::vector<std::uint32_t> values;
    values.reserve(images.size() * down * across);
    for (const Pixels& image : images)
        for (std::size_t y = 0; y < down; ++y)
            for (std::size_t x = 0; x < across; ++x)
                values.push_back(brightness(image, shape, y * shape.height / down,
                                            (y + 1) * shape.height / down, x * shape.width / across,
                                            (x + 1) * shape.width / across));
    return values;
}

// Levels with as equally many values each as equal values allow.
SymbolRows by_quantiles(const std::vector<std::uint32_t>& values, std::size_t length, std::size_t classes) {
    constexpr std::size_t enough = std::size_t{1} << 20U;
    const std::size_t step = values.size() / enough * 2 + 1;  // odd: it comes to every place of an image
    std::vector<std::uint32_t> sorted;
    for (std::size_t i = 0; i < values.size(); i += step) sorted.push_back(values[i]);
    std::ranges::sort(sorted);
    std::vector<std::uint32_t> limits;
    for (std::size_t i = 1; i < classes; ++i) limits.push_back(sorted[i * sorted.size() / classes]);
    SymbolRows rows{{}, length, classes};
    rows.symbols.reserve(values.size());
    for (const std::uint32_t value : values)
        rows.symbols.push_back(
            static_cast<std::uint8_t>(std::ranges::upper_bound(limits, value) - limits.begin()));
    return rows;
}

// Up to 16 pairs of pixels so far apart, half of them in a row and half in a column, spread over the image.
std::vector<PositionPair> pixels_apart(const data::ImageShape& shape, std::size_t distance) {
    constexpr std::size_t most = 8;
    std::vector<PositionPair> places;
    const auto add = [&](std::size_t rows, std::size_t cols, std::size_t step) {
        const std::size_t all = rows * cols, count = std::min(all, most);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t place = (2 * i + 1) * all / (2 * count);
            const std::size_t pixel = place / cols * shape.width + place % cols;
            places.push_back({pixel, pixel + step});
        }
    };
    if (distance < shape.width) add(shape.height, shape.width - distance, distance);
    if (distance < shape.height) add(shape.height - distance, shape.width, distance * shape.width);
    return places;
}

// The left half of the blocks against the right half, and the black squares of a chessboard against the
// white.
std::vector<Split> block_splits(std::size_t down, std::size_t across) {
    Split halves{"left/right", {}, {}}, turns{"interleaved", {}, {}};
    for (std::size_t y = 0; y < down; ++y) {
        for (std::size_t x = 0; x < across; ++x) {
            (x < across / 2 ? halves.first : halves.second).push_back(y * across + x);
            ((x + y) % 2 == 0 ? turns.first : turns.second).push_back(y * across + x);
        }
    }
    return {std::move(halves), std::move(turns)};
}

std::size_t blocks_along(std::size_t pixels) { return pixels >= 4 ? 4 : pixels >= 2 ? 2 : 1; }

std::vector<Pixels> sample_of(const std::vector<Pixels>& images, std::size_t most) {
    const std::size_t count = std::min(images.size(), most);
    std::vector<Pixels> sample;
    for (std::size_t i = 0; i < count; ++i) sample.push_back(images[i * images.size() / count]);
    return sample;
}

Dependence pixel_dependence(const std::vector<Pixels>& images, const data::ImageShape& shape,
                            std::uint64_t seed) {
    constexpr std::size_t most_pixels = std::size_t{1} << 25U, most_images = 16384;
    const std::size_t pixels = shape.height * shape.width;
    const auto sample = sample_of(images, std::clamp<std::size_t>(most_pixels / pixels, 1, most_images));
    const SymbolRows rows =
        by_quantiles(block_values(sample, shape, shape.height, shape.width), pixels, levels);
    Dependence result{.of = "pixels"};
    for (std::size_t distance = 1; distance < std::max(shape.width, shape.height); distance *= 2)
        result.by_distance.push_back(
            place_dependence(rows, pixels_apart(shape, distance), static_cast<double>(distance), seed));
    const std::size_t down = blocks_along(shape.height), across = blocks_along(shape.width);
    if (across > 1 && sample.size() > 1) {
        const SymbolRows blocks = by_quantiles(block_values(sample, shape, down, across), down * across,
                                               classes_for(sample.size(), down * across));
        result.window = static_cast<std::int64_t>(down * across);
        for (const Split& split : block_splits(down, across))
            result.splits.push_back(split_dependence(blocks, split, seed));
    }
    describe(result, fmt::format("an image of {} x {} blocks", down, across));
    return result;
}

Status add_patches(const std::vector<Pixels>& images, const data::ImageShape& shape, const LookTask& task,
                   DataLook& look) {
    constexpr std::size_t most_images = 16384;
    const auto sizes = patch_sizes(shape, task.on_cpu() ? 256 : 1024);
    if (sizes.empty())
        return bad_input(
            task.name,
            fmt::format("has images of {} x {} pixels, which no square patch divides into 4 to {}; "
                        "resize them, for example to multiples of 8",
                        shape.height, shape.width, task.on_cpu() ? 256 : 1024));
    const auto sample = sample_of(images, most_images);
    for (const std::int64_t size : sizes) {
        PLIMSOLL_ASSIGN(rank, patch_rank(sample, shape, size, task.seed()));
        InputChoice choice{.name = fmt::format("patch {}", size), .patch = size};
        choice.tokens = static_cast<std::int64_t>(shape.height * shape.width) / (size * size);
        choice.units_per_token = static_cast<double>(size * size) * static_cast<double>(shape.channels);
        choice.rank = rank.rank;
        choice.effective_rank = rank.effective_rank;
        choice.rank_source = rank.source;
        choice.validation_fraction = default_fraction;
        look.inputs.push_back(std::move(choice));
        task.advance();
    }
    return {};
}

}  // namespace

Result<DataLook> look_at(const data::Images& images, const LookTask& task) {
    std::vector<const data::ImageSplit*> splits;
    std::vector<std::string> names;
    for (const auto& split : images.splits) {
        if (split.labels.empty()) continue;
        splits.push_back(&split);
        names.push_back(split.name);
    }
    if (splits.empty()) return bad_input(task.name, "has no labels: fit learns to tell classes apart");
    PLIMSOLL_ASSIGN(parts, run::labelled_parts_of(names, run::DataSettings{}));
    const ImagePart train = images_of(splits, images.shape, parts.train),
                    held_out = images_of(splits, images.shape, parts.held_out);
    DataLook look{.modality = Modality::images};
    PLIMSOLL_RETURN_IF_ERROR(
        describe_labels({train.labels, held_out.labels, images.class_names, "images"}, task, look));
    PLIMSOLL_RETURN_IF_ERROR(check_different(train.images, task));
    look.held_out_part = parts.held_out.name;
    look.image_height = static_cast<std::int64_t>(images.shape.height);
    look.image_width = static_cast<std::int64_t>(images.shape.width);
    look.image_channels = static_cast<std::int64_t>(images.shape.channels);
    look.dependence = pixel_dependence(train.images, images.shape, task.seed());
    task.advance();
    PLIMSOLL_RETURN_IF_ERROR(add_patches(train.images, images.shape, task, look));
    for (const auto& note : images.notes) look.notes.push_back("Of the images, " + note + ".");
    return look;
}

}  // namespace plimsoll::fit
