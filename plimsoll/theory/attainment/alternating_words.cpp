#include "plimsoll/theory/attainment/alternating_words.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plimsoll/base/check.h"
#include "plimsoll/theory/attainment/gram_powers.h"
#include "plimsoll/theory/numbers/multiset_log.h"
#include "plimsoll/theory/numbers/special_fast.h"

namespace plimsoll::theory {
namespace {

constexpr std::int64_t narrowest = 6, widest_word = 1'000'000;

Integer product_of(const std::vector<Integer>& factors, std::size_t first, std::size_t last) {
    if (last == first) return 1;
    if (last - first == 1) return factors[first];
    const std::size_t middle = (first + last) / 2;
    return product_of(factors, first, middle) * product_of(factors, middle, last);
}

// prod_{i<j} (l_i - l_j) / (j - i), l decreasing.
Integer weyl_dimension(const std::vector<Integer>& l) {
    std::vector<Integer> above, below;
    for (std::size_t j = 1; j < l.size(); ++j) {
        for (std::size_t i = 0; i < j; ++i) {
            above.push_back(l[i] - l[j]);
            below.emplace_back(static_cast<std::int64_t>(j - i));
        }
    }
    return exact_div(product_of(above, 0, above.size()), product_of(below, 0, below.size()));
}

// The largest first: parts of lambda from the strictly increasing set {k q_r + r}.
std::vector<Integer> parts_of(const AlternatingWord& word, const std::vector<Integer>& exponents) {
    std::vector<Integer> beads;
    for (std::size_t r = 0; r < exponents.size(); ++r)
        beads.push_back(word.length * exponents[r] + static_cast<std::int64_t>(r));
    std::sort(beads.begin(), beads.end());
    for (std::size_t r = 0; r < beads.size(); ++r) beads[r] -= static_cast<std::int64_t>(r);
    std::reverse(beads.begin(), beads.end());
    return beads;
}

// Calls visit(q) for every q of word.corner non-negative numbers with sum word.power.
void for_compositions(const AlternatingWord& word,
                      const std::function<void(const std::vector<Integer>&)>& visit) {
    std::vector<Integer> q(static_cast<std::size_t>(word.corner));
    const std::function<void(std::size_t, std::int64_t)> fill = [&](std::size_t at, std::int64_t left) {
        if (at + 1 == q.size()) {
            q[at] = left;
            visit(q);
            return;
        }
        for (std::int64_t part = 0; part <= left; ++part) {
            q[at] = part;
            fill(at + 1, left - part);
        }
    };
    fill(0, word.power.to_int64());
}

// ln dim as a sum over three kinds of pairs of rows, all given to `Terms`: two of the first nu rows (their
// mirror images are the same), one of the first and one of the last nu rows, and one of these with the
// n - 2 nu rows between.
template <class Terms>
void visit_pairs(const AlternatingWord& word, const CanonicalSteps& steps, Terms& terms) {
    const std::int64_t between = word.block - 2 * word.corner;
    steps.for_differences([&](std::int64_t delta, std::int64_t rest, std::int64_t count) {
        terms.add(terms.step(delta, rest), delta, 2 * count);
    });
    steps.for_sums([&](std::int64_t sigma, std::int64_t rest, std::int64_t count) {
        terms.add(terms.doubled_base() + terms.step(sigma, rest), sigma + between + 1, count);
    });
    if (between == 0) return;
    for (std::int64_t r = 0; r < steps.length(); ++r) terms.add_between(r, between);
}

// The certified sum of count ln(1 + k x / distance).
class BallTerms {
  public:
    BallTerms(const AlternatingWord& word, const CanonicalSteps& steps, int bits)
        : word_(word), steps_(steps), bits_(bits), sum_(0, bits) {}

    [[nodiscard]] Integer step(std::int64_t distance, std::int64_t rest) const {
        return steps_.slope() * distance + rest;
    }
    [[nodiscard]] Integer doubled_base() const { return steps_.base() * 2; }
    void add(const Integer& x, std::int64_t distance, std::int64_t count) {
        const Ball ratio = Ball(word_.length * x + distance, bits_) / Ball(distance, bits_);
        sum_ = sum_ + Ball(count, bits_) * log(ratio);
    }
    // Row r against the rows between, twice: prod_{t=1..m} (k q + r + t) / (r + t).
    void add_between(std::int64_t r, std::int64_t between) {
        const Integer n = between + 1;
        sum_ = sum_ + Ball(2, bits_) * (log_multiset(n, word_.length * steps_.at(r) + r, bits_) -
                                        log_multiset(n, Integer(r), bits_));
    }
    [[nodiscard]] const Ball& sum() const { return sum_; }

