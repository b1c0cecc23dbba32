#include "plimsoll/train/noise_scale.h"

#include <cmath>
#include <limits>

namespace plimsoll::train {
namespace {

constexpr std::int64_t least_samples = 4;  // for an interval

// The 97.5 % point of Student's law by its expansion in 1 / freedom [Abramowitz & Stegun 26.7.5]: 0.7 % below
// it with 3 degrees of freedom, 0.1 % with 6.
double student_point(double freedom) {
    constexpr double z = 1.959963984540054, s = z * z;
    const double first = z * (s + 1) / 4, second = z * ((5 * s + 16) * s + 3) / 96,
                 third = z * (((3 * s + 19) * s + 17) * s - 15) / 384;
    return z + (first + (second + third / freedom) / freedom) / freedom;
}

struct Moments {
    double trace = 0, square = 0;                           // means
    double trace_trace = 0, trace_square = 0, squares = 0;  // sample covariances of the means
};

Moments moments_of(std::span<const NoiseSample> samples) {
    const auto count = static_cast<double>(samples.size());
    Moments m;
    for (const auto& one : samples) m.trace += one.trace / count, m.square += one.gradient_square / count;
    for (const auto& one : samples) {
        const double t = one.trace - m.trace, g = one.gradient_square - m.square;
        m.trace_trace += t * t, m.trace_square += t * g, m.squares += g * g;
    }
    const double scale = 1 / (count * (count - 1));
    m.trace_trace *= scale, m.trace_square *= scale, m.squares *= scale;
    return m;
}

// All ratios r for which the mean of trace - r |G|^2 is within `point` deviations of 0: between the roots of
// a r^2 - 2 b r + c, or from the upper one on when |G|^2 cannot be told from 0.
void add_interval(NoiseScale& result, const Moments& m, double point) {
    const double k = point * point, a = m.square * m.square - k * m.squares,
                 b = m.trace * m.square - k * m.trace_square, c = m.trace * m.trace - k * m.trace_trace,
                 inside = b * b - a * c;
    const bool bounded = a > 0;
    const double root = inside > 0 ? std::sqrt(inside) : 0;
    result.low = inside > 0 ? std::max(0.0, (b - root) / a) : 0.0;
    result.high = bounded ? (b + root) / a : std::numeric_limits<double>::infinity();
}

Json or_null(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(*value) : Json();
}

}  // namespace

NoiseSample noise_sample(const GradientSquares& squares) {
    const auto whole = static_cast<double>(squares.whole_size), part = static_cast<double>(squares.part_size);
    return {(whole * squares.whole - part * squares.mean_of_parts) / (whole - part),
            (squares.mean_of_parts - squares.whole) / (1 / part - 1 / whole)};
}

NoiseScale noise_scale(std::span<const NoiseSample> samples) {
    NoiseScale result{.samples = std::ssize(samples)};
    if (samples.empty()) return result;
    const Moments moments = moments_of(samples);
    result.scale =
        moments.square > 0 ? moments.trace / moments.square : std::numeric_limits<double>::infinity();
    if (result.samples >= least_samples)
        add_interval(result, moments, student_point(static_cast<double>(result.samples - 1)));
    return result;
}

NoiseScale recent_noise_scale(const std::vector<NoiseSample>& samples) {
    return noise_scale(std::span(samples).subspan(samples.size() / 2));
}

Json to_json(const NoiseSample& sample, const NoiseScale& scale) {
    Json json{{"gradient_square", sample.gradient_square},
              {"trace", sample.trace},
              {"scale", or_null(scale.scale)},
              {"samples", scale.samples}};
    if (scale.low) json["low"] = or_null(scale.low), json["high"] = or_null(scale.high);
    return json;
}

NoiseSample noise_sample_of(const Json& row) {
    return {row.value("gradient_square", 0.0), row.value("trace", 0.0)};
}

NoiseScale noise_scale_of(const Json& row) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto number = [&](const char* key) {
        return row.at(key).is_null() ? infinity : row.at(key).get<double>();
    };
    NoiseScale scale{.scale = number("scale"), .samples = row.at("samples").get<std::int64_t>()};
    if (row.contains("low")) scale.low = number("low"), scale.high = number("high");
    return scale;
}

}  // namespace plimsoll::train
