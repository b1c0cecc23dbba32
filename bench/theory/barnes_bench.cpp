#include <benchmark/benchmark.h>

#include "plimsoll/theory/numbers/barnes_integer.h"
#include "plimsoll/theory/numbers/multiset_log.h"

// ln G(n + 1) at 128 bits: our series for integers against Arb's acb_log_barnes_g, the peer.
namespace {

using plimsoll::theory::Rational;

constexpr int bits = 128;

bool agree(std::int64_t n) {
    return plimsoll::theory::log_barnes_g1(n, bits).overlaps(
        plimsoll::theory::log_barnes_g(Rational(n + 1), bits));
}

void own_series(benchmark::State& state) {
    const std::int64_t n = state.range(0);
    if (!agree(n)) state.SkipWithError("the two disagree");
    for (auto _ : state) benchmark::DoNotOptimize(plimsoll::theory::log_barnes_g1(n, bits).middle());
}
BENCHMARK(own_series)->Arg(30)->Arg(1000)->Arg(20'000)->Arg(1'000'000);

void arb(benchmark::State& state) {
    const std::int64_t n = state.range(0);
    if (!agree(n)) state.SkipWithError("the two disagree");
    for (auto _ : state)
        benchmark::DoNotOptimize(plimsoll::theory::log_barnes_g(Rational(n + 1), bits).middle());
}
BENCHMARK(arb)->Arg(30)->Arg(1000)->Arg(20'000)->Arg(1'000'000);

}  // namespace
