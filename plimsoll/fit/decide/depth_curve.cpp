#include "plimsoll/fit/decide/depth_curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "plimsoll/base/numbers.h"
#include "plimsoll/base/random.h"
#include "plimsoll/fit/decide/curve_form.h"

namespace plimsoll::fit {
namespace {

constexpr std::size_t draws = 1000;
constexpr std::uint64_t stream_seed = 22;
constexpr double tail = (1 - report::interval_level) / 2;

// Deviations of a depth of its own, as shares of the scale. Networks at neighbouring depths of one size were
// measured to lie 0.1 to 0.6 % off any smooth curve; larger ones are unlikely, but not ruled out (a task that
// two layers cannot do at all): weights as Cauchy's distribution has them.
constexpr double usual_deviation = 0.003;
constexpr std::array deviations{0.0,   0.0005, 0.001, 0.002, 0.004, 0.008,
                                0.016, 0.032,  0.064, 0.128, 0.256, 0.512};

// Neighbouring depths may deviate alike (and the true form is none of ours), which moves a curve further than
// independent deviations do: so many times their variance counts for the curve. With 1 the intervals of quiet
// races held the truth 91 times in 100 (tests/fit/valley_rates_test.cpp).
constexpr double alike = 2;

// Of the scale: what keeps values without any noise from dividing by nothing.
constexpr double least_noise = 1e-9;

double prior_weight(double deviation) {
    const double ratio = deviation / usual_deviation;
    // The steps are doublings, so each stands for an interval of its own size; 0 for all below the first.
    const double width = deviation == 0 ? deviations[1] / usual_deviation : ratio;
    return width / (1 + ratio * ratio);
}

double normal_draw(RandomStream& random) {
    const double u = 1 - random.uniform(), v = random.uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

// A draw from the distribution of the sum of so many squared normal numbers.
double chi_square_draw(RandomStream& random, std::size_t freedom) {
    constexpr std::size_t many = 30;
    if (freedom > many) {  // Wilson and Hilferty
        const double share = 2 / (9 * real(freedom));
        return real(freedom) * std::pow(1 - share + std::sqrt(share) * normal_draw(random), 3);
    }
    double sum = 0;
    for (std::size_t i = 0; i < freedom; ++i) sum += std::pow(normal_draw(random), 2);
    return sum;
}

// An index by the logarithms of its weights, which become weights.
std::size_t drawn_index(RandomStream& random, std::vector<double>& weights) {
    const double most = *std::ranges::max_element(weights);
    double sum = 0;
    for (double& weight : weights) sum += weight = std::exp(weight - most);
    double left = random.uniform() * sum;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if ((left -= weights[i]) <= 0) return i;
    return weights.size() - 1;
}

// The middle 95 % of values in any order.
report::Interval middle_of(std::vector<double> values) {
    const auto outside = static_cast<std::ptrdiff_t>(tail * real(values.size()));
    const auto low = values.begin() + outside, high = values.end() - 1 - outside;
    std::ranges::nth_element(values, low);
    std::ranges::nth_element(low + 1, high, values.end());  // all that are larger
    return {*low, *high};
}

// Lowest place of values on a grid, and the ends of the stretch around it that is at most `allowed` higher;
// between grid points straight.
struct Stretch {
    double best = 0, low = 0, high = 0;
};
template <class Values>
Stretch stretch_of(const Values& values, double allowed) {
    const auto at = static_cast<std::size_t>(std::ranges::min_element(values) - values.begin());
    const double limit = values[at] + allowed;
    std::size_t low = at, high = at;
    while (low > 0 && values[low - 1] <= limit) --low;
    while (high + 1 < values.size() && values[high + 1] <= limit) ++high;
    Stretch found{real(at), real(low), real(high)};
    if (low > 0) found.low -= (limit - values[low]) / (values[low - 1] - values[low]);
    if (high + 1 < values.size()) found.high += (limit - values[high]) / (values[high + 1] - values[high]);
    return found;
}

// Fills a grid with the straight lines between values at such places of it, from its first to its last.
template <class Grid>
void join_values(const std::vector<double>& places, const std::vector<double>& values, Grid& grid) {
    std::size_t after = 1;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        while (after + 1 < places.size() && places[after] < real(i)) ++after;
        const double share = (real(i) - places[after - 1]) / (places[after] - places[after - 1]);
        grid[i] = values[after - 1] + std::clamp(share, 0.0, 1.0) * (values[after] - values[after - 1]);
    }
}

}  // namespace

// Draws curves and values from what the means leave possible.
class CurveSampler {
  public:
    CurveSampler(DepthCurve& curve, const CurveNoise& noise, double scale)
        : curve_(curve), noise_(noise), scale_(scale), random_(stream_seed, "fit/depth_curve") {
        std::vector<double> depths, values, weights;
        for (const auto& mean : curve.means_) {
            depths.push_back(mean.depth);
            values.push_back(mean.value);
            weights.push_back(weight_of(mean));
        }
        for (const auto& form : curve_forms) {
            fits_.emplace_back(form, depths, values, weights);
            auto& basis = basis_.emplace_back();
            for (std::size_t i = 0; i < DepthCurve::grid_size; ++i)
                basis.push_back(form.basis(curve.depth_at(real(i))));
        }
        curve_.expected_.resize(depths.size());
    }

