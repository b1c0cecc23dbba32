#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plimsoll/base/json.h"

// The gradient-noise scale [McCandlish et al. 2018, arXiv 1812.06162, appendix A.1]: how many examples it
// takes for the noise of a gradient to be as large as the gradient. Below that batch size steps are saved by
// larger batches, above it examples are wasted.
namespace plimsoll::train {

// The squared norms of one batch's gradient and of those of its equal parts.
struct GradientSquares {
    double whole = 0, mean_of_parts = 0;
    std::int64_t whole_size = 1, part_size = 1;  // examples
};

// Unbiased estimates from one batch; both can be negative by chance.
struct NoiseSample {
    double gradient_square = 0;  // |G|^2 of the mean gradient over all data
    double trace = 0;            // of the covariance of one example's gradient
};
NoiseSample noise_sample(const GradientSquares& squares);

// trace / |G|^2 in examples, each averaged over the samples.
struct NoiseScale {
    double scale = 0;                 // infinite when the averaged |G|^2 is not positive
    std::optional<double> low, high;  // of the 95 % interval, by Fieller; none for few samples
    std::int64_t samples = 0;
};
NoiseScale noise_scale(std::span<const NoiseSample> samples);

// What a run reports: the scale over the later half of its samples, since it grows while the loss falls.
NoiseScale recent_noise_scale(const std::vector<NoiseSample>& samples);

// A row's value, and back.
Json to_json(const NoiseSample& sample, const NoiseScale& scale);
NoiseSample noise_sample_of(const Json& row);
NoiseScale noise_scale_of(const Json& row);

}  // namespace plimsoll::train
