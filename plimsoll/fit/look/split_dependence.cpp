#include <algorithm>
#include <cmath>
#include <numeric>

#include "plimsoll/base/check.h"
#include "plimsoll/fit/look/dependence.h"
#include "plimsoll/fit/look/shuffles.h"
#include "plimsoll/rank/dense_matrix.h"

namespace plimsoll::fit {
namespace {

using Matrix = rank::DenseMatrix<double>;
using FitFolders = std::vector<std::size_t>;
using Order = std::vector<std::uint32_t>;

constexpr std::size_t most_windows = std::size_t{1} << 16U;

// A function of a window is whether a place shows a class; the last class follows from the others.
struct Functions {
    const SymbolRows& rows;
    const FitFolders& places;
    [[nodiscard]] std::size_t per_place() const { return rows.classes - 1; }
    [[nodiscard]] std::size_t count() const { return places.size() * per_place(); }
};

std::vector<double> means_of(const Functions& of) {
    std::vector<double> means(of.count() + 1);
    const std::size_t per_place = of.per_place();
    for (std::size_t i = 0; i < of.rows.count(); ++i) {
        for (std::size_t p = 0; p < of.places.size(); ++p) {
            const std::size_t symbol = of.rows.at(i, of.places[p]);
            if (symbol < per_place) ++means[p * per_place + symbol];
        }
    }
    for (double& mean : means) mean /= static_cast<double>(of.rows.count());
    return means;
}

// The covariances of the functions of window i and those of window partner[i]: counted, not multiplied.
Matrix covariance(const Functions& left, const Functions& right, const Order& partner) {
    const SymbolRows& rows = left.rows;
    const std::size_t per_place = left.per_place(), classes = rows.classes;
    std::vector<std::uint32_t> counts(left.places.size() * right.places.size() * classes * classes);
    for (std::size_t i = 0; i < rows.count(); ++i) {
        std::uint32_t* table = counts.data();
        for (const std::size_t a : left.places) {
            const std::size_t row = rows.at(i, a) * classes;
            for (const std::size_t b : right.places) {
                ++table[row + rows.at(partner[i], b)];
                table += classes * classes;
            }
        }
    }
    const auto left_means = means_of(left), right_means = means_of(right);
    Matrix result(left.count(), right.count());
    for (std::size_t a = 0; a < left.count(); ++a) {
        for (std::size_t b = 0; b < right.count(); ++b) {
            const std::size_t pair = a / per_place * right.places.size() + b / per_place;
            const std::size_t cell = (pair * classes + a % per_place) * classes + b % per_place;
            result(a, b) = counts[cell] / static_cast<double>(rows.count()) - left_means[a] * right_means[b];
        }
    }
    return result;
}

// Cholesky's triangle of the part of a covariance that is not a combination of what comes before.
struct Triangle {
    FitFolders kept;
    Matrix lower;  // kept x kept
};

Triangle triangle_of(const Matrix& covariance) {
    constexpr double dependent = 1e-9;  // of a function's own variance
    const std::size_t size = covariance.rows();
    Triangle result{{}, Matrix(size, size)};
    for (std::size_t f = 0; f < size; ++f) {
        const std::size_t k = result.kept.size();
        double rest = covariance(f, f);
        for (std::size_t j = 0; j < k; ++j) {
            double entry = covariance(f, result.kept[j]);
            for (std::size_t m = 0; m < j; ++m) entry -= result.lower(k, m) * result.lower(j, m);
            entry /= result.lower(j, j);
            result.lower(k, j) = entry;
            rest -= entry * entry;
        }
        if (rest <= dependent * covariance(f, f) || rest <= 0) continue;
        result.lower(k, k) = std::sqrt(rest);
        result.kept.push_back(f);
    }
    return result;
}

// vector <- lower^-1 vector.
void solve(const Triangle& triangle, std::vector<double>& vector) {
    for (std::size_t i = 0; i < vector.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) vector[i] -= triangle.lower(i, j) * vector[j];
        vector[i] /= triangle.lower(i, i);
    }
}

// The sum of the squared canonical correlations.
double squared_correlations(const Triangle& left, const Triangle& right, const Matrix& across) {
    Matrix half(left.kept.size(), right.kept.size());
    std::vector<double> column(left.kept.size());
    for (std::size_t b = 0; b < right.kept.size(); ++b) {
        for (std::size_t a = 0; a < column.size(); ++a) column[a] = across(left.kept[a], right.kept[b]);
        solve(left, column);
        for (std::size_t a = 0; a < column.size(); ++a) half(a, b) = column[a];
    }
    double sum = 0;
    for (std::size_t a = 0; a < half.rows(); ++a) {
        std::vector<double> row(half.view().row(a).begin(), half.view().row(a).end());
        solve(right, row);
        sum += std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
    }
    return sum;
}

// As R^2 is adjusted for the number of its variables: 0 on average for independent halves, and a sum that
// nothing can exceed stays what it is.
double adjusted(double sum, std::size_t left, std::size_t right, std::size_t count) {
    const auto fewer = static_cast<double>(std::min(left, right)),
               more = static_cast<double>(std::max(left, right));
    const double free = static_cast<double>(count) - more - 1;
    if (fewer == 0 || free <= 0) return 0;
    return fewer * (1 - (1 - sum / fewer) * (static_cast<double>(count) - 1) / free);
}

double bits_of(double sum) { return std::log2(1 + std::max(0.0, sum)); }

}  // namespace

