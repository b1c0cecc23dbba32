// floor(b(r+delta)/M) - floor(b r/M) is floor(b delta/M) or one more, and floor(b r/M) + floor(b s/M) is
// floor(b(r+s)/M) or one less. So a distance has two values, and the sum over its pairs, by prefix sums, says
// how many have the larger one: O(nu) work for all nu^2 pairs.
#include "plimsoll/theory/attainment/canonical_steps.h"

#include "plimsoll/base/check.h"

namespace plimsoll::theory {

CanonicalSteps::CanonicalSteps(std::int64_t length, const Integer& total)
    : length_(length), pairs_(length * (length - 1)), line_sums_{0} {
    constexpr std::int64_t longest = 1 << 19;  // b r stays below 2^63
    PLIMSOLL_CHECK(length >= 1 && length <= longest, "the staircase has between 1 and 2^19 steps");
    if (length == 1) {
        base_ = total;
        raised_from_ = 1;
    } else {
        slope_ = floor_div(total * 2, pairs_);
        remainder_ = mod(total * 2, pairs_).to_int64();
    }
    for (std::int64_t r = 0; r < length; ++r) line_sums_.push_back(line_sums_.back() + line(r));
    if (length > 1) raised_from_ = length - (remainder_ / 2 - line_sum(0, length));
}

CanonicalSteps::Histogram CanonicalSteps::differences(std::int64_t delta) const {
    const std::int64_t end = length_ - delta, low = line(delta);
    const std::int64_t first = std::clamp<std::int64_t>(raised_from_ - delta, 0, end);
    const std::int64_t last = std::clamp<std::int64_t>(raised_from_, first, end);
    Histogram out{.first = low};
    const auto add = [&](std::int64_t from, std::int64_t to, std::int64_t raise) {
        out.add(low + raise, to - from,
                line_sum(from + delta, to + delta) - line_sum(from, to) + raise * (to - from));
    };
    add(0, first, 0);
    add(first, last, 1);  // only the upper one of the pair is raised
    add(last, end, 0);
    return out;
}

CanonicalSteps::Histogram CanonicalSteps::sums(std::int64_t sigma) const {
    const std::int64_t begin = std::max<std::int64_t>(0, sigma - length_ + 1),
                       end = std::min(length_ - 1, sigma) + 1, low = line(sigma) - 1;
    // r is raised from raised_from_ on, sigma - r before mirrored.
    const std::int64_t direct = std::clamp(raised_from_, begin, end),
                       mirrored = std::clamp(sigma - raised_from_ + 1, begin, end);
    Histogram out{.first = low};
    const auto add = [&](std::int64_t from, std::int64_t to) {
        const std::int64_t raise = (from >= direct ? 1 : 0) + (from < mirrored ? 1 : 0);
        const std::int64_t sum = line_sum(from, to) + line_sum(sigma - to + 1, sigma - from + 1);
        out.add(low + raise, to - from, sum + raise * (to - from));
    };
    add(begin, std::min(direct, mirrored));
    add(std::min(direct, mirrored), std::max(direct, mirrored));
    add(std::max(direct, mirrored), end);
    return out;
}

}  // namespace plimsoll::theory
