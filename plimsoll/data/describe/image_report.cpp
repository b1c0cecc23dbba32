#include "plimsoll/data/describe/image_report.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::data {
namespace {

struct Sums {
    std::uint64_t values = 0, squares = 0;
};

void add_image(std::span<const std::uint8_t> pixels, std::size_t plane, std::vector<Sums>& channels) {
    for (std::size_t c = 0; c < channels.size(); ++c) {
        std::uint64_t values = 0;
        std::uint64_t squares = 0;
        for (const std::uint8_t pixel : pixels.subspan(c * plane, plane)) {
            values += pixel;
            squares += std::uint32_t{pixel} * pixel;
        }
        channels[c].values += values;
        channels[c].squares += squares;
    }
}

ImageSplitReport report_split(const ImageSplit& split, const Images& images) {
    ImageSplitReport report;
    report.name = split.name;
    report.count = split.count();
    if (!split.labels.empty()) report.histogram.resize(images.class_names.size());
    for (const auto label : split.labels) ++report.histogram[label];
    const std::size_t plane = images.shape.height * images.shape.width;
    std::vector<Sums> channels(images.shape.channels);
    for (std::size_t i = 0; i < split.count(); ++i) add_image(split.pixels(i, images.shape), plane, channels);
    const double pixels = static_cast<double>(plane) * static_cast<double>(split.count());
    for (const auto& [values, squares] : channels) {
        const double mean = static_cast<double>(values) / pixels;
        const double variance = static_cast<double>(squares) / pixels - mean * mean;
        report.mean.push_back(mean / 255);
        report.deviation.push_back(std::sqrt(std::max(0.0, variance)) / 255);
    }
    return report;
}

bool labels_differ(const EqualRecords& set, const Images& images) {
    const auto label = [&](const RecordId& record) -> int {
        const auto& labels = images.splits[record.group].labels;
        return labels.empty() ? -1 : labels[record.index];
    };
    int seen = -1;
    for (const auto& record : set) {
        if (label(record) < 0) continue;
        if (seen >= 0 && label(record) != seen) return true;
        seen = label(record);
    }
    return false;
}

}  // namespace

ImageReport report_images(const Images& images, const ProgressCallback& progress) {
    ImageReport report{images.shape, images.class_names, {}, {}, 0, images.notes};
    std::vector<std::size_t> sizes;
    for (const auto& split : images.splits) {
        report.splits.push_back(report_split(split, images));
        sizes.push_back(split.count());
    }
    const auto sets = find_duplicates(
        sizes,
        [&](RecordId record) { return images.splits[record.group].pixels(record.index, images.shape); },
        progress);
    report.overlaps = overlaps(sets, images.splits.size());
    report.label_conflicts = static_cast<std::uint64_t>(
        std::count_if(sets.begin(), sets.end(), [&](const auto& set) { return labels_differ(set, images); }));
    return report;
}

}  // namespace plimsoll::data
