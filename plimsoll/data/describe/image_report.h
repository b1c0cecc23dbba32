#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/base/progress.h"
#include "plimsoll/data/dataset.h"
#include "plimsoll/data/describe/duplicates.h"

namespace plimsoll::data {

struct ImageSplitReport {
    std::string name;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> histogram;  // images of each label; empty when unlabelled
    std::vector<double> mean, deviation;   // per channel, pixels as 0 to 1; exact sums, population deviation
};

struct ImageReport {
    ImageShape shape;
    std::vector<std::string> class_names;
    std::vector<ImageSplitReport> splits;
    std::vector<Overlap> overlaps;      // splits as groups
    std::uint64_t label_conflicts = 0;  // sets of equal images with different labels
    std::vector<std::string> notes = {};
};

// Counts, label histogram, mean and deviation of every channel, and exact duplicates in and between the
// splits.
ImageReport report_images(const Images& images, const ProgressCallback& progress = nullptr);

}  // namespace plimsoll::data
