#include <algorithm>
#include <limits>
#include <new>

#include "plimsoll/rank/elimination/bordered_lu.h"
#include "plimsoll/rank/elimination/elimination.h"
#include "plimsoll/rank/elimination/elimination_steps.h"
#include "plimsoll/rank/parallel_tasks.h"

namespace plimsoll::rank {
namespace {

// Beyond this many rows the factors would take a petabyte.
constexpr std::size_t largest_size = std::size_t{1} << 24;

// Borders are an eighth of the rank: smaller ones make products inefficient, larger ones spend more on the
// diagonal blocks and on what is seen beyond the rank.
std::size_t border_for(std::size_t rank) { return std::clamp<std::size_t>(rank / 8 / 64 * 64, 64, 512); }

// Multiplications that `size` pivots take, in millions.
std::uint64_t work(std::size_t size) {
    const double n = static_cast<double>(size);
    return static_cast<std::uint64_t>(n * n * n / 3e6) + 1;
}

// The memory of one step after another when nothing waits.
struct MemoryPlan {
    int threads;
    std::uint64_t stored = 0;
    std::size_t rank = 0, largest_block = 0;

    [[nodiscard]] std::size_t next_rank() const { return rank + border_for(rank); }
    [[nodiscard]] std::uint64_t bytes() const {
        return stored + border_bytes(rank, border_for(rank), border_for(rank), largest_block, threads);
    }
    void advance() {
        stored += block_bytes(rank, border_for(rank));
        largest_block = border_for(rank);
        rank += largest_block;
    }
};

// The rows and columns still to be had.
struct Room {
    std::size_t rows, cols;
};

class Growth {
  public:
    Growth(const ScoreSource& source, const EliminationLimits& limits)
        : source_(source),
          limits_(limits),
          lu_(source, limits.threads),
          total_(work(std::min({source.max_rows(), source.max_cols(), limits.max_size,
                                size_that_fits(limits.max_bytes, limits.threads)}))) {}

    EliminationResult run(const ProgressCallback& progress) {
        while (so_far().saturated && step()) {
            if (progress) progress(std::min(work(lu_.rank()), total_), total_);
        }
        EliminationResult result = so_far();
        result.bytes = most_bytes_;
        result.backend = "bordered LU";
        return result;
    }

  private:
    [[nodiscard]] EliminationResult so_far() const {
        return verdict(source_, lu_.rows_seen(), lu_.cols_seen(), lu_.rank(), limits_);
    }
    [[nodiscard]] Room room() const {
        return {std::min(source_.max_rows(), limits_.max_size) - lu_.rows_seen(),
                std::min(source_.max_cols(), limits_.max_size) - lu_.cols_seen()};
    }

    // Adds the largest border up to the usual one that fits; false when none does.
    bool step() {
        const Room left = room();
        for (std::size_t border = border_for(lu_.rank()); border > 0; border /= 2) {
            const std::size_t rows = std::min(border, left.rows), cols = std::min(border, left.cols);
            if (rows == 0 && cols == 0) return false;
            const std::uint64_t bytes = lu_.bytes_to_add(rows, cols);
            if (bytes > limits_.max_bytes) continue;
            most_bytes_ = std::max(most_bytes_, bytes);
            return try_to_add(rows, cols);
        }
        return false;
    }
    // Memory within the limits may still not be there.
    bool try_to_add(std::size_t rows, std::size_t cols) {
        try {
            lu_.add(rows, cols);
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }

    const ScoreSource& source_;
    const EliminationLimits& limits_;
    BorderedLu lu_;
    std::uint64_t total_;
    std::uint64_t most_bytes_ = 0;
};

}  // namespace

std::uint64_t growth_bytes(std::size_t size, int threads) {
    if (size > largest_size) return std::numeric_limits<std::uint64_t>::max();
    MemoryPlan plan{threads_of(threads)};
    while (plan.next_rank() < size) plan.advance();
    return plan.bytes();
}

std::size_t size_that_fits(std::uint64_t max_bytes, int threads) {
    MemoryPlan plan{threads_of(threads)};
    while (plan.rank < largest_size && plan.bytes() <= max_bytes) plan.advance();
    return plan.rank;
}

EliminationResult rank_by_growth(const ScoreSource& source, const EliminationLimits& limits,
                                 const ProgressCallback& progress) {
    PLIMSOLL_CHECK(prepare_elimination().ok(), "prepare_elimination() has not succeeded");
    const Stopwatch watch;
    EliminationResult result = Growth(source, limits).run(progress);
    result.seconds = watch.seconds();
    return result;
}

}  // namespace plimsoll::rank