  private:
    const AlternatingWord& word_;
    const CanonicalSteps& steps_;
    int bits_;
    Ball sum_;
};

// The same in doubles.
class DoubleTerms {
  public:
    DoubleTerms(const AlternatingWord& word, const CanonicalSteps& steps)
        : steps_(steps),
          length_(word.length.to_double()),
          slope_(steps.slope().to_double()),
          base_(steps.base().to_double()) {}

    [[nodiscard]] double step(std::int64_t distance, std::int64_t rest) const {
        return slope_ * static_cast<double>(distance) + static_cast<double>(rest);
    }
    [[nodiscard]] double doubled_base() const { return 2 * base_; }
    void add(double x, std::int64_t distance, std::int64_t count) {
        if (x > 0)
            sum_ += static_cast<double>(count) * std::log1p(length_ * x / static_cast<double>(distance));
    }
    void add_between(std::int64_t r, std::int64_t between) {
        const double q = base_ + step(r, steps_.rest(r)), row = static_cast<double>(r);
        const double n = static_cast<double>(between + 1);
        if (between == 1) {
            sum_ += 2 * std::log1p(length_ * q / (row + 1));
        } else {
            sum_ += 2 * (fast::log_multiset(n, length_ * q + row) - fast::log_multiset(n, row));
        }
    }
    [[nodiscard]] double sum() const { return sum_; }

  private:
    const CanonicalSteps& steps_;
    double length_, slope_, base_, sum_ = 0;
};

}  // namespace

bool has_alternating_word(std::int64_t depth, std::int64_t first_layers, std::int64_t width) {
    return width >= narrowest && width <= widest_word && first_layers >= 2 && first_layers < depth;
}

AlternatingWord alternating_word(std::int64_t depth, std::int64_t first_layers, std::int64_t width) {
    PLIMSOLL_CHECK(has_alternating_word(depth, first_layers, width), "D3 needs d >= 6 and 2 <= L0 < L");
    const std::int64_t block = (width - 2) / 2;
    const Integer length = exact_div(power_of_three(first_layers) - 3, 2);
    return {block, std::min(Integer(block / 2), length).to_int64(), length,
            collapsed_power(depth, first_layers)};
}

Integer module_dimension(const AlternatingWord& word, const std::vector<Integer>& exponents) {
    const auto parts = parts_of(word, exponents);
    std::vector<Integer> l(static_cast<std::size_t>(word.block));
    for (std::size_t i = 0; i < l.size(); ++i) l[i] = word.block - static_cast<std::int64_t>(i);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        l[i] += parts[i];
        l[l.size() - 1 - i] -= parts[i];
    }
    return weyl_dimension(l);
}

Integer d3_sum(const AlternatingWord& word) {
    Integer total = 0;
    for_compositions(word, [&](const auto& q) { total += module_dimension(word, q); });
    return total;
}

Integer d3_canonical(const AlternatingWord& word) {
    const CanonicalSteps steps(word.corner, word.power);
    std::vector<Integer> exponents;
    for (std::int64_t r = 0; r < word.corner; ++r) exponents.push_back(steps.at(r));
    return module_dimension(word, exponents);
}

Ball d3_canonical_log3(const AlternatingWord& word, int bits) {
    constexpr int summation_bits = 24;  // at most 2^23 terms, all of one sign
    const CanonicalSteps steps(word.corner, word.power);
    BallTerms terms(word, steps, bits + summation_bits);
    visit_pairs(word, steps, terms);
    return terms.sum() / ln3(bits + summation_bits);
}

double fast::d3_canonical_log3(const AlternatingWord& word) {
    const CanonicalSteps steps(word.corner, word.power);
    DoubleTerms terms(word, steps);
    visit_pairs(word, steps, terms);
    return terms.sum() / std::log(3.0);
}

}  // namespace plimsoll::theory
