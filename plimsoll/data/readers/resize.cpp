#include "plimsoll/data/readers/resize.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace plimsoll::data {
namespace {

// What one pixel of the new row takes from the old: from `first` on, weights that add up to 1.
struct Taps {
    std::size_t first = 0;
    std::vector<double> weights;
};

// A triangle as wide as two old pixels, or as two new ones where those are wider.
std::vector<Taps> taps_of(std::size_t from, std::size_t to) {
    const double scale = static_cast<double>(from) / static_cast<double>(to), reach = std::max(1.0, scale);
    std::vector<Taps> all(to);
    for (std::size_t i = 0; i < to; ++i) {
        const double center = (static_cast<double>(i) + 0.5) * scale - 0.5;
        const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(center - reach)));
        const auto last = std::min(from - 1, static_cast<std::size_t>(std::floor(center + reach)));
        all[i].first = first;
        double sum = 0;
        for (std::size_t k = first; k <= last; ++k) {
            const double weight = std::max(0.0, 1 - std::abs(static_cast<double>(k) - center) / reach);
            all[i].weights.push_back(weight);
            sum += weight;
        }
        for (double& weight : all[i].weights) weight /= sum;
    }
    return all;
}

// One line of `stride`d values by the taps.
double sum_of(const Taps& taps, const double* values, std::size_t stride) {
    double sum = 0;
    for (std::size_t k = 0; k < taps.weights.size(); ++k)
        sum += taps.weights[k] * values[(taps.first + k) * stride];
    return sum;
}

}  // namespace

void resize(std::span<const std::uint8_t> pixels, const ImageShape& from, std::span<std::uint8_t> out,
            const ImageShape& to) {
    PLIMSOLL_CHECK(pixels.size() == from.bytes() && out.size() == to.bytes() && from.channels == to.channels,
                   "images of these shapes");
    const auto across = taps_of(from.width, to.width), down = taps_of(from.height, to.height);
    std::vector<double> source(from.width), rows(from.height * to.width);
    for (std::size_t c = 0; c < from.channels; ++c) {
        for (std::size_t y = 0; y < from.height; ++y) {
            const auto row = pixels.subspan((c * from.height + y) * from.width, from.width);
            std::ranges::copy(row, source.begin());
            for (std::size_t x = 0; x < to.width; ++x)
                rows[y * to.width + x] = sum_of(across[x], source.data(), 1);
        }
        for (std::size_t y = 0; y < to.height; ++y)
            for (std::size_t x = 0; x < to.width; ++x)
                out[(c * to.height + y) * to.width + x] = static_cast<std::uint8_t>(
                    std::clamp(std::lround(sum_of(down[y], rows.data() + x, to.width)), 0L, 255L));
    }
}

}  // namespace plimsoll::data
