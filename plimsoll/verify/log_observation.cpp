#include "plimsoll/verify/log_observation.h"

#include "plimsoll/base/format.h"

namespace plimsoll::verify {
namespace {

Outcome outcome_of(theory::Verdict less) {
    if (less == theory::Verdict::undecided) return Outcome::undecided;
    return less == theory::Verdict::proved ? Outcome::holds : Outcome::fails;
}

}  // namespace

Observation exceeds(const theory::Real& larger_log3, const theory::Real& smaller_log3) {
    return {fmt::format("above 3^{}", smaller_log3(128).text(6)),
            fmt::format("3^{}", larger_log3(128).text(6)),
            outcome_of(theory::decide_less(smaller_log3, larger_log3, 4096))};
}

}  // namespace plimsoll::verify
