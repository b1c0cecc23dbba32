#include <benchmark/benchmark.h>

#include "plimsoll/base/random.h"

namespace {

void draw_64_bits(benchmark::State& state) {
    plimsoll::RandomStream stream(1, "bench"), again(1, "bench");
    if (stream.next() != again.next()) state.SkipWithError("a stream does not repeat itself");
    for (auto _ : state) benchmark::DoNotOptimize(stream.next());
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(draw_64_bits);

}  // namespace
