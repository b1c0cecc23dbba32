#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "plimsoll/theory/numbers/integer.h"

// The exponents q_0 <= .. <= q_(nu-1) of theorem D3, chosen close to a straight line, and how often each
// difference and each sum of two of them occurs; internal to theory.
namespace plimsoll::theory {

// q_r = base + slope r + rest(r), of sum `total`: floor(2 total r / (nu (nu-1))), and one more for the last
// few. For nu = 1 the base is everything, else 0.
class CanonicalSteps {
  public:
    CanonicalSteps(std::int64_t length, const Integer& total);

    [[nodiscard]] std::int64_t length() const { return length_; }
    [[nodiscard]] const Integer& base() const { return base_; }
    [[nodiscard]] const Integer& slope() const { return slope_; }
    [[nodiscard]] std::int64_t rest(std::int64_t r) const { return line(r) + (r >= raised_from_ ? 1 : 0); }
    [[nodiscard]] Integer at(std::int64_t r) const { return base_ + slope_ * r + rest(r); }

    // visit(delta, rest, count): `count` pairs r - s = delta > 0 have q_r - q_s = slope delta + rest.
    template <class Visit>
    void for_differences(Visit visit) const {
        for (std::int64_t delta = 1; delta < length_; ++delta) report(differences(delta), delta, visit);
    }
    // visit(sigma, rest, count): `count` ordered pairs r + s = sigma have q_r + q_s = 2 base + slope sigma +
    // rest.
    template <class Visit>
    void for_sums(Visit visit) const {
        for (std::int64_t sigma = 0; sigma <= 2 * length_ - 2; ++sigma) report(sums(sigma), sigma, visit);
    }

  private:
    // counts[i] pairs have the value first + i.
    struct Histogram {
        std::int64_t first = 0;
        std::array<std::int64_t, 4> counts{};
        // `pairs` pairs whose values are low and low + 1 and add up to `sum`.
        void add(std::int64_t low, std::int64_t pairs, std::int64_t sum) {
            const std::int64_t upper = sum - low * pairs;
            const auto at = static_cast<std::size_t>(low - first);
            counts[at] += pairs - upper;
            counts[at + 1] += upper;
        }
    };
    [[nodiscard]] Histogram differences(std::int64_t delta) const;
    [[nodiscard]] Histogram sums(std::int64_t sigma) const;
    [[nodiscard]] std::int64_t line(std::int64_t r) const {
        return pairs_ == 0 ? 0 : remainder_ * r / pairs_;
    }
    // The sum of line(r) over first <= r < last.
    [[nodiscard]] std::int64_t line_sum(std::int64_t first, std::int64_t last) const {
        return line_sums_[static_cast<std::size_t>(last)] - line_sums_[static_cast<std::size_t>(first)];
    }
    template <class Visit>
    static void report(const Histogram& histogram, std::int64_t distance, Visit& visit) {
        for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
            const std::int64_t count = histogram.counts[i];
            if (count > 0) visit(distance, histogram.first + static_cast<std::int64_t>(i), count);
        }
    }

    std::int64_t length_, pairs_, remainder_ = 0, raised_from_ = 0;
    Integer base_, slope_;
    std::vector<std::int64_t> line_sums_;
};

}  // namespace plimsoll::theory
