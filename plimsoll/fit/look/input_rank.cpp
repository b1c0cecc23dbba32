#include "plimsoll/fit/look/input_rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/rank/dense_matrix.h"
#include "plimsoll/rank/singular_values.h"

namespace plimsoll::fit {
namespace {

// The patch at (top, left) of a planar image; whole numbers, so that the mean of equal ones is exact.
void copy_patch(Pixels image, const data::ImageShape& shape, std::size_t patch, std::size_t top,
                std::size_t left, std::span<double> out) {
    std::size_t at = 0;
    for (std::size_t c = 0; c < shape.channels; ++c) {
        for (std::size_t y = 0; y < patch; ++y) {
            const std::size_t row = (c * shape.height + top + y) * shape.width + left;
            for (std::size_t x = 0; x < patch; ++x) out[at++] = image[row + x];
        }
    }
}

// Patches of the images' grid, one a row, drawn with replacement.
rank::DenseMatrix<double> drawn_patches(std::span<const Pixels> images, const data::ImageShape& shape,
                                        std::size_t patch, std::uint64_t seed) {
    const std::size_t cols = patch * patch * shape.channels, down = shape.height / patch,
                      across = shape.width / patch;
    const std::size_t all = images.size() * down * across;
    rank::DenseMatrix<double> matrix(std::min(all, std::max<std::size_t>(4096, 8 * cols)), cols);
    RandomStream stream(seed, "fit/patches");
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        const std::size_t which =
            i * all / matrix.rows() + stream.below(std::max<std::size_t>(1, all / matrix.rows()));
        const std::size_t place = which % (down * across);
        copy_patch(images[which / (down * across)], shape, patch, place / across * patch,
                   place % across * patch, matrix.view().row(i));
    }
    return matrix;
}

void centre(rank::DenseMatrix<double>& matrix) {
    std::vector<double> mean(matrix.cols());
    for (std::size_t i = 0; i < matrix.rows(); ++i)
        for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += matrix(i, j);
    for (double& entry : mean) entry /= static_cast<double>(matrix.rows());
    for (std::size_t i = 0; i < matrix.rows(); ++i)
        for (std::size_t j = 0; j < mean.size(); ++j) matrix(i, j) -= mean[j];
}

// The same without the values that rounding made.
rank::Spectrum resolved(rank::Spectrum spectrum) {
    std::erase_if(spectrum.values, [&](double value) { return value <= spectrum.tolerance; });
    return rank::summary_of(std::move(spectrum.values), spectrum.tolerance);
}

double largest_row_norm(const rank::DenseMatrix<double>& matrix) {
    double largest = 0;
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        const auto row = matrix.view().row(i);
        largest = std::max(largest, std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    }
    return std::sqrt(largest);
}

}  // namespace

InputRank vocabulary_rank(std::span<const std::uint64_t> counts) {
    std::vector<double> values;
    for (const std::uint64_t count : counts)
        if (count > 0) values.push_back(std::sqrt(static_cast<double>(count)));
    if (values.empty()) return {};
    const rank::Spectrum spectrum = rank::summary_of(values, 0);
    return {static_cast<double>(values.size()), spectrum.effective_rank,
            fmt::format("counted: {} of {} ids occur in the training part", values.size(), counts.size())};
}

std::vector<std::int64_t> patch_sizes(const data::ImageShape& shape, std::int64_t most_patches) {
    std::vector<std::int64_t> sizes;
    const std::size_t largest = std::gcd(shape.height, shape.width);
    for (std::size_t patch = 1; patch <= largest; ++patch) {
        if (largest % patch != 0) continue;
        const auto patches = static_cast<std::int64_t>(shape.height / patch * (shape.width / patch));
        if (patches >= 4 && patches <= most_patches) sizes.push_back(static_cast<std::int64_t>(patch));
    }
    return sizes;
}

Result<InputRank> patch_rank(std::span<const Pixels> images, const data::ImageShape& shape,
                             std::int64_t patch, std::uint64_t seed) {
    PLIMSOLL_CHECK(!images.empty() && patch > 0, "patches of nothing");
    PLIMSOLL_RETURN_IF_ERROR(rank::prepare_singular_values());
    auto matrix = drawn_patches(images, shape, static_cast<std::size_t>(patch), seed);
    centre(matrix);
    rank::DenseMatrix<double> gram(matrix.cols(), matrix.cols());
    rank::add_gram(matrix.view(), gram.view());
    const rank::Spectrum spectrum = resolved(rank::spectrum_from_gram(gram.view(), largest_row_norm(matrix)));
    return InputRank{static_cast<double>(spectrum.numerical_rank),
                     spectrum.values.empty() ? 0 : spectrum.effective_rank,
                     fmt::format("measured: singular values of {} centred patches of {} numbers",
                                 matrix.rows(), matrix.cols())};
}

}  // namespace plimsoll::fit
