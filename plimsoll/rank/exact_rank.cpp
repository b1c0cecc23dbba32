#include "plimsoll/rank/exact_rank.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/rank/constructions/catalecticant.h"
#include "plimsoll/rank/error_bound.h"
#include "plimsoll/rank/piece_ranks.h"

namespace plimsoll::rank {
namespace {

// Below this many rows a run is not worth its name.
constexpr std::size_t least_size = 64;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Result<std::vector<BalancedField>> prime_fields_of(const RankQuestion& question) {
    std::vector<BalancedField> fields;
    const std::vector<std::uint64_t> asked =
        question.primes.empty() ? std::vector<std::uint64_t>{default_prime} : question.primes;
    for (const std::uint64_t prime : asked) {
        PLIMSOLL_ASSIGN(field, choose_prime(prime, question.force_prime));
        fields.push_back(field);
    }
    return fields;
}

NetworkQuestion network_question(const RankQuestion& question, const BalancedField& field,
                                 std::uint64_t seed) {
    return {.positions = question.positions, .prime = field.p, .seed = seed, .inputs = question.inputs};
}

Result<std::vector<Partition>> partitions_of(const RankQuestion& question, const SplitShape& shape) {
    if (!question.left.empty()) {
        if (!question.partition.empty()) return bad_input("left", "excludes partition; give one of the two");
        PLIMSOLL_ASSIGN(partition, partition_with_left(question.left, shape));
        return std::vector{std::move(partition)};
    }
    return parse_partitions(question.partition.empty() ? "half" : question.partition, shape, 1);
}

// A tenth stays free for the rest of the machine.
Result<EliminationLimits> limits_of(const RankQuestion& question) {
    EliminationLimits limits;
    limits.threads = question.threads;
    limits.max_bytes = std::min(question.max_bytes, available_memory() / 10 * 9);
    if (size_that_fits(limits.max_bytes, limits.threads) < least_size) {
        return bad_input(
            "max-memory",
            fmt::format("must hold {} rows and columns, {}, got {}", least_size,
                        human_bytes(static_cast<double>(growth_bytes(least_size, limits.threads))),
                        human_bytes(static_cast<double>(limits.max_bytes))));
    }
    if (!question.max_size) return limits;
    limits.max_size = *question.max_size;
    if (limits.max_size < 1) return bad_input("max-size", "must be at least 1, got 0");
    const std::uint64_t bytes = growth_bytes(limits.max_size, limits.threads);
    if (bytes <= limits.max_bytes) return limits;
    return bad_input(
        "max-size",
        fmt::format("{} rows and columns need {}, and there are {}: at most {} fit", limits.max_size,
                    bytes == UINT64_MAX ? "too much" : human_bytes(static_cast<double>(bytes)),
                    human_bytes(static_cast<double>(limits.max_bytes)),
                    size_that_fits(limits.max_bytes, limits.threads)));
}

std::string backends_of(const std::vector<PieceReport>& pieces) {
    std::set<std::string> names;
    for (const auto& piece : pieces) {
        if (!piece.backend.empty()) names.insert(piece.backend);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

// Adds up the blocks of the block-diagonal matrix.
void sum_pieces(RunReport& run) {
    bool certain = true;
    double error = -HUGE_VAL;
    for (const auto& piece : run.pieces) {
        run.rank += piece.rank;
        run.slack += piece.slack;
        run.bytes = std::max(run.bytes, piece.bytes);
        run.saturated = run.saturated || piece.saturated;
        certain = certain && piece.certain;
        if (!piece.certain) error = std::max(error, add_log10(error, piece.error_log10));
    }
    run.size = run.rank + run.slack;
    if (run.meets_bound()) {
        certain = true;
        run.saturated = false;
    }
    run.exact = certain || (!run.saturated && error <= exact_log10);
    if (!certain) run.error_log10 = run.saturated ? 0.0 : error;
    run.backend = backends_of(run.pieces);
}

// The memory that a construction holds beside the elimination's.
std::uint64_t table_bytes(const RandomNetwork& network, Construction construction) {
    if (construction != Construction::catalecticant) return 0;
    return static_cast<std::uint64_t>(gram_polynomial_bytes(network.as_attention()->spec()));
}

struct RunQuestion {
    const RankPlan& plan;
    const Partition& partition;
    OutputIndex output;
    BalancedField field;
    std::uint64_t seed;
};

// The matrices of a run and what is left for their elimination.
struct RunPieces {
    std::uint64_t degree = 0;  // of the network
    PieceList list;
    std::uint64_t tables = 0;  // bytes the construction holds
    EliminationLimits limits;
};

Result<RunPieces> pieces_of(const RunQuestion& q) {
    PLIMSOLL_ASSIGN(network,
                    network_for(q.plan.question.spec, network_question(q.plan.question, q.field, q.seed)));
    const std::shared_ptr<const RandomNetwork> shared = std::move(network);
    PLIMSOLL_ASSIGN(list, pieces_for({.network = shared,
                                      .partition = q.partition,
                                      .output = q.output,
                                      .construction = q.plan.question.construction,
                                      .seed = q.seed,
                                      .max_bytes = q.plan.limits.max_bytes / 2}));
    RunPieces run{shared->facts().degree, std::move(list), 0, q.plan.limits};
    run.tables = table_bytes(*shared, run.list.construction);
    run.limits.max_bytes -= std::min(run.limits.max_bytes, run.tables);
    return run;
}

Result<RunReport> measure_run(const RunQuestion& q, const ProgressCallback& progress) {
    const auto start = std::chrono::steady_clock::now();
    PLIMSOLL_ASSIGN(made, pieces_of(q));
    RunReport run{.prime = q.field.p, .seed = q.seed};
    run.construction = made.list.construction;
    run.bound = made.list.rank_bound;
    run.pieces = rank_pieces(made.list, made.degree, made.limits, progress);
    sum_pieces(run);
    run.bytes += made.tables;
    run.seconds = seconds_since(start);
    return run;
}

// One step of several as a part of the whole.
ProgressCallback part_of(const ProgressCallback& progress, std::size_t step, std::size_t steps) {
    if (!progress) return {};
    return [&progress, step, steps](std::uint64_t done, std::uint64_t total) {
        progress(step * total + done, steps * total);
    };
}

RankReport whole_report(const RankPlan& plan, std::vector<PartitionReport> partitions) {
    RankReport report;
    report.spec = arch::to_text(plan.question.spec);
    report.facts = plan.facts;
    report.positions = plan.question.positions;
    report.output = plan.output;
    report.partitions = std::move(partitions);
    report.lists_partitions =
        plan.question.partition == "all" || plan.question.partition.starts_with("random:");
    report.exact = true;
    for (std::size_t i = 0; i < report.partitions.size(); ++i) {
        const PartitionReport& partition = report.partitions[i];
        report.exact = report.exact && partition.exact();
        report.saturated = report.saturated || partition.best().saturated;
        if (partition.best().rank > report.best_run().rank) report.best = i;
    }
    report.rank = report.best_run().rank;
    return report;
}

// A rank that no weights can exceed is exact whatever stopped the elimination.
void note_attained(RankReport& report) {
    const auto found = std::find_if(report.bounds.begin(), report.bounds.end(), [](const RankBound& bound) {
        return bound.side == theory::Side::upper && bound.sound && bound.agreement == Agreement::attained;
    });
    if (found == report.bounds.end()) return;
    report.attained = found->id;
    if (report.partitions.size() > 1) return;
    report.exact = true;
    report.saturated = false;
}

}  // namespace

Result<RankPlan> plan_rank(const RankQuestion& question) {
    PLIMSOLL_RETURN_IF_ERROR(prepare_elimination());
    PLIMSOLL_ASSIGN(fields, prime_fields_of(question));
    if (question.seeds < 1 || question.seeds > max_seeds) {
        return bad_input("seeds", fmt::format("must be 1 to {}, got {}", max_seeds, question.seeds));
    }
    PLIMSOLL_ASSIGN(network, network_for(question.spec, network_question(question, fields.front(), 1)));
    RankPlan plan{.question = question, .facts = network->facts(), .fields = fields};
    PLIMSOLL_ASSIGN(partitions, partitions_of(question, plan.facts.split));
    plan.partitions = std::move(partitions);
    PLIMSOLL_ASSIGN(output, parse_output(question.output.empty() ? "0,0" : question.output, plan.facts));
    plan.output = output;
    PLIMSOLL_ASSIGN(limits, limits_of(question));
    plan.limits = limits;
    return plan;
}

Result<PieceReport> measure_piece(const RankPlan& plan, const Partition& partition, std::string_view name) {
    PLIMSOLL_ASSIGN(made, pieces_of({plan, partition, plan.output, plan.fields.front(), 1}));
    std::erase_if(made.list.pieces, [&](const Piece& piece) { return piece.name != name; });
    if (made.list.pieces.empty()) return not_found("piece", fmt::format("there is none called '{}'", name));
    made.list.full_rank_propagates = false;  // nothing to propagate to
    return rank_pieces(made.list, made.degree, made.limits).front();
}

Result<PartitionReport> measure_partition(const RankPlan& plan, const Partition& partition,
                                          OutputIndex output, const ProgressCallback& progress) {
    PartitionReport report{.name = partition.name, .left = partition.left_items()};
    const std::size_t runs = plan.fields.size() * plan.question.seeds;
    for (const BalancedField& field : plan.fields) {
        for (std::uint64_t seed = 1; seed <= plan.question.seeds; ++seed) {
            const auto part = part_of(progress, report.runs.size(), runs);
            PLIMSOLL_ASSIGN(run, measure_run({plan, partition, output, field, seed}, part));
            report.runs.push_back(std::move(run));
        }
    }
    return report;
}

Result<RankReport> measure_rank(const RankQuestion& question, const ProgressCallback& progress) {
    const auto start = std::chrono::steady_clock::now();
    PLIMSOLL_ASSIGN(plan, plan_rank(question));
    std::vector<PartitionReport> partitions;
    for (const Partition& partition : plan.partitions) {
        const auto part = part_of(progress, partitions.size(), plan.partitions.size());
        PLIMSOLL_ASSIGN(report, measure_partition(plan, partition, plan.output, part));
        partitions.push_back(std::move(report));
    }
    RankReport report = whole_report(plan, std::move(partitions));
    PLIMSOLL_ASSIGN(network, network_for(question.spec, network_question(question, plan.fields.front(), 1)));
    report.bounds = bounds_beside({question.spec, *network, plan.partitions[report.best], plan.output,
                                   question.inputs, report.rank, report.exact});
    note_attained(report);
    report.seconds = seconds_since(start);
    return report;
}

}  // namespace plimsoll::rank
