#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/rank/elimination/elimination.h"
#include "plimsoll/rank/rank_report.h"

namespace plimsoll::rank {

// More draws than this are refused.
inline constexpr std::uint64_t max_seeds = 1000;

// What is to be measured, and within which limits.
struct RankQuestion {
    arch::ArchSpec spec;
    std::optional<std::int64_t> positions;  // attention needs it, the others refuse it
    Inputs inputs = Inputs::numbers;
    std::string partition;              // a word of parse_partitions; empty: half
    std::string left;                   // side A as a list; excludes `partition`
    std::string output;                 // "0,0" when empty
    std::vector<std::uint64_t> primes;  // each with every seed; empty: the default prime
    bool force_prime = false;           // small primes too
    std::uint64_t seeds = 1;            // draws 1 .. seeds of weights and samples
    Construction construction = Construction::automatic;
    std::optional<std::size_t> max_size;               // rows and columns; an error when they cannot fit
    std::uint64_t max_bytes = std::uint64_t{8} << 30;  // all memory of a run, about
    int threads = 0;                                   // 0: all the machine has
};

// The same with every text understood and every number checked; made once, measured for many partitions.
struct RankPlan {
    RankQuestion question;
    NetworkFacts facts;
    std::vector<BalancedField> fields;
    std::vector<Partition> partitions;
    OutputIndex output;
    EliminationLimits limits;
};
Result<RankPlan> plan_rank(const RankQuestion& question);

// All runs of one partition and output.
Result<PartitionReport> measure_partition(const RankPlan& plan, const Partition& partition,
                                          OutputIndex output, const ProgressCallback& progress = {});

// One piece of the plan's construction alone ("j=7"), at its output, first prime and seed.
Result<PieceReport> measure_piece(const RankPlan& plan, const Partition& partition, std::string_view name);

// Measures the separation rank: every partition with every prime and seed; the rank is the largest.
Result<RankReport> measure_rank(const RankQuestion& question, const ProgressCallback& progress = {});

// How much memory this process may still take: that of the machine or of its control group, whichever is
// less.
std::uint64_t available_memory();

}  // namespace plimsoll::rank
