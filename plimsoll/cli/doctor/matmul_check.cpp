#include "plimsoll/cli/doctor/matmul_check.h"

#include <cmath>

#include "plimsoll/base/random.h"

namespace plimsoll::cli {
namespace {

using Vector = std::vector<std::int64_t>;

Vector times(MatrixView<const float> matrix, const Vector& vector) {
    Vector out(matrix.rows(), 0);
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        for (std::size_t j = 0; j < matrix.cols(); ++j) {
            out[i] += static_cast<std::int64_t>(matrix(i, j)) * vector[j];
        }
    }
    return out;
}

bool holds_whole_numbers(MatrixView<const float> matrix) {
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        for (const float x : matrix.row(i)) {
            if (!(std::abs(x) < 0x1p24F) || x != std::trunc(x)) return false;
        }
    }
    return true;
}

}  // namespace

std::vector<float> small_whole_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed,
                                      std::string_view name) {
    RandomStream stream(seed, name);
    std::vector<float> out(rows * cols);
    for (auto& x : out) x = static_cast<float>(static_cast<int>(stream.below(17)) - 8);
    return out;
}

bool product_is_right(MatrixView<const float> a, MatrixView<const float> b, MatrixView<const float> c,
                      std::uint64_t seed) {
    PLIMSOLL_CHECK(a.cols() == b.rows() && c.rows() == a.rows() && c.cols() == b.cols(), "shapes differ");
    if (!holds_whole_numbers(c)) return false;
    RandomStream stream(seed, "freivalds");
    Vector r(b.cols());
    for (auto& x : r) x = static_cast<std::int64_t>(stream.below(1U << 20));
    return times(c, r) == times(a, times(b, r));
}

}  // namespace plimsoll::cli
