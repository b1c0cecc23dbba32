#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/data/dataset.h"
#include "plimsoll/run/run_config.h"

namespace plimsoll::run {

// What a run trains on and what it is evaluated on, counted.
struct PartReport {
    std::string train, held_out;  // "train", "10 % of each class, drawn with seed 1"
    std::string unit;             // "images", "pairs", "rows", "tokens", "bytes"
    std::uint64_t train_count = 0, held_out_count = 0;
    std::vector<std::uint64_t> train_classes, held_out_classes;  // by label; empty without labels
    std::vector<std::string> class_names;
    std::uint64_t repeated = 0;  // examples held out that are trained on too
    std::string spec_keys;       // tables: what the family mlp must be told ("inputs=5,classes=2")
    std::string problem;         // why nothing can be learned from it; empty when something can
    std::vector<data::LeftOutFile> unread_columns;  // of a table, those that a run leaves out, and why
    bool looked_for_equals = true;                  // false: nobody looked for them
};

// The parts of a run with these settings on a set of labelled examples or tokens; for a set whose images have
// no labels an error.
Result<PartReport> report_parts(const data::Dataset& set, const DataSettings& settings);

// The parts of a run on a text of files with these names and sizes.
Result<PartReport> report_text_parts(std::span<const std::string> files, std::span<const std::uint64_t> bytes,
                                     const DataSettings& settings);

}  // namespace plimsoll::run
