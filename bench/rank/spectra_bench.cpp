#include <algorithm>
#include <chrono>
#include <cmath>

#include <benchmark/benchmark.h>

#include "plimsoll/base/random.h"
#include "plimsoll/rank/lapack.h"
#include "plimsoll/rank/singular_values.h"

namespace {

using plimsoll::rank::DenseMatrix;
using plimsoll::rank::Spectrum;
using Matrix = DenseMatrix<double>;
using Clock = std::chrono::steady_clock;

Matrix random_matrix(std::size_t rows, std::size_t cols, const char* name) {
    plimsoll::RandomStream random(1, name);
    Matrix matrix(rows, cols);
    for (std::size_t i = 0; i < rows; ++i) {
        for (double& entry : matrix.view().row(i)) entry = random.uniform() - 0.5;
    }
    return matrix;
}

bool agree(const Spectrum& ours, const std::vector<double>& peer, double relative) {
    if (peer.empty() || ours.values.size() > peer.size()) return false;
    for (std::size_t i = 0; i < ours.values.size(); ++i) {
        if (std::abs(ours.values[i] - peer[i]) > relative * peer[0]) return false;
    }
    return true;
}

template <class Work>
double seconds(Work work) {
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Times `ours` against `peer` in every round and reports the ratio of the best times.
template <class Ours, class Peer>
void compare(benchmark::State& state, double relative, Ours ours, Peer peer) {
    double best_ours = 1e9, best_peer = 1e9;
    for (auto _ : state) {
        Spectrum spectrum;
        std::vector<double> values;
        const double round = seconds([&] { spectrum = ours(); });
        best_ours = std::min(best_ours, round);
        best_peer = std::min(best_peer, seconds([&] { values = peer(); }));
        if (!agree(spectrum, values, relative)) return state.SkipWithError("the spectra differ");
        state.SetIterationTime(round);
    }
    state.counters["peer_ms"] = 1e3 * best_peer;
    state.counters["peer_over_ours"] = best_peer / best_ours;
}

// A vocabulary's embedding: Gram matrix and its eigenvalues against LAPACK's dgesdd on the whole.
void tall_by_gram(benchmark::State& state) {
    if (!plimsoll::rank::prepare_singular_values().ok()) return state.SkipWithError("no LAPACK");
    const auto cols = static_cast<std::size_t>(state.range(1));
    const Matrix matrix = random_matrix(static_cast<std::size_t>(state.range(0)), cols, "bench/tall");
    const auto ours = [&] {
        Matrix gram(cols, cols);
        plimsoll::rank::add_gram(matrix.view(), gram.view());
        return plimsoll::rank::spectrum_from_gram(gram.view(), 1);
    };
    const auto peer = [&] {
        Matrix copy = matrix;
        return plimsoll::rank::lapack::singular_values(copy.view());
    };
    compare(state, 1e-7, ours, peer);
}
BENCHMARK(tall_by_gram)
    ->Args({8192, 512})
    ->Args({32768, 768})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(3);

// One head's product of width x dim and dim x width: triangles against dgesdd on the formed product.
void head_product(benchmark::State& state) {
    if (!plimsoll::rank::prepare_singular_values().ok()) return state.SkipWithError("no LAPACK");
    const auto width = static_cast<std::size_t>(state.range(0)),
               dim = static_cast<std::size_t>(state.range(1));
    const Matrix left = random_matrix(width, dim, "bench/left"),
                 right = random_matrix(dim, width, "bench/right");
    const auto ours = [&] { return plimsoll::rank::spectrum_of_product(left.view(), right.view()); };
    const auto peer = [&] {
        Matrix product(width, width);
        plimsoll::rank::add_product(left.view(), right.view(), product.view());
        return plimsoll::rank::lapack::singular_values(product.view());
    };
    compare(state, 1e-12, ours, peer);
}
BENCHMARK(head_product)
    ->Args({768, 64})
    ->Args({2048, 128})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(3);

}  // namespace
