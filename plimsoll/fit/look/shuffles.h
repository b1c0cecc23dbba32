#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/random.h"

// What independent data would show: the same statistic of shuffled data, again and again.
namespace plimsoll::fit {

constexpr std::size_t shuffle_count = 16;

// Numbers 0 .. count - 1 in random order.
inline std::vector<std::uint32_t> random_order(std::size_t count, RandomStream& stream) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
    return order;
}

// What a statistic shows on shuffled data.
struct ShuffleLevel {
    double bias = 0;   // its mean: what is left of its bias, to be taken off
    double noise = 0;  // four standard deviations: with normal errors one set of independent data in 1700
                       // lies further above the mean (t distribution of 15 degrees)
};

inline ShuffleLevel shuffle_level(const std::function<double(RandomStream&)>& statistic, std::uint64_t seed,
                                  std::string_view name) {
    RandomStream stream(seed, name);
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < shuffle_count; ++i) {
        const double value = statistic(stream);
        sum += value;
        squares += value * value;
    }
    constexpr double count = shuffle_count;
    const double mean = sum / count;
    return {mean, 4 * std::sqrt(std::max(0.0, (squares - count * mean * mean) / (count - 1)))};
}

}  // namespace plimsoll::fit
