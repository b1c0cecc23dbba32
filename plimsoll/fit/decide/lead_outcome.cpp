#include "plimsoll/fit/decide/lead_outcome.h"

namespace plimsoll::fit {

using report::Outcome;

Outcome outcome_of_lead(double lead, double half_width, double negligible) {
    if (lead > half_width) return Outcome::as_predicted;
    if (lead >= -half_width) return Outcome::inside_noise;
    return lead < -negligible ? Outcome::against : Outcome::negligible;
}

}  // namespace plimsoll::fit
