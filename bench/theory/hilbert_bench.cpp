#include <benchmark/benchmark.h>

#include "plimsoll/theory/capacity/hilbert.h"

// h(d, q, k): the average over the orthogonal group against the sum over partitions it replaces.
namespace {

using plimsoll::theory::RankVariety;

constexpr std::int64_t degree = 24;

bool agree(const RankVariety& v) {
    return invariant_forms(v).at(degree) == invariant_forms_by_partitions(v, degree);
}

void orthogonal_average(benchmark::State& state) {
    const RankVariety v{state.range(0), state.range(1)};
    if (!agree(v)) state.SkipWithError("the two disagree");
    for (auto _ : state) benchmark::DoNotOptimize(invariant_forms(v).at(degree).bits());
}
BENCHMARK(orthogonal_average)->Args({6, 3})->Args({12, 6})->Args({24, 8})->Unit(benchmark::kMillisecond);

void partitions(benchmark::State& state) {
    const RankVariety v{state.range(0), state.range(1)};
    if (!agree(v)) state.SkipWithError("the two disagree");
    for (auto _ : state) benchmark::DoNotOptimize(invariant_forms_by_partitions(v, degree).bits());
}
BENCHMARK(partitions)->Args({6, 3})->Args({12, 6})->Args({24, 8})->Unit(benchmark::kMillisecond);

}  // namespace
