#include "plimsoll/cli/doctor/matmul_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

// a (5, 7) times b (7, 3) by the definition.
std::vector<float> multiplied(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> c(5 * 3, 0);
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t k = 0; k < 7; ++k) {
            for (std::size_t j = 0; j < 3; ++j) c[i * 3 + j] += a[i * 7 + k] * b[k * 3 + j];
        }
    }
    return c;
}

TEST(MatmulCheck, AcceptsTheProductAndRefusesOneWrongEntry) {
    const auto a = small_whole_matrix(5, 7, 1, "a"), b = small_whole_matrix(7, 3, 1, "b");
    auto c = multiplied(a, b);
    const auto right = [&] {
        return product_is_right({a.data(), 5, 7}, {b.data(), 7, 3}, {c.data(), 5, 3}, 1);
    };
    EXPECT_TRUE(right());
    for (auto& entry : c) {
        for (const float wrong : {entry + 1, entry + 0.5F, 1e30F, std::numeric_limits<float>::quiet_NaN()}) {
            const float kept = std::exchange(entry, wrong);
            EXPECT_FALSE(right()) << kept << " as " << wrong;
            entry = kept;
        }
    }
}

TEST(MatmulCheck, EntriesAreSmallWholeNumbersOfBothSigns) {
    float least = 0, most = 0;
    for (const float x : small_whole_matrix(40, 40, 3, "a")) {
        EXPECT_EQ(x, std::trunc(x));
        least = std::min(least, x);
        most = std::max(most, x);
    }
    EXPECT_EQ(least, -8);
    EXPECT_EQ(most, 8);
}

}  // namespace
}  // namespace plimsoll::cli
