#include "plimsoll/verify/multiset_trials.h"

#include "plimsoll/base/format.h"

namespace plimsoll::verify {
namespace {

using theory::Integer;

Observation compare(std::int64_t n, std::int64_t k, MultisetSide side, MultisetBound bound) {
    const Integer value = theory::multiset(n, k);
    const auto log_value = [&](int bits) { return theory::log3(theory::Ball(value, bits)); };
    const auto log_bound = [&](int bits) { return bound(n, k, bits); };
    const bool below = side == MultisetSide::at_least;
    Observation seen{fmt::format("{} 3^{}", below ? "at least" : "at most", log_bound(64).text(6)),
                     fmt::format("{} = 3^{}", value.text(), log_value(64).text(6))};
    // Where both sides are equal the balls stay together: then neither side is larger.
    const auto wrong = below ? theory::decide_less(log_value, log_bound, 512)
                             : theory::decide_less(log_bound, log_value, 512);
    seen.outcome = wrong == theory::Verdict::proved ? Outcome::fails : Outcome::holds;
    return seen;
}

}  // namespace

std::function<std::vector<Trial>(Effort)> multiset_grid(MultisetSide side, MultisetBound bound,
                                                        std::int64_t first_n, std::int64_t first_k) {
    return [=](Effort effort) {
        std::vector<Trial> trials;
        const std::int64_t largest = effort == Effort::quick ? 8 : 40;
        for (std::int64_t n = first_n; n <= largest; ++n) {
            for (std::int64_t k = first_k; k <= largest; k += n < 4 ? 1 : 3) {
                trials.push_back(
                    {fmt::format("n={} k={}", n, k), fmt::format("plimsoll bounds MULTISET n={} k={}", n, k),
                     [=](Measurements&) -> Result<Observation> { return compare(n, k, side, bound); }});
            }
        }
        return trials;
    };
}

}  // namespace plimsoll::verify
