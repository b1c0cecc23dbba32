#include "plimsoll/report/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "plimsoll/base/check.h"
#include "plimsoll/report/statistics/student.h"

namespace plimsoll::report {
namespace {

using Points = std::vector<std::pair<double, double>>;

// c * (a polynomial) and sums of polynomials, lowest power first.
std::vector<double> times_linear(const std::vector<double>& p, double slope, double constant) {
    std::vector<double> out(p.size() + 1, 0.0);
    for (std::size_t i = 0; i < p.size(); ++i) {
        out[i] += constant * p[i];
        out[i + 1] += slope * p[i];
    }
    return out;
}
void add_to(std::vector<double>& sum, const std::vector<double>& p, double factor) {
    if (sum.size() < p.size()) sum.resize(p.size(), 0.0);
    for (std::size_t i = 0; i < p.size(); ++i) sum[i] += factor * p[i];
}

}  // namespace

std::optional<double> Summary::half_width() const {
    if (!interval) return std::nullopt;
    return (interval->high - interval->low) / 2;
}

Summary summary(std::vector<double> values) {
    PLIMSOLL_CHECK(!values.empty(), "the summary of no numbers");
    std::ranges::sort(values);
    Summary out;
    out.count = values.size();
    out.least = values.front();
    out.most = values.back();
    const double n = static_cast<double>(values.size());
    // Around the middle value, so that equal numbers have their own value as mean and large ones no overflow.
    const double middle = values[values.size() / 2];
    double sum = 0;
    for (const double value : values) sum += value / n - middle / n;
    out.mean = std::clamp(middle + sum, out.least, out.most);
    if (values.size() == 1) return out;
    double squares = 0;
    for (const double value : values) squares += (value - out.mean) * (value - out.mean);
    out.deviation = std::sqrt(squares / (n - 1));
    const double half = student_quantile(interval_level, values.size() - 1) * *out.deviation / std::sqrt(n);
    out.interval = Interval{out.mean - half, out.mean + half};
    return out;
}

double quantile(const std::vector<double>& sorted, double part) {
    PLIMSOLL_CHECK(!sorted.empty() && part >= 0 && part <= 1, "a quantile of nothing");
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::optional<PolynomialFit> PolynomialFit::make(const Points& unsorted, std::size_t degree) {
    Points points = unsorted;
    std::ranges::sort(points);
    std::set<double> places;
    for (const auto& [x, y] : points) places.insert(x);
    if (places.size() < degree + 1) return std::nullopt;
    PolynomialFit fit;
    const double n = static_cast<double>(points.size());
    for (const auto& [x, y] : points) fit.centre_ += x / n;
    fit.spread_ = std::max(points.back().first - fit.centre_, fit.centre_ - points.front().first);
    std::vector<double> before(points.size(), 0.0), now(points.size(), 1.0);
    std::vector<double> residuals;
    for (const auto& point : points) residuals.push_back(point.second);
    for (std::size_t k = 0; k <= degree; ++k) {
        double norm = 0, shift = 0, weight = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const double x = (points[i].first - fit.centre_) / fit.spread_;
            norm += now[i] * now[i];
            shift += x * now[i] * now[i];
            weight += now[i] * residuals[i];
        }
        fit.ratios_.push_back(k == 0 ? 0 : norm / fit.norms_.back());
        fit.norms_.push_back(norm);
        fit.shifts_.push_back(shift / norm);
        fit.weights_.push_back(weight / norm);
        for (std::size_t i = 0; i < points.size(); ++i) {
            residuals[i] -= fit.weights_[k] * now[i];
            const double x = (points[i].first - fit.centre_) / fit.spread_;
            const double next = (x - fit.shifts_[k]) * now[i] - fit.ratios_[k] * before[i];
            before[i] = std::exchange(now[i], next);
        }
    }
    fit.freedom_ = points.size() - degree - 1;
    double squares = 0;
    for (const double r : residuals) squares += r * r;
    if (fit.freedom_ > 0) fit.variance_ = squares / static_cast<double>(fit.freedom_);
    return fit;
}

std::vector<double> PolynomialFit::basis(double x) const {
    std::vector<double> values{1.0};
    const double place = (x - centre_) / spread_;
    for (std::size_t k = 0; k + 1 < norms_.size(); ++k) {
        const double before = k == 0 ? 0 : values[k - 1];
        values.push_back((place - shifts_[k]) * values[k] - ratios_[k] * before);
    }
    return values;
}

double PolynomialFit::at(double x) const {
    const auto values = basis(x);
    return std::inner_product(values.begin(), values.end(), weights_.begin(), 0.0);
}

std::optional<Interval> PolynomialFit::band(double x) const {
    if (freedom_ == 0) return std::nullopt;
    const auto values = basis(x);
    double share = 0;
    for (std::size_t k = 0; k < values.size(); ++k) share += values[k] * values[k] / norms_[k];
    const double half = student_quantile(interval_level, freedom_) * std::sqrt(variance_ * share);
    return Interval{at(x) - half, at(x) + half};
}

std::vector<double> PolynomialFit::coefficients() const {
    std::vector<double> before, now{1.0}, sum;
    for (std::size_t k = 0; k < norms_.size(); ++k) {
        add_to(sum, now, weights_[k]);
        auto next = times_linear(now, 1 / spread_, -centre_ / spread_ - shifts_[k]);
        add_to(next, before, -ratios_[k]);
        before = std::exchange(now, std::move(next));
    }
    return sum;
}

std::optional<Interval> PolynomialFit::leading_interval() const {
    if (freedom_ == 0) return std::nullopt;
    const double power = std::pow(spread_, -static_cast<double>(norms_.size() - 1));
    const double half = student_quantile(interval_level, freedom_) * std::sqrt(variance_ / norms_.back());
    const double middle = weights_.back();
    return Interval{(middle - half) * power, (middle + half) * power};
}

}  // namespace plimsoll::report
