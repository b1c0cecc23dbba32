#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/run/run_config.h"

// Which examples of a set a run trains on, which it is held against, and what `eval --split` means.
namespace plimsoll::run {

// What a split is for, by the words of its name: "rte1_dev" and "valid.txt" are for validation.
enum class SplitRole { other, train, validation, test };
SplitRole split_role(std::string_view name);

// end: the last share data.validation_fraction; without_end: all before it.
enum class Cut { whole, without_end, end };

// Examples of a set: those of some of its splits in a row, then cut.
struct SetPart {
    std::vector<std::size_t> splits;
    Cut cut = Cut::whole;
    std::string name;  // for people: "test", "last 10 %"

    bool operator==(const SetPart&) const = default;
};

struct SetParts {
    SetPart train, held_out;
};

// The parts of a run on a set with splits of these names. data.validation "auto" holds out the validation
// split, otherwise the test split, otherwise the last part. Without a training split, the validation split of
// a set that also has a test split is trained on (as in RTE). No example is in both parts.
Result<SetParts> parts_of(std::span<const std::string> names, const DataSettings& settings);

// What the files of a text are as splits: their names, or their folders', when each says what it is for and
// there is one to train on and one more; otherwise "all", the files in a row.
std::vector<std::string> text_splits(std::span<const std::string> files);

// Where the last share of `total` tokens of a text begins.
std::size_t last_tokens_begin(std::size_t total, double fraction);

// How many of `total` labelled examples the last share has: one at least.
std::size_t last_examples(std::size_t total, double fraction);

// The part that `wanted` names: "train" and "validation" are the run's own parts where the set has no split
// of that name, "all" is everything; the error lists what there is.
Result<SetPart> part_named(std::span<const std::string> names, const SetParts& parts,
                           std::string_view wanted);

}  // namespace plimsoll::run
