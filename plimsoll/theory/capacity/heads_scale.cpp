// The heads theorem at scale. The degrees j = 0..C of side B are covered by intervals [j1, j2]; on each the
// j-th summand is at most B_{j2}(< tau) + A_{j1}(<= c1 - tau) for any tau, since B rises and A falls with j.
// Intervals and cuts are chosen in doubles (best bound split first) and only the chosen ones are evaluated
// with certified arithmetic.
#include <algorithm>
#include <cmath>
#include <queue>

#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/numbers/special_fast.h"

namespace plimsoll::theory {
namespace {

constexpr int splits = 48;
constexpr int cut_steps = 40;

// Side B alone pays for the interval; c1 + 1 itself is not a double for deep networks.
constexpr double columns_only = 1e300;
// C(L) is a double with room to spare up to this depth.
constexpr std::int64_t max_cover_depth = 600;

struct Interval {
    double first, last, tau, bound;
    bool operator<(const Interval& other) const { return bound < other.bound; }
};

// ln of sum_{t < count} ((m1, j-t)) ((rest, t)), bounded by the number of terms times the largest, and by
// ((m1+rest, j)).
struct Numbers {
    double C, c1, m1, rest, log_w;

    [[nodiscard]] double partial(double j, double count) const {
        if (j < 0 || count <= 0) return -1e300;
        if (rest <= 0) return fast::log_multiset(m1, j);
        const double t = largest(j, count);
        const double terms = std::log(count) + fast::log_multiset(m1, j - t) + fast::log_multiset(rest, t);
        return std::min(terms, fast::log_multiset(m1 + rest, j));
    }
    // The index of the largest term: neighbours are equal near t = j rest / (m1 + rest).
    [[nodiscard]] double largest(double j, double count) const {
        const double mode = std::floor(j * rest / (m1 + rest));
        return std::clamp(mode, 0.0, std::min(count - 1, j));
    }
    [[nodiscard]] double at(double first, double last, double tau) const {
        if (tau == columns_only) return partial(last, c1 + 1);
        return fast::log_add(partial(last, tau), log_w + partial(C - first, c1 - tau + 1));
    }
};

Interval evaluated(const Numbers& n, double first, double last) {
    double low = 0, high = n.c1 + 1;
    for (int step = 0; step < cut_steps && high - low > 1; ++step) {
        const double tau = std::floor((low + high) / 2);
        const bool columns_smaller = n.partial(last, tau) < n.log_w + n.partial(n.C - first, n.c1 - tau + 1);
        (columns_smaller ? low : high) = tau;
    }
    double tau = columns_only;
    for (const double cut : {low, high, 0.0}) {
        if (n.at(first, last, cut) < n.at(first, last, tau)) tau = cut;
    }
    return {first, last, tau, n.at(first, last, tau) + std::log(last - first + 1)};
}

std::vector<Interval> chosen_intervals(const Numbers& n) {
    std::priority_queue<Interval> open;
    open.push(evaluated(n, 0, n.C));
    std::vector<Interval> done;
    for (int split = 0; split < splits && !open.empty(); ++split) {
        const Interval widest = open.top();
        open.pop();
        const double middle = std::floor((widest.first + widest.last) / 2);
        if (middle < widest.first || middle >= widest.last) {
            done.push_back(widest);
            continue;
        }
        open.push(evaluated(n, widest.first, middle));
        open.push(evaluated(n, std::min(middle + 1, widest.last), widest.last));
    }
    for (; !open.empty(); open.pop()) done.push_back(open.top());
    return done;
}

Integer whole(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    const Integer bits = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
    return exponent >= 53 ? bits * pow(Integer(2), static_cast<std::uint64_t>(exponent - 53))
                          : floor_div(bits, pow(Integer(2), static_cast<std::uint64_t>(53 - exponent)));
}

// The certified twin of Numbers.
class CertifiedNumbers {
  public:
    CertifiedNumbers(const Integer& C, const Integer& c1, const HeadShape& shape, int bits)
        : C_(C),
          c1_(c1),
          m1_(shape.first_layer_forms()),
          rest_(shape.seen_entries() - m1_),
          w_(shape.read_width()),
          bits_(bits) {}

    // ln of the sum over the degrees first..last with the interval's cut.
    [[nodiscard]] Ball at(const Interval& interval, const Integer& first, const Integer& last) const {
        const Integer tau = interval.tau == columns_only ? c1_ + 1 : whole(interval.tau);
        const bool columns = tau > 0, rows = tau <= c1_;
        const Ball width = log(Ball(last - first + 1, bits_));
        if (!rows) return width + partial(last, tau);
        const Ball right = log(Ball(w_, bits_)) + partial(C_ - first, c1_ - tau + 1);
        return width + (columns ? log_add_exp(partial(last, tau), right) : right);
    }

  private:
    [[nodiscard]] Ball partial(const Integer& j, const Integer& count) const {
        if (rest_ == 0) return log_multiset(m1_, j, bits_);
        const Integer reach = std::min(count - 1, j), t = std::min(reach, last_rising(j));
        const Ball terms =
            log(Ball(count, bits_)) + log_multiset(m1_, j - t, bits_) + log_multiset(rest_, t, bits_);
        return min(terms, log_multiset(m1_ + rest_, j, bits_));
    }
    // The largest t whose term is not below its predecessor: (rest+t-1)(j-t+1) >= t (m1+j-t), linear in t
    // after expansion.
    [[nodiscard]] Integer last_rising(const Integer& j) const {
        const Integer above = (rest_ - 1) * (j + 1), slope = m1_ + rest_ - 2;
        return slope <= 0 ? j : std::min(j, floor_div(above, slope));
    }

    Integer C_, c1_, m1_, rest_, w_;
    int bits_;
};

}  // namespace

Ball heads_bound_log3(std::int64_t depth, const HeadShape& shape, int bits) {
    const Integer C = gram_count(depth), c1 = gram_count(depth - 1);
    // The theorem's sum is never above the one without heads: cut every degree at tau = 0 or c1 + 1.
    const Ball full = full_bound_log3(depth, shape.width, bits);
    if (depth > max_cover_depth) return full;
    const Integer m1 = shape.first_layer_forms(), rest = shape.seen_entries() - m1;
    const Numbers numbers{C.to_double(), c1.to_double(), m1.to_double(), rest.to_double(),
                          std::log(static_cast<double>(shape.read_width()))};
    const CertifiedNumbers certified(C, c1, shape, bits);
    Ball total(bits);
    bool any = false;
    auto intervals = chosen_intervals(numbers);
    std::sort(intervals.begin(), intervals.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    // Beyond 2^53 neighbouring degrees are no doubles: each interval begins where the one before it ended.
    Integer next = 0;
    for (const auto& interval : intervals) {
        const bool is_last = &interval == &intervals.back();
        const Integer end = is_last ? C : std::min(C, whole(interval.last));
        if (end < next) continue;
        const Ball part = certified.at(interval, next, end);
        total = any ? log_add_exp(total, part) : part;
        any = true;
        next = end + 1;
    }
    return min(total / log(Ball(3, bits)), full);
}

}  // namespace plimsoll::theory
