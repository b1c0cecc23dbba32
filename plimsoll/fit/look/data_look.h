#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/fit/look/dependence.h"

// What the first step of a fit saw: what the data is, how it can be cut into tokens, what depends on what.
namespace plimsoll::fit {

enum class Modality { text, tokens, images, pairs, sequences, rows };  // rows: of a table
// bits per token where bytes are not known (token .bin); explained variance (R^2) where numbers are
// predicted.
enum class Goal { bits_per_byte, accuracy, explained_variance };

// Whether values are shares: more is better, and differences are points.
constexpr bool is_share(Goal goal) { return goal != Goal::bits_per_byte; }

// "text", "bits per byte": for people and JSON.
std::string_view name_of(Modality modality);
std::string_view name_of(Goal goal);

// Every value of the argument's type.
constexpr std::array<Modality, 6> all_values(Modality) {
    return {Modality::text,  Modality::tokens,    Modality::images,
            Modality::pairs, Modality::sequences, Modality::rows};
}
constexpr std::array<Goal, 3> all_values(Goal) {
    return {Goal::bits_per_byte, Goal::accuracy, Goal::explained_variance};
}

// One way to cut the data into tokens.
struct InputChoice {
    std::string name;                // "bytes", "bpe-500", "patch 4", "symbols", "ids"
    std::string tokenizer;           // data.tokenizer: "bytes" or a path below OUT
    std::int64_t vocab = 0;          // rows of the token table; 0 for patches
    std::int64_t patch = 0;          // images: side of a patch
    std::int64_t tokens = 0;         // images: patches; text: context; pairs, sequences: tokens of an example
    double units_per_token = 0;      // bytes of held-out text, pixels x channels, or 1
    double rank = 0;                 // of the input: ids that occur, or the measured rank of the patches
    double effective_rank = 0;       // exp(entropy) of the singular values (docs/PROBE.md)
    std::string rank_source;         // how the ranks are known
    double validation_fraction = 0;  // data.validation_fraction: with it every choice holds out the same text
    std::optional<std::string> spec_keys = std::nullopt;  // rows: "inputs=5,categories=3+4,classes=2"
    bool operator==(const InputChoice&) const = default;
};

// Everything that is known of the data.
struct DataLook {
    std::string data;  // data.name of a run; of a synthetic set with every setting
    Modality modality = Modality::text;
    Goal goal = Goal::bits_per_byte;
    std::string unit;            // "bytes", "tokens", "images", "pairs", "sequences"
    std::uint64_t size = 0;      // of the training and the held-out part
    std::uint64_t held_out = 0;  // what every run is judged by
    std::string held_out_part;   // "last 10 %", "test"
    std::int64_t classes = 0;    // labels are below it; 0 for text
    std::int64_t image_height = 0, image_width = 0, image_channels = 0;
    std::int64_t length = 0;  // tokens of a sequence
    std::vector<InputChoice> inputs;
    Dependence dependence;
    std::vector<std::string> notes;
    // Of the best constant answer: its accuracy, or the entropy in bits per byte (token); 0 of the variance.
    double chance = 0;
    bool operator==(const DataLook&) const = default;
};

// What values of runs are shown in: "bits per byte", "bits per token", "% accuracy" or "% of the variance".
std::string value_unit(const DataLook& look);

// What was seen, as sentences for people.
std::vector<std::string> sentences(const DataLook& look);

// The look as OUT/steps/look.json holds it; from_json() reverses it exactly and refuses unknown keys.
Json to_json(const DataLook& look);
Json to_json(const InputChoice& choice);
Result<DataLook> look_from_json(const Json& json, std::string_view where);

}  // namespace plimsoll::fit
