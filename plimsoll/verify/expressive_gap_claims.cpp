// What Navon and Bronstein 2022 conclude from their bounds: attention from below against mixers from above.
#include "plimsoll/base/format.h"
#include "plimsoll/theory/papers/levine_bounds.h"
#include "plimsoll/theory/papers/navon_bounds.h"
#include "plimsoll/verify/claim_tables.h"
#include "plimsoll/verify/log_observation.h"

namespace plimsoll::verify {
namespace {

using theory::Ball;
using theory::Integer;
using theory::NavonShape;
using theory::Rational;
using theory::Real;

Integer to_the(const Integer& base, std::int64_t exponent) {
    return pow(base, static_cast<std::uint64_t>(exponent));
}

std::string gap_command(const NavonShape& shape) {
    if (shape.m.bits() > 60) return "";
    return fmt::format("plimsoll bounds NAVON-C5.8-GAP p={} m={} n={} H={}", shape.depth, shape.m.text(),
                       shape.n.text(), shape.heads.text());
}

// log_3 of lower bound over upper bound, the mixer with a depth of its own.
Real gap_log3(const NavonShape& attention, std::int64_t mixer_depth) {
    NavonShape mixer = attention;
    mixer.depth = mixer_depth;
    return [=](int bits) {
        return log3(theory::navon_t57_log3(attention, bits)) - log3(theory::navon_t55_log3(mixer, bits));
    };
}

// log_3 of factor * base^depth.
Real growth_log3(const Rational& factor, const Real& base, std::int64_t depth) {
    return [=](int bits) { return log3(Ball(factor, bits)) + Ball(depth, bits) * log3(base(bits)); };
}

Real three_halves() {
    return [](int bits) { return Ball(Rational(3, 2), bits); };
}

// NAVON-T5.1 for m = 3^(c p), n = m^a, H = 1: the quotient is above (c - 1)/(18 c (a + 1)) (3/2)^p.
std::vector<Trial> growing_width_trials(Effort effort) {
    std::vector<Trial> trials;
    const std::int64_t deepest = effort == Effort::quick ? 16 : 64;
    for (std::int64_t depth = 2; depth <= deepest; depth *= 2) {
        for (const std::int64_t c : {2, 3, 8}) {
            for (const std::int64_t a : {0, 1, 2}) {
                const Integer m = theory::power_of_three(c * depth);
                const NavonShape shape{depth, m, to_the(m, a), 1};
                const Real floor =
                    growth_log3(Rational(c - 1, Integer(18) * c * (a + 1)), three_halves(), depth);
                trials.push_back({fmt::format("p={} m=3^{} n=m^{}", depth, c * depth, a), gap_command(shape),
                                  [=](Measurements&) -> Result<Observation> {
                                      return exceeds(gap_log3(shape, depth), floor);
                                  }});
            }
        }
    }
    return trials;
}

// NAVON-C5.8, a budget of 4 p m^2 parameters at depth p: a mixer of it has at most 4 m^2 entries, since
// p (n^2 + m^2)/2 >= p n m.
std::vector<Trial> budget_trials(Effort effort) {
    std::vector<Trial> trials;
    const std::int64_t deepest = effort == Effort::quick ? 16 : 64;
    for (std::int64_t depth = 2; depth <= deepest; depth += 2) {
        const Integer m = theory::power_of_three(2 * depth);
        const NavonShape attention{depth, m, 1, 1}, mixer{depth, Integer(4) * m * m, 1, 1};
        trials.push_back({fmt::format("p={} budget 4 p m^2, m=9^{}", depth, depth), "",
                          [=](Measurements&) -> Result<Observation> {
                              return exceeds(
                                  [=](int bits) {
                                      return log3(theory::navon_t57_log3(attention, bits)) -
                                             log3(theory::navon_t55_log3(mixer, bits));
                                  },
                                  growth_log3(Rational(1, 72), three_halves(), depth));
                          }});
    }
    return trials;
}

// NAVON-C5.8-GAP a second way: (m - H)^lambda against (2 lambda)^lambda (2 H m^2 n^2)^(2^p), in integers.
bool integers_separate(const NavonShape& shape) {
    const Integer lambda = theory::power_of_three(shape.depth - 2);
    const std::int64_t power = lambda.to_int64();
    return to_the(shape.m - shape.heads, power) >
           to_the(Integer(2) * lambda, power) * theory::navon_t55(shape);
}

Trial quotient_trial(const NavonShape& shape) {
    return {
        fmt::format("p={} m={} n={} H={}", shape.depth, shape.m.text(), shape.n.text(), shape.heads.text()),
        gap_command(shape), [=](Measurements&) -> Result<Observation> {
            const Ball gap = theory::navon_gap(shape, 200);
            const bool above = less(Ball(1, 200), gap) == theory::Verdict::proved;
            const bool integers = integers_separate(shape);
            return checked(fmt::format("{} {}", above ? "above 1:" : "at most 1:", gap.text(6)),
                           integers ? "the integers separate" : "the integers do not", above == integers);
        }};
}

std::vector<Trial> quotient_trials(Effort) {
    std::vector<Trial> trials;
    for (const std::int64_t depth : {3, 6, 8, 9, 10, 11}) {
        trials.push_back(quotient_trial({depth, theory::power_of_three(depth) + 1, 1, 1}));
        trials.push_back(quotient_trial({depth, theory::power_of_three(4 * depth), 1, 1}));
    }
    for (const std::int64_t depth : {2, 5, 6}) trials.push_back(quotient_trial({depth, 1024, 512, 16}));
    return trials;
}

// The corners of n < m^2 and H < m/2 at the edge m = 3^p + 1.
std::vector<NavonShape> corners(std::int64_t depth) {
    const Integer m = theory::power_of_three(depth) + 1, square = m * m - 1;
    const Integer heads = floor_div(m - 1, 2);
    return {{depth, m, 1, 1},
            {depth, m, m, 1},
            {depth, m, square, 1},
            {depth, m, m, heads},
            {depth, m, square, heads}};
}

Trial corner_trial(const NavonShape& shape) {
    return {
        fmt::format("p={} m={} n={} H={}", shape.depth, shape.m.text(), shape.n.text(), shape.heads.text()),
        gap_command(shape), [=](Measurements&) -> Result<Observation> {
            return exceeds(gap_log3(shape, shape.depth), [](int bits) { return Ball(0, bits); });
        }};
}

std::function<std::vector<Trial>(Effort)> corner_trials(std::int64_t first, std::int64_t last) {
    return [=](Effort) {
        std::vector<Trial> trials;
        for (std::int64_t depth = first; depth <= last; ++depth) {
            for (const NavonShape& shape : corners(depth)) trials.push_back(corner_trial(shape));
        }
        return trials;
    };
}

// The second half of 5.9, n = m and H = 1: every depth with log_3 m < p < log_2 m.
std::vector<Trial> past_threshold_trials(Effort) {
    std::vector<Trial> trials;
    for (const std::int64_t power : {20, 40, 80}) {
        const Integer m = theory::power_of_three(power);
        for (std::int64_t depth = power + 1; to_the(2, depth) < m; ++depth) {
            trials.push_back(
                {fmt::format("p={} m=n=3^{}", depth, power), "", [=](Measurements&) -> Result<Observation> {
                     return exceeds([=](int bits) { return theory::t2_lower_log3({depth, m, 1}, bits); },
                                    [=](int bits) { return theory::navon_t55_log3({depth, m, m, 1}, bits); });
                 }});
        }
    }
    return trials;
}

using BaseOfAlpha = std::function<Ball(const Rational& alpha, int bits)>;

// NAVON-P5.10 with p_mlp = alpha p + sqrt(p), whose quotient by p tends to alpha; m = n = 9^p, p = root^2.
std::vector<Trial> deeper_mixer_trials(const std::vector<std::int64_t>& roots, const Rational& factor,
                                       const BaseOfAlpha& base) {
    std::vector<Trial> trials;
    for (const std::int64_t root : roots) {
        for (const std::int64_t quarters : {4, 5, 6}) {
            const std::int64_t depth = root * root, mixer = depth * quarters / 4 + root;
            const Rational alpha(quarters, 4);
            const Integer m = theory::power_of_three(2 * depth);
            trials.push_back({fmt::format("alpha={} p={} p_mlp={}", alpha.text(), depth, mixer), "",
                              [=](Measurements&) -> Result<Observation> {
                                  const Real one = [=](int bits) { return base(alpha, bits); };
                                  return exceeds(gap_log3({depth, m, m, 1}, mixer),
                                                 growth_log3(factor, one, depth));
                              }});
        }
    }
    return trials;
}

std::vector<Trial> full_base_trials(Effort) {
    const Rational tiny(1, theory::power_of_three(20));
    return deeper_mixer_trials({10, 20, 40, 80}, tiny, theory::navon_base);
}

std::vector<Trial> smaller_base_trials(Effort) {
    return deeper_mixer_trials({40, 60, 80}, 1, [](const Rational& alpha, int bits) {
        return (theory::navon_base(alpha, bits) + Ball(1, bits)) / Ball(2, bits);
    });
}

}  // namespace

std::vector<Claim> expressive_gap_claims() {
    return {
        {.id = "NAVON-T5.1",
         .statement = "For m = 3^(cp), c > 1, n = m^a and H = 1 the bounds differ in the logarithm by more "
                      "than (c - 1)/(18 c (a + 1)) (3/2)^p.",
         .trials = growing_width_trials},
        {.id = "NAVON-C5.8",
         .statement = "With 4 p m^2 parameters, m = 9^p, attention of depth p exceeds every mixer of depth p "
                      "in the logarithm by a factor above (3/2)^p / 72.",
         .trials = budget_trials},
        {.id = "NAVON-C5.8-GAP",
         .statement = "The quotient exceeds 1 exactly where the bounds separate as integers.",
         .trials = quotient_trials},
        {.id = "NAVON-C5.9",
         .statement = "As printed: for 13 <= p < log_3 m, n < m^2 and H < m/2 the bounds separate.",
         .expected = ClaimVerdict::fails,
         .because = "E45: 13 is enough for n = H = 1 only",
         .trials = corner_trials(13, 19)},
        {.id = "NAVON-C5.9-FIRSTP",
         .statement = "Under the same conditions the bounds separate for p >= 19.",
         .trials = corner_trials(19, 26)},
        {.id = "NAVON-C5.9-DEEP",
         .statement = "As printed: for log_3 m < p < log_2 m and p large the bounds still separate.",
         .expected = ClaimVerdict::fails,
         .because = "E46: they begin two above log_3 m and cease about four short of log_2 m",
         .trials = past_threshold_trials},
        {.id = "NAVON-P5.10",
         .statement =
             "As printed: if lim sup p_mlp/p = alpha < log_2 3, the quotient of the bounds is of the "
             "order (3/2^alpha)^p (here: above 3^-20 times it).",
         .expected = ClaimVerdict::fails,
         .because = "E55: p_mlp = alpha p + sqrt(p) has this lim sup and loses a factor 2^sqrt(p)",
         .trials = full_base_trials},
        {.id = "NAVON-P5.10-BASE",
         .statement =
             "Every smaller base will do: with (1 + 3/2^alpha)/2 the quotient is above base^p for the "
             "same depths.",
         .trials = smaller_base_trials},
    };
}

}  // namespace plimsoll::verify
