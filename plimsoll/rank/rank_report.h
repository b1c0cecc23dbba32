#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/rank/constructions/constructions.h"
#include "plimsoll/rank/rank_bounds.h"

namespace plimsoll::rank {

// The rank of one matrix of a run: the whole, or what has one degree in the columns' side.
struct PieceReport {
    std::string name;
    std::size_t rank = 0;
    std::size_t rows = 0, cols = 0;  // of the matrix; of an implied piece, the functions on either side
    std::size_t slack = 0;           // the smaller of the two, less the rank
    bool implied = false;            // not eliminated: full rank follows from another piece
    bool certain = false;    // the whole matrix was seen, or the rank meets a bound: no chance involved
    bool saturated = false;  // a limit stopped it: the rank may be larger
    double error_log10 = 0;  // chance that a larger rank goes unseen, at most; 0 when nothing is known
    std::uint64_t bytes = 0;
    double seconds = 0;
    std::string backend;
};

// One prime and one draw of weights and samples. The pieces are the blocks of a block-diagonal matrix: rank,
// size and slack are sums over them, the size of a block being the smaller of its rows and columns.
struct RunReport {
    std::uint64_t prime = 0, seed = 0;
    std::size_t rank = 0, size = 0, slack = 0;
    bool exact = false, saturated = false;
    std::optional<double> error_log10;  // nothing: no chance involved
    std::optional<std::size_t> bound;   // no weights have a larger rank
    Construction construction = Construction::gram;
    std::string backend;
    std::vector<PieceReport> pieces;
    std::uint64_t bytes = 0;
    double seconds = 0;

    [[nodiscard]] bool meets_bound() const { return bound && rank == *bound; }
};

// One partition with all its runs.
struct PartitionReport {
    std::string name;
    std::vector<std::size_t> left;
    std::vector<RunReport> runs;

    // The run of the largest rank, the first of them.
    [[nodiscard]] const RunReport& best() const;
    // All runs are exact, or the best has the largest rank there can be.
    [[nodiscard]] bool exact() const;
};

// What was measured, how sure it is and what it certifies.
struct RankReport {
    std::string spec;
    NetworkFacts facts;
    std::optional<std::int64_t> positions;
    OutputIndex output;
    std::size_t rank = 0;
    bool exact = false, saturated = false;
    std::vector<PartitionReport> partitions;
    bool lists_partitions = false;  // the question was about several
    std::size_t best = 0;           // the partition of the largest rank
    std::vector<RankBound> bounds;  // of that partition
    std::string attained;           // the sound upper bound that the rank equals; may be empty
    double seconds = 0;

    [[nodiscard]] const PartitionReport& best_partition() const { return partitions[best]; }
    [[nodiscard]] const RunReport& best_run() const { return best_partition().best(); }
};

// What the measurement proves, and what it only makes likely, in sentences.
std::string certifies(const RankReport& report);

// A sentence against relying on the rank, where every prime is so small that it was forced and no bound is
// attained; empty otherwise.
std::string warning(const RankReport& report);

// "10^-47.3", or "0" when no chance is involved.
std::string error_text(std::optional<double> error_log10);

// The report with at least rank, exact, prime, size, slack and seconds; `partitions` when the question was
// about several.
Json to_json(const RankReport& report);

// One run with its pieces.
Json to_json(const RunReport& run);

}  // namespace plimsoll::rank
