#include "plimsoll/fit/decide/noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "plimsoll/base/numbers.h"
#include "plimsoll/report/statistics/fisher.h"
#include "plimsoll/report/statistics/student.h"

namespace plimsoll::fit {
namespace {

constexpr double level = 0.95;
// A row's own variance counts with the degrees of freedom that its seeds give it, the pool's with so many: on
// stored runs (bench/fit/pools) the deepest networks are two to three times as noisy as the others, and 95 %
// intervals by the pool alone held 92 of 100 differences, by both 94.
constexpr std::size_t pool_freedom = 2;
constexpr double unsteady_level = 0.01;  // of Fisher's test, over all candidates at once

using Rows = std::vector<std::size_t>;

// Squares of what candidate + seed leaves of the values of these rows.
double residual_squares(const RungTable& table, const Rows& rows) {
    const std::size_t k = table.seeds.size();
    std::vector<double> by_seed(k);
    for (std::size_t j = 0; j < k; ++j)
        for (const auto i : rows) by_seed[j] += table.values[i][j] / real(rows.size());
    const double all = std::accumulate(by_seed.begin(), by_seed.end(), 0.0) / real(k);
    double squares = 0;
    for (const auto i : rows)
        for (std::size_t j = 0; j < k; ++j)
            squares += std::pow(table.values[i][j] - table.mean(i) - by_seed[j] + all, 2);
    return squares;
}

Rows without(Rows rows, std::size_t row) {
    std::erase(rows, row);
    return rows;
}

// What a row adds to the squares of the others; it has one degree of freedom less than there are seeds.
double own_squares(const RungTable& table, const Rows& others, std::size_t row) {
    Rows all = others;
    all.push_back(row);
    return std::max(0.0, residual_squares(table, all) - residual_squares(table, others));
}

// How many ways there are to choose so many of n.
double ways(std::size_t n, std::size_t chosen) {
    double product = 1;
    for (std::size_t i = 0; i < chosen; ++i) product *= real(n - i) / real(i + 1);
    return product;
}

// How often some of equally noisy candidates would add as much to the squares as those that are not in
// `steady`, at most.
double chance_of(const RungTable& table, const Rows& all, const Rows& steady) {
    const std::size_t noisy = all.size() - steady.size(), each = table.seeds.size() - 1;
    const std::size_t above = noisy * each, below = (steady.size() - 1) * each;
    const double rest = residual_squares(table, steady) / real(below);
    const double own = (residual_squares(table, all) - rest * real(below)) / real(above);
    if (own <= rest || rest <= 0) return 1;
    return ways(all.size(), noisy) * report::fisher_above(own / rest, above, below);
}

// The rows without those that are far noisier than the others: none, or one or more, but always fewer than
// half, whichever chance explains least.
Rows steady_rows(const RungTable& table) {
    Rows all(table.candidates.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    Rows best = all, rest = all;
    if (table.seeds.size() < 2) return all;
    double least = unsteady_level;
    while (2 * (all.size() - rest.size() + 1) < all.size()) {
        const auto added = [&](std::size_t row) { return own_squares(table, without(rest, row), row); };
        rest = without(rest, *std::ranges::max_element(rest, {}, added));
        const double chance = chance_of(table, all, rest);
        if (chance >= least) continue;
        least = chance;
        best = rest;
    }
    return best;
}

// Of a sum of an estimated variance and a known one, by Satterthwaite: where few seeds say little and the
// examples say nearly all, their small number must not make the interval of the whole wide.
std::size_t freedom_beside(std::size_t freedom, double estimated, double known) {
    constexpr double most = 1e6;
    if (known <= 0 || estimated <= 0) return freedom;
    const double ratio = (estimated * estimated + known * known) / (estimated * estimated);
    return static_cast<std::size_t>(std::min(most, real(freedom) * ratio * ratio));
}

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// Of networks that predict numbers the worst are known least by their examples: so many times the usual
// counts for the common noise of a curve, which they would fill otherwise; they lie many times their own
// behind.
constexpr double usual_examples = 2;

}  // namespace

double Noise::half_width(std::size_t comparisons) const {
    if (freedom == 0 && error == 0) return std::numeric_limits<double>::infinity();
    const double each = 1 - (1 - level) / real(std::max<std::size_t>(1, comparisons));
    const double t = freedom == 0 ? report::normal_quantile(each) : report::student_quantile(each, freedom);
    return t * error;
}

RungNoise::RungNoise(const RungTable& table) : seeds_(table.seeds.size()) {
    for (const double width : table.half_widths)  // 95 % of a normal
        example_deviations_.push_back(std::sqrt(1 - shared_errors) * width / report::normal_quantile(level));
    const Rows steady = steady_rows(table);
    for (std::size_t row = 0; row < table.candidates.size(); ++row)
        if (std::ranges::find(steady, row) == steady.end()) unsteady_.push_back(row);
    freedom_ = (steady.size() - 1) * (seeds_ - 1);
    pooled_ = freedom_ == 0 ? 0 : residual_squares(table, steady) / real(freedom_);
    variances_.assign(table.candidates.size(), pooled_);
    if (freedom_ > 0)
        for (const auto row : steady) {
            const double own = own_squares(table, without(steady, row), row);
            variances_[row] = (real(pool_freedom) * pooled_ + own) / real(pool_freedom + seeds_ - 1);
        }
    for (const auto row : unsteady_) variances_[row] = own_squares(table, steady, row) / real(seeds_ - 1);
}

Noise RungNoise::between(std::size_t a, std::size_t b) const {
    const double of_examples = std::hypot(example_deviations_[a], example_deviations_[b]);
    if (freedom_ == 0) return {of_examples, 0};
    const bool own = std::ranges::any_of(unsteady_, [&](auto row) { return row == a || row == b; });
    const double of_seeds = std::sqrt((variances_[a] + variances_[b]) / real(seeds_));
    const std::size_t of_both = std::min(freedom_, pool_freedom + 2 * (seeds_ - 1));
    return {std::hypot(of_seeds, of_examples),
            own ? freedom_beside(seeds_ - 1, of_seeds, of_examples) : of_both};
}

double RungNoise::excess(std::size_t row) const {
    const bool steady = std::ranges::find(unsteady_, row) == unsteady_.end();
    return steady || pooled_ <= 0 ? 1 : std::max(1.0, variances_[row] / pooled_);
}

CurveNoise RungNoise::of_means(const std::vector<std::size_t>& rows) const {
    CurveNoise noise{freedom_ == 0 ? 0 : pooled_ / real(seeds_), freedom_, 0};
    const double most = usual_examples * median_of(example_deviations_);
    for (const auto row : rows)
        noise.of_examples += std::pow(std::min(example_deviations_[row], most), 2) / real(rows.size());
    return noise;
}

Noise RungNoise::usual() const {
    const double of_examples = std::sqrt(2.0) * median_of(example_deviations_);
    return {std::hypot(std::sqrt(2 * pooled_ / real(seeds_)), of_examples), freedom_};
}

}  // namespace plimsoll::fit
