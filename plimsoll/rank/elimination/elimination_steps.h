#pragma once

#include <chrono>
#include <new>

#include "plimsoll/rank/elimination/elimination.h"

// What the eliminations share.
namespace plimsoll::rank {

// The verdict on a rank found in the first rows x cols entries of a source.
EliminationResult verdict(const ScoreSource& source, std::size_t rows, std::size_t cols, std::size_t rank,
                          const EliminationLimits& limits);

// Seconds since it was made.
class Stopwatch {
  public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// An elimination by FFLAS-FFPACK with its time; where memory within the limits was not there, the growing LU,
// which takes what it gets.
template <class Eliminate>
EliminationResult fflas_or_growth(const ScoreSource& source, const EliminationLimits& limits,
                                  Eliminate eliminate) {
    const Stopwatch watch;
    try {
        EliminationResult result = eliminate();
        result.seconds = watch.seconds();
        result.backend = "FFLAS-FFPACK";
        return result;
    } catch (const std::bad_alloc&) {
        return rank_by_growth(source, limits);
    }
}

// Writes the first out.rows() x out.cols() entries, on up to `threads` threads.
void fill_all(const ScoreSource& source, MatrixView<double> out, int threads);

}  // namespace plimsoll::rank
