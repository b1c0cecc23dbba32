#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/arch/big_count.h"
#include "plimsoll/formats/shape/model_shape.h"

namespace plimsoll::audit {

// Parameters of one kind of tensor, summed over the layers.
struct CountedPart {
    std::string name;  // embedding, positions, attention, feed-forward, state space, norms, head, other
    arch::Count parameters;
};

// The parameters that a model with these numbers has, tied and shared ones once.
struct PredictedCount {
    arch::Count parameters;
    std::vector<CountedPart> parts;  // those that exist
    bool exact = false;              // the family's tensors are known; otherwise an estimate
    bool whole = true;               // of all that the file describes, not of one network among several
    std::string note;                // what was counted: "with its vocabulary head", "without a head"
};

// The parameters of the model: by the table of classes for the class that the file names, else by the sizes
// where they explain the whole file, else by the table for its type. Nothing where neither does (why_no_count
// says why).
std::optional<PredictedCount> predicted_parameters(const formats::ModelShape& shape);

// Why predicted_parameters() gives nothing; empty when it gives a count.
std::string why_no_count(const formats::ModelShape& shape);

// The count that follows from the sizes of the analysed network alone, or nothing where one is missing or the
// family cannot be counted (why_no_sizes says which).
std::optional<PredictedCount> parameters_by_sizes(const formats::ModelShape& shape);

// Why parameters_by_sizes() gives nothing; empty when it gives a count.
std::string why_no_sizes(const formats::ModelShape& shape);

}  // namespace plimsoll::audit
