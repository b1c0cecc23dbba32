#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "plimsoll/base/check.h"
#include "plimsoll/nets/attention.h"

namespace plimsoll::testing {

// f applied to every weight, for instance a reduction of integer weights into another ring.
template <class T, class F>
auto map_weights(const nets::AttentionWeights<T>& weights, F&& f) {
    using U = std::decay_t<decltype(f(std::declval<const T&>()))>;
    nets::AttentionWeights<U> result;
    result.residual = weights.residual;
    result.embedding = nets::map(weights.embedding, f);
    result.positions = nets::map(weights.positions, f);
    for (const auto& layer : weights.layers) {
        auto& heads = result.layers.emplace_back();
        for (const nets::Head<T>& head : layer) {
            heads.push_back({nets::map(head.query, f), nets::map(head.key, f), nets::map(head.value, f),
                             nets::map(head.output, f)});
        }
    }
    return result;
}

// The M pixels of X (d_input, M) in N patches of M / N consecutive pixels, one patch a column: (M / N *
// d_input, N).
template <class T>
nets::Matrix<T> patches(const nets::Matrix<T>& pixels, std::size_t positions) {
    PLIMSOLL_CHECK(positions > 0 && pixels.cols() % positions == 0, "patches must divide the pixels");
    const std::size_t per_patch = pixels.cols() / positions;
    nets::Matrix<T> result(per_patch * pixels.rows(), positions);
    for (std::size_t pixel = 0; pixel < pixels.cols(); ++pixel) {
        for (std::size_t c = 0; c < pixels.rows(); ++c) {
            result(pixel % per_patch * pixels.rows() + c, pixel / per_patch) = pixels(c, pixel);
        }
    }
    return result;
}

// WIES-EMB-CONV as printed [Wies et al. 2021, eq. 2]: column i is the sum over the pixels j of patch i of W_j
// x_{(M/N) i + j}; kernels are M / N matrices (d_x, d_input).
template <nets::Ring R>
nets::MatrixOver<R> convolve(const R& ring, const std::vector<nets::MatrixOver<R>>& kernels,
                             const nets::MatrixOver<R>& pixels) {
    PLIMSOLL_CHECK(!kernels.empty() && pixels.cols() % kernels.size() == 0, "patches must divide the pixels");
    nets::MatrixOver<R> y(kernels.front().rows(), pixels.cols() / kernels.size());  // (d_x, N)
    for (std::size_t pixel = 0; pixel < pixels.cols(); ++pixel) {
        const auto& kernel = kernels[pixel % kernels.size()];  // (d_x, d_input)
        const std::size_t i = pixel / kernels.size();
        for (std::size_t p = 0; p < y.rows(); ++p) {
            for (std::size_t c = 0; c < pixels.rows(); ++c) {
                y(p, i) = ring.add(y(p, i), ring.multiply(kernel(p, c), pixels(c, pixel)));
            }
        }
    }
    return y;
}

}  // namespace plimsoll::testing
