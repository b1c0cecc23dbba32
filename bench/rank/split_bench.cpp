#include <ctime>

#include <benchmark/benchmark.h>

#include "plimsoll/base/format.h"
#include "plimsoll/rank/exact_rank.h"

// What the split by degree saves: the rank of attention of depth 3, N = 2d by the catalecticant, and by one
// elimination of the whole score matrix (31,480 rows and columns at d = 4; minutes), in processor time.
namespace {

using plimsoll::rank::Construction;
using plimsoll::rank::RankReport;

struct Run {
    RankReport report;
    double cpu = 0;
};

Run measured(std::int64_t width, Construction construction) {
    const auto spec = plimsoll::arch::parse_spec(fmt::format("attention:depth=3,width={},heads=1", width));
    plimsoll::rank::RankQuestion question{.spec = spec.value()};
    question.positions = 2 * width;
    question.construction = construction;
    const std::clock_t start = std::clock();
    Run run{plimsoll::rank::measure_rank(question).value()};
    run.cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return run;
}

void split_against_whole(benchmark::State& state) {
    Run split, whole;
    for (auto _ : state) {
        split = measured(state.range(0), Construction::catalecticant);
        whole = measured(state.range(0), Construction::gram);
    }
    const bool right = split.report.rank == whole.report.rank && split.report.exact && whole.report.exact &&
                       split.report.rank == static_cast<std::size_t>(state.range(1));
    if (!right) return state.SkipWithError("a rank is wrong");
    state.SetLabel(
        fmt::format("rank {}: whole {:.1f} s = {:.1f} x split ({:.1f} s), processor time; at least 4 x asked "
                    "at d = 4",
                    split.report.rank, whole.cpu, whole.cpu / split.cpu, split.cpu));
}
BENCHMARK(split_against_whole)
    ->Args({3, 3102})
    ->Args({4, 31456})
    ->ArgNames({"d", "rank"})
    ->Unit(benchmark::kSecond)
    ->Iterations(1);

}  // namespace
