// Entries of the score matrix at L = 3, d = 4, N = 8: what one costs, and how much more the literal network.
#include <algorithm>

#include <benchmark/benchmark.h>
#include <time.h>

#include "plimsoll/nets/matrix.h"
#include "plimsoll/rank/constructions/constructions.h"

namespace {

using namespace plimsoll;
using namespace plimsoll::rank;

std::shared_ptr<const RandomNetwork> attention(std::int64_t heads) {
    const arch::AttentionSpec spec{
        .depth = 3, .width = 4, .heads = heads, .head_dim = 4 / heads, .embedding_rank = 4};
    return network_for(spec, {.positions = 8}).value();
}

PieceList pieces(const std::shared_ptr<const RandomNetwork>& network, Construction construction,
                 Simd simd = best_simd()) {
    return pieces_for({.network = network,
                       .partition = parse_partitions("half", network->facts().split, 1).value().front(),
                       .output = {},
                       .construction = construction,
                       .simd = simd})
        .value();
}

// Processor seconds of this thread: a machine that does other work does not disturb the ratios.
double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Seconds per entry of one fill.
double seconds_per_entry(const ScoreSource& source, nets::Matrix<double>& block) {
    const double start = thread_seconds();
    source.fill(0, 0, block.view());
    return (thread_seconds() - start) / static_cast<double>(block.data().size());
}

// Both in every round, the best of each kept; the literal block is the corner of the fast one.
void gram_against_literal(benchmark::State& state) {
    const auto network = attention(state.range(0));
    const auto simd = static_cast<Simd>(state.range(1));
    if (!simd_runs(simd)) return state.SkipWithError("this machine has no such instructions");
    const auto fast = pieces(network, Construction::gram, simd),
               literal = pieces(network, Construction::literal);
    nets::Matrix<double> block(1024, 1024), corner(16, 64);
    double best_fast = 1e9, best_literal = 1e9;
    for (auto _ : state) {
        const double round = seconds_per_entry(*fast.pieces[0].source, block);
        best_fast = std::min(best_fast, round);
        best_literal = std::min(best_literal, seconds_per_entry(*literal.pieces[0].source, corner));
        state.SetIterationTime(round);
        for (std::size_t i = 0; i < corner.rows(); ++i) {
            for (std::size_t j = 0; j < corner.cols(); ++j) {
                if (block(i, j) != corner(i, j)) return state.SkipWithError("the entries differ");
            }
        }
    }
    state.SetLabel(kernels_for(simd).name);
    state.counters["fast_ns"] = 1e9 * best_fast;
    state.counters["literal_ns"] = 1e9 * best_literal;
    state.counters["literal_over_fast"] = best_literal / best_fast;
}
BENCHMARK(gram_against_literal)
    ->ArgNames({"heads", "simd"})
    ->ArgsProduct({{1, 2}, {0, 1, 2}})
    ->Unit(benchmark::kNanosecond)
    ->UseManualTime()
    ->Iterations(5);

// One piece of the graded split by samples, and by the coefficients of the polynomial.
void graded_piece(benchmark::State& state) {
    const auto construction = static_cast<Construction>(state.range(0));
    const auto list = pieces(attention(1), construction);
    nets::Matrix<double> block(512, 1024);
    double best = 1e9;
    for (auto _ : state) {
        const double round = seconds_per_entry(*list.pieces[7].source, block);
        best = std::min(best, round);
        state.SetIterationTime(round);
    }
    state.SetLabel(to_text(construction));
    state.counters["entry_ns"] = 1e9 * best;
}
BENCHMARK(graded_piece)
    ->Arg(static_cast<int>(Construction::graded))
    ->Arg(static_cast<int>(Construction::catalecticant))
    ->Unit(benchmark::kNanosecond)
    ->UseManualTime()
    ->Iterations(5);

// The coefficients themselves: 4 x 497,420 of them.
void catalecticant_tables(benchmark::State& state) {
    const auto network = attention(state.range(0));
    for (auto _ : state) benchmark::DoNotOptimize(pieces(network, Construction::catalecticant));
}
BENCHMARK(catalecticant_tables)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
