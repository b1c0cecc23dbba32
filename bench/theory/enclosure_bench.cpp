#include <benchmark/benchmark.h>

#include "plimsoll/theory/capacity/capacity_enclosure.h"

// Certified capacity: under 5 ms for N >= 2d, under 500 ms for N < 2d.
namespace {

using plimsoll::theory::enclose_capacity;

void closed_form(benchmark::State& state) {
    const auto kappa = enclose_capacity(state.range(0), state.range(1), 1'000'000);
    if (kappa.relative_width() > 1e-12) state.SkipWithError("wider than 1e-12");
    for (auto _ : state) {
        benchmark::DoNotOptimize(enclose_capacity(state.range(0), state.range(1), 1'000'000).middle());
    }
}
BENCHMARK(closed_form)
    ->Args({200, 20'000})
    ->Args({17, 20'000})
    ->Args({24, 1024})
    ->Unit(benchmark::kMillisecond);

void near_the_knee(benchmark::State& state) {
    const auto kappa = enclose_capacity(state.range(0), state.range(1), state.range(2));
    if (kappa.relative_width() > 0.03) state.SkipWithError("wider than 3 %");
    for (auto _ : state) {
        benchmark::DoNotOptimize(enclose_capacity(state.range(0), state.range(1), state.range(2)).middle());
    }
}
BENCHMARK(near_the_knee)
    ->Args({12, 768, 1024})
    ->Args({12, 1024, 1024})
    ->Args({14, 12'288, 2048})
    ->Args({16, 12'288, 8192})
    ->Args({16, 20'000, 8192})
    ->Args({16, 20'000, 39'998})
    ->Args({30, 20'000, 8192})
    ->Unit(benchmark::kMillisecond);

// Through exact Hilbert functions, which are kept between calls.
void exact_functions(benchmark::State& state) {
    const auto kappa = enclose_capacity(state.range(0), state.range(1), state.range(2));
    if (kappa.method != "h-vector" || kappa.relative_width() > 1e-9)
        state.SkipWithError("not the exact method");
    for (auto _ : state) {
        benchmark::DoNotOptimize(enclose_capacity(state.range(0), state.range(1), state.range(2)).middle());
    }
}
BENCHMARK(exact_functions)
    ->Args({12, 24, 24})
    ->Args({200, 24, 24})
    ->Args({12, 400, 4})
    ->Args({12, 900, 4})
    ->Unit(benchmark::kMillisecond);

}  // namespace