    void fill() {
        std::vector<double> own;
        for (std::size_t draw = 0; draw < draws; ++draw) {
            const Chosen is = chosen();
            const Coefficients drawn = drawn_coefficients(is);
            add_curve(is, drawn);
            add_values(is, drawn);
            own.push_back(std::sqrt(is.own));
        }
        std::ranges::sort(own);
        curve_.deviation_ = report::quantile(own, 0.5);
    }

  private:
    struct Chosen {
        std::size_t form = 0;
        double noise = 0, own = 0;  // variances
    };

    // What a far noisier depth counts for the curve. Its own deviation is that of the others, so that noise
    // which is small beside deviations takes no weight: one layer may be a thousand times noisier than three
    // and still be known to fail.
    [[nodiscard]] double weight_of(const DepthMean& mean) const {
        const double noise = noise_.of_seeds + noise_.of_examples,
                     own = std::pow(usual_deviation * scale_, 2);
        return (noise + own) / (noise * mean.excess + own);
    }

    // The variance of the noise, as far as few degrees of freedom know it.
    double noise_draw() {
        if (noise_.freedom == 0) return noise_.of_examples;
        const double share = real(noise_.freedom) / chi_square_draw(random_, noise_.freedom);
        return noise_.of_seeds * share + noise_.of_examples;
    }

    Chosen chosen() {
        const double noise = std::max(noise_draw(), std::pow(least_noise * scale_, 2));
        const double rest = real(curve_.means_.size() - curve_coefficients);
        weights_.clear();
        for (const double deviation : deviations) {
            const double variance = noise + std::pow(deviation * scale_, 2);
            const double alone = std::log(prior_weight(deviation)) - rest / 2 * std::log(variance);
            for (const auto& fit : fits_) weights_.push_back(alone - fit.squares() / (2 * variance));
        }
        const std::size_t index = drawn_index(random_, weights_);
        return {index % fits_.size(), noise, std::pow(deviations[index / fits_.size()] * scale_, 2)};
    }

    Coefficients drawn_coefficients(const Chosen& is) {
        Coefficients normals{};
        for (double& normal : normals) normal = normal_draw(random_);
        return fits_[is.form].drawn(std::sqrt(is.noise + alike * is.own), normals);
    }

    void add_curve(const Chosen& is, const Coefficients& drawn) {
        auto& curve = curve_.draws_.emplace_back();
        for (std::size_t i = 0; i < curve.size(); ++i) {
            curve[i] = curve_value(drawn, basis_[is.form][i]);
            curve_.mean_[i] += curve[i] / real(draws);
        }
    }

