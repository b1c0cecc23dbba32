#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include <benchmark/benchmark.h>
#include <flint/nmod_mat.h>

#include "plimsoll/base/format.h"
#include "plimsoll/rank/elimination/elimination.h"
#include "tests/rank/made_sources.h"

// The ratios of issue 4, from runs that alternate in one process and whose ranks are checked: elimination
// against FLINT at R = 4,000, one thread (at least 5), and two threads against one at R = 8,000 (at least
// 1.7). Processor time stands beside wall time because other work on the machine disturbs it less.
namespace {

using plimsoll::rank::BalancedField;
using plimsoll::rank::EliminationLimits;
using plimsoll::rank::made::matrix_of_rank;
using plimsoll::rank::made::MatrixSource;
using Clock = std::chrono::steady_clock;

constexpr BalancedField field{4'194'301};  // the largest prime of 22 bits
constexpr std::size_t spare = 64;          // rows and columns beyond the rank

// The best of several rounds.
struct Times {
    double wall = 1e9, cpu = 1e9;
};

template <class Work>
void time_round(Times& best, Work work) {
    const auto start = Clock::now();
    const std::clock_t cpu = std::clock();
    work();
    best.wall = std::min(best.wall, std::chrono::duration<double>(Clock::now() - start).count());
    best.cpu = std::min(best.cpu, static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
}

MatrixSource samples(std::size_t size) {
    return {field, matrix_of_rank(field, size, size, size - spare, size),
            plimsoll::rank::made::Profile::generic, plimsoll::rank::made::Extent::finite};
}

EliminationLimits with_threads(int threads) {
    EliminationLimits limits;
    limits.threads = threads;
    return limits;
}

// The peer, its matrix ready before the clock starts.
class FlintMatrix {
  public:
    FlintMatrix(const MatrixSource& source, std::size_t size) {
        nmod_mat_init(matrix_, static_cast<slong>(size), static_cast<slong>(size), field.p);
        plimsoll::rank::made::Matrix entries(size, size);
        source.fill(0, 0, entries.view());
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) matrix_->rows[i][j] = field.to_integer(entries(i, j));
        }
    }
    ~FlintMatrix() { nmod_mat_clear(matrix_); }
    FlintMatrix(const FlintMatrix&) = delete;
    FlintMatrix& operator=(const FlintMatrix&) = delete;
    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(nmod_mat_rank(matrix_)); }

  private:
    nmod_mat_t matrix_;
};

bool all_are(std::initializer_list<std::size_t> ranks, std::size_t right) {
    return std::ranges::all_of(ranks, [&](std::size_t rank) { return rank == right; });
}

void elimination_against_flint(benchmark::State& state) {
    const auto size = static_cast<std::size_t>(state.range(0));
    const MatrixSource source = samples(size);
    const FlintMatrix peer(source, size);
    Times growth, fflas, flint;
    std::size_t by_growth = 0, by_fflas = 0, by_flint = 0;
    for (auto _ : state) {
        time_round(growth, [&] { by_growth = rank_by_growth(source, with_threads(1)).rank; });
        time_round(fflas, [&] { by_fflas = rank_by_fflas(source, size, size, with_threads(1)).rank; });
        time_round(flint, [&] { by_flint = peer.rank(); });
        state.SetIterationTime(growth.wall);
    }
    if (!all_are({by_growth, by_fflas, by_flint}, size - spare))
        return state.SkipWithError("a rank is wrong");
    state.SetLabel(
        fmt::format("R = {}, rank {}: FLINT {:.2f} s = {:.2f} x bordered LU ({:.2f} s) = {:.2f} x "
                    "FFLAS-FFPACK ({:.2f} s), "
                    "processor time; wall {:.2f} x and {:.2f} x; at least 5 x asked",
                    size, by_growth, flint.cpu, flint.cpu / growth.cpu, growth.cpu, flint.cpu / fflas.cpu,
                    fflas.cpu, flint.wall / growth.wall, flint.wall / fflas.wall));
}
BENCHMARK(elimination_against_flint)
    ->Arg(4000)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(3);

void two_threads_against_one(benchmark::State& state) {
    const auto size = static_cast<std::size_t>(state.range(0));
    const MatrixSource source = samples(size);
    Times one, two;
    std::size_t by_one = 0, by_two = 0;
    for (auto _ : state) {
        time_round(one, [&] { by_one = rank_by_growth(source, with_threads(1)).rank; });
        time_round(two, [&] { by_two = rank_by_growth(source, with_threads(2)).rank; });
        state.SetIterationTime(two.wall);
    }
    if (!all_are({by_one, by_two}, size - spare)) return state.SkipWithError("a rank is wrong");
    state.SetLabel(
        fmt::format("R = {}, rank {}: one thread {:.2f} s = {:.2f} x two threads ({:.2f} s), wall; "
                    "processor time {:.2f} s and {:.2f} s; at least 1.7 x asked",
                    size, by_one, one.wall, one.wall / two.wall, two.wall, one.cpu, two.cpu));
}
BENCHMARK(two_threads_against_one)->Arg(8000)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(3);

}  // namespace
