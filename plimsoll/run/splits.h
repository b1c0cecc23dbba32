#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/result.h"
#include "plimsoll/run/run_config.h"

// Which examples of a set a run trains on, which it is evaluated on, and what `eval --split` means.
namespace plimsoll::run {

// What a split is for, by the words of its name: "rte1_dev" and "valid.txt" are for validation.
enum class SplitRole { other, train, validation, test };
SplitRole split_role(std::string_view name);

// end: the last share data.validation_fraction; without_end: all before it. drawn: that share of each class,
// at random by data.split_seed; without_drawn: the rest.
enum class Cut { whole, without_end, end, without_drawn, drawn };

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

// The same for labelled examples: where nobody says what is held out and the set does not either, it is a
// share of each class.
Result<SetParts> labelled_parts_of(std::span<const std::string> names, const DataSettings& settings);

// The examples of a part, by their places among those of its splits in a row, in that order. A class with two
// examples or more is in both parts of a draw.
std::vector<std::size_t> rows_of(const std::vector<std::uint16_t>& labels, Cut cut,
                                 const DataSettings& settings);

// The same among examples of which example i is in split split_of[i]: those of the part.
std::vector<std::size_t> rows_of_part(const std::vector<std::uint16_t>& labels,
                                      const std::vector<std::uint16_t>& split_of, const SetPart& part,
                                      const DataSettings& settings);

// Refuses a held-out part without any example of a class that is trained on: its accuracy would say nothing
// about that class. `names` are the classes'.
Status check_held_out(const std::vector<std::uint16_t>& train, const std::vector<std::uint16_t>& held_out,
                      const std::vector<std::string>& names);

// What the files of a text are as splits: their names, or their folders', when each says what it is for and
// there is one to train on and one more; otherwise "all", the files in a row.
std::vector<std::string> text_splits(std::span<const std::string> files);

// The same for files of these sizes: where their names say nothing and nobody else does, whole files are
// drawn for validation, as many as make up the share ("validation (4 of 41 files)"). Where that comes to less
// than half the share the text is cut.
std::vector<std::string> text_splits(std::span<const std::string> files, std::span<const std::uint64_t> bytes,
                                     const DataSettings& settings);

// Where the last share of `total` tokens of a text begins.
std::size_t last_tokens_begin(std::size_t total, double fraction);

// How many of `total` labelled examples the last share has: one at least.
std::size_t last_examples(std::size_t total, double fraction);

// The part that `wanted` names: "train" and "validation" are the run's own parts where the set has no split
// of that name, "all" is everything; the error lists what there is.
Result<SetPart> part_named(std::span<const std::string> names, const SetParts& parts,
                           std::string_view wanted);

}  // namespace plimsoll::run
