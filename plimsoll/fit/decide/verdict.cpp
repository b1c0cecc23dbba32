#include "plimsoll/fit/decide/verdict.h"

namespace plimsoll::fit {

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::as_predicted:
            return "as predicted";
        case Verdict::against:
            return "against the prediction";
        case Verdict::small:
            return "too small to matter";
        case Verdict::inside_noise:
            return "inside the noise";
        case Verdict::cannot_tell:
            return "cannot tell";
    }
    return "";
}

Verdict verdict_of(double lead, double half_width, double negligible) {
    if (lead > half_width) return Verdict::as_predicted;
    if (lead >= -half_width) return Verdict::inside_noise;
    return lead < -negligible ? Verdict::against : Verdict::small;
}

}  // namespace plimsoll::fit
