#pragma once

#include "plimsoll/rank/exact_rank.h"

namespace plimsoll::rank {

// A partition and an output, and the rank there.
struct OutputRank {
    std::string partition;
    std::vector<std::size_t> left;
    OutputIndex output;
    std::size_t rank = 0;
    bool exact = false;
};

// The largest and the smallest separation rank over balanced partitions and outputs (NAVON-SUPINF).
struct SupInfReport {
    std::string spec;
    std::optional<std::int64_t> positions;
    OutputRank sup, inf;
    bool enumerated = false;       // false: a sample, so that sup may be larger and inf smaller
    bool exact = false;            // every rank was
    std::uint64_t partitions = 0;  // balanced ones there are, up to exchanging the sides; saturates at 2^63
    std::uint64_t outputs = 0;
    std::vector<OutputRank> cases;  // all that were measured
    double seconds = 0;
};

// Measures every balanced partition with every output, or `most_cases` of them. The question must not choose
// a partition or an output itself.
Result<SupInfReport> measure_sup_inf(const RankQuestion& question, std::uint64_t most_cases,
                                     const ProgressCallback& progress = {});

Json to_json(const SupInfReport& report);

}  // namespace plimsoll::rank