std::vector<Split> row_splits(std::size_t length) {
    Split halves{"left/right", {}, {}}, turns{"interleaved", {}, {}};
    for (std::size_t i = 0; i < length; ++i) {
        (i < length / 2 ? halves.first : halves.second).push_back(i);
        (i % 2 == 0 ? turns.first : turns.second).push_back(i);
    }
    return {std::move(halves), std::move(turns)};
}

std::size_t classes_for(std::size_t count, std::size_t places) {
    std::size_t classes = 8;
    const auto functions = [&] { return places / 2 * (classes - 1); };
    while (classes > 2 && 4 * functions() * functions() > count) --classes;
    return classes;
}

SymbolRows windows_of(std::span<const std::uint8_t> symbols, std::size_t length, std::uint64_t seed) {
    const std::size_t stretch = 2 * length, fits = symbols.size() / stretch;
    const std::size_t count = std::min(fits, most_windows);
    RandomStream stream(seed, "fit/dependence/windows");
    std::vector<std::uint32_t> taken;
    taken.reserve(count * length);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t start = i * fits / count * stretch + stream.below(length);
        for (std::size_t j = 0; j < length; ++j) taken.push_back(symbols[start + j]);
    }
    const std::size_t classes = classes_for(count, length);
    return {coarse_symbols(taken, classes), length, classes};
}

SplitDependence split_dependence(const SymbolRows& windows, const Split& split, std::uint64_t seed) {
    PLIMSOLL_CHECK(windows.classes >= 2, "one class tells nothing");
    const Functions left{windows, split.first}, right{windows, split.second};
    Order same(windows.count());
    std::iota(same.begin(), same.end(), 0U);
    const Triangle a = triangle_of(covariance(left, left, same)),
                   b = triangle_of(covariance(right, right, same));
    const auto statistic = [&](const Order& partner) {
        const double sum = squared_correlations(a, b, covariance(left, right, partner));
        return adjusted(sum, a.kept.size(), b.kept.size(), windows.count());
    };
    const ShuffleLevel level = shuffle_level(
        [&](RandomStream& shuffle) { return statistic(random_order(windows.count(), shuffle)); }, seed,
        "fit/dependence/halves");
    return {split.name, bits_of(statistic(same) - level.bias), bits_of(level.noise)};
}

}  // namespace plimsoll::fit
