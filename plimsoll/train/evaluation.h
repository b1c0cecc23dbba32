#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plimsoll/base/json.h"

namespace plimsoll::train {

// What `plimsoll eval` and the end of a run report; figures that do not apply are negative.
struct Evaluation {
    double loss = 0;        // nats per target; of numbers the mean square in their deviations
    double half_width = 0;  // of the 95 % interval of the loss, from the spread over batches
    double accuracy = 0;    // share of right first choices; negative: numbers are predicted
    // Of numbers: 1 - mean square / variance (R^2), and the root of the mean square in the label's unit.
    std::optional<double> explained, error;
    double bits_per_byte = -1;  // of text
    double perplexity = -1;     // of text
    std::int64_t targets = 0;   // how many were predicted
    std::string split;          // of evaluate(): what it was, for people ("test", "last 10 %")
};
Json to_json(const Evaluation& evaluation);

}  // namespace plimsoll::train