    // The values at the depths themselves: the curve's and what is their own.
    void add_values(const Chosen& is, const Coefficients& drawn) {
        auto& values = curve_.values_.emplace_back();
        for (std::size_t i = 0; i < curve_.means_.size(); ++i) {
            const DepthMean& mean = curve_.means_[i];
            const double noise = is.noise * mean.excess, share = is.own / (is.own + noise);
            const double on_curve = curve_value(drawn, curve_forms[is.form].basis(mean.depth));
            const double expected = on_curve + share * (mean.value - on_curve);
            values.push_back(expected + std::sqrt(share * noise) * normal_draw(random_));
            curve_.expected_[i] += expected / real(draws);
        }
    }

    DepthCurve& curve_;
    CurveNoise noise_;
    double scale_;
    RandomStream random_;
    std::vector<FormFit> fits_;
    std::vector<std::vector<Coefficients>> basis_;  // [form][grid]
    std::vector<double> weights_;                   // of deviations and forms
};

std::optional<DepthCurve> DepthCurve::make(std::vector<DepthMean> means, const CurveNoise& noise,
                                           double scale) {
    const bool unknown = noise.freedom == 0 && noise.of_examples <= 0;
    if (means.size() < curve_depths_needed || unknown) return std::nullopt;
    DepthCurve curve;
    curve.means_ = std::move(means);
    CurveSampler(curve, noise, scale).fill();
    return curve;
}

double DepthCurve::error_between(std::size_t i, std::size_t j) const {
    const double mean = expected_[i] - expected_[j];
    double squares = 0;
    for (const auto& values : values_) squares += std::pow(values[i] - values[j] - mean, 2);
    return std::sqrt(squares / real(values_.size()));
}

DepthCurve DepthCurve::joined() const {
    DepthCurve straight = *this;
    std::vector<double> places;
    const double span = std::log(means_.back().depth / means_.front().depth);
    for (const auto& mean : means_)
        places.push_back(std::log(mean.depth / means_.front().depth) / span * real(grid_size - 1));
    for (std::size_t draw = 0; draw < draws_.size(); ++draw)
        join_values(places, values_[draw], straight.draws_[draw]);
    join_values(places, expected_, straight.mean_);
    return straight;
}

double DepthCurve::depth_at(double place) const {
    const double span = std::log(means_.back().depth / means_.front().depth);
    return means_.front().depth * std::exp(span * place / real(grid_size - 1));
}

double DepthCurve::at(double depth) const {
    const double span = std::log(means_.back().depth / means_.front().depth);
    const double place = std::log(depth / means_.front().depth) / span * real(grid_size - 1);
    const double inside = std::clamp(place, 0.0, real(grid_size - 1));
    const auto below = std::min(static_cast<std::size_t>(inside), grid_size - 2);
    return mean_[below] + (inside - real(below)) * (mean_[below + 1] - mean_[below]);
}

Basin DepthCurve::basin(double allowed) const {
    std::vector<double> best, low, high;
    for (const auto& draw : draws_) {
        const Stretch stretch = stretch_of(draw, allowed);
        best.push_back(depth_at(stretch.best));
        low.push_back(depth_at(stretch.low));
        high.push_back(depth_at(stretch.high));
    }
    const Stretch mean = stretch_of(mean_, allowed);
    Basin basin;
    basin.best = depth_at(mean.best);
    basin.low = depth_at(mean.low);
    basin.high = depth_at(mean.high);
    basin.best_interval = middle_of(std::move(best));
    basin.low_interval = middle_of(std::move(low));
    basin.high_interval = middle_of(std::move(high));
    basin.open_below = mean.low <= 0;
    basin.open_above = mean.high >= real(grid_size - 1);
    return basin;
}

std::vector<DepthCurvePoint> DepthCurve::places() const {
    constexpr std::size_t step = 3;
    const auto best = static_cast<std::size_t>(std::ranges::min_element(mean_) - mean_.begin());
    std::vector<DepthCurvePoint> all;
    for (std::size_t i = 0; i < grid_size; i += step) {
        std::vector<double> heights;
        for (const auto& draw : draws_) heights.push_back(mean_[best] + draw[i] - draw[best]);
        all.push_back({depth_at(real(i)), mean_[i], middle_of(std::move(heights))});
    }
    return all;
}

}  // namespace plimsoll::fit
