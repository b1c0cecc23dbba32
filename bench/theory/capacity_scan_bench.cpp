#include <cmath>

#include <benchmark/benchmark.h>

#include "plimsoll/theory/capacity/capacity_enclosure.h"
#include "plimsoll/theory/capacity/fast_capacity.h"

// The issue asks for 100,000 shapes a second.
namespace {

using plimsoll::theory::fast::capacity_log3;

// 100,000 shapes: widths 16..20,000, depths 1..100; contexts long (0) or a quarter of the width (1).
double scan(bool short_context) {
    double total = 0;
    for (int i = 0; i < 1000; ++i) {
        const double width = 16 + 19.984 * i;
        const double context = short_context ? std::max(2.0, std::floor(width / 4)) : 2 * width;
        for (int depth = 1; depth <= 100; ++depth) total += capacity_log3(depth, std::floor(width), context);
    }
    return total;
}

void hundred_thousand_shapes(benchmark::State& state) {
    const auto certified = plimsoll::theory::enclose_capacity(24, 1024, 4096);
    const bool right = std::abs(capacity_log3(24, 1024, 4096) / certified.middle() - 1) < 1e-8;
    if (!right) state.SkipWithError("the fast value is not the certified one");
    for (auto _ : state) benchmark::DoNotOptimize(scan(state.range(0) == 1));
    state.SetItemsProcessed(state.iterations() * 100'000);
}
BENCHMARK(hundred_thousand_shapes)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
