#include "plimsoll/report/findings.h"

#include <cmath>

namespace plimsoll::report {

std::string_view name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::as_predicted:
            return "as predicted";
        case Outcome::against:
            return "against the prediction";
        case Outcome::inside_noise:
            return "inside the noise";
        case Outcome::negligible:
            return "too small to matter";
        case Outcome::cannot_tell:
            return "cannot tell";
        case Outcome::no_prediction:
            break;
    }
    return "no prediction";
}

Outcome judged(const Interval& found, const Interval& predicted) {
    if (found.low >= predicted.low && found.high <= predicted.high) return Outcome::as_predicted;
    if (found.high < predicted.low || found.low > predicted.high) return Outcome::against;
    return Outcome::inside_noise;
}

Outcome judged_difference(const Interval& difference, Prediction prediction, double margin) {
    switch (prediction) {
        case Prediction::less:
            if (difference.high < -margin) return Outcome::as_predicted;
            return difference.low >= -margin ? Outcome::against : Outcome::inside_noise;
        case Prediction::more:
            return judged_difference({-difference.high, -difference.low}, Prediction::less, margin);
        case Prediction::equal:
            return judged(difference, {-margin, margin});
        case Prediction::none:
            break;
    }
    const bool none = difference.low <= margin && difference.high >= -margin;
    return none ? Outcome::inside_noise : Outcome::no_prediction;
}

}  // namespace plimsoll::report
