#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "plimsoll/base/random.h"
#include "tests/theory/widest.h"

// The promise about N < 2d at any size: 3 % everywhere, 0.2 % from two layers past the knee. Prints what it
// measures; docs/measurements/enclosure.md has a larger sample. Label slow.
namespace plimsoll::theory {
namespace {

void expect_narrow(std::int64_t d, std::int64_t N) {
    const Widest width = widest(d, N);
    std::printf("d=%lld N=%lld widest %.4f%% past the knee %.4f%%\n", static_cast<long long>(d),
                static_cast<long long>(N), 100 * width.everywhere, 100 * width.past_knee);
    EXPECT_LE(width.everywhere, 0.03) << d << " " << N;
    EXPECT_LE(width.past_knee, 0.002) << d << " " << N;
}

// Shapes that were too wide once, and the corners.
TEST(EnclosureGrid, HardShapesAreNarrow) {
    for (const auto& [d, N] : {std::pair{192, 192},
                               {256, 332},
                               {512, 30},
                               {768, 22},
                               {256, 50},
                               {14'909, 3},
                               {124, 37},
                               {775, 11},
                               {17'733, 21},
                               {254, 241},
                               {528, 733},
                               {29, 29},
                               {18'268, 33},
                               {20'000, 39'999},
                               {20'000, 4},
                               {20'000, 20'000},
                               {512, 1022},
                               {512, 1023}}) {
        expect_narrow(d, N);
    }
}

// Drawn evenly in ln d from 8 to 20,000 and in ln N up to 2d, odd and even N alike.
TEST(EnclosureGrid, DrawnShapesAreNarrow) {
    RandomStream random(20'261'115, "enclosure-shapes");
    for (int drawn = 0; drawn < 30; ++drawn) {
        const double width = 8 * std::exp(random.uniform() * std::log(2500.0));
        const double context = 2 + std::exp(random.uniform() * std::log(2 * width - 3));
        expect_narrow(static_cast<std::int64_t>(width), static_cast<std::int64_t>(context));
    }
}

}  // namespace
}  // namespace plimsoll::theory
