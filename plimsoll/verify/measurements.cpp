#include "plimsoll/verify/measurements.h"

#include <memory>
#include <utility>

#include "plimsoll/base/format.h"
#include "plimsoll/rank/constructions.h"
#include "plimsoll/rank/elimination.h"

namespace plimsoll::verify {
namespace {

Result<rank::Partition> partition_of(const RankCase& question, const rank::SplitShape& shape) {
    if (!question.left.empty()) return rank::partition_with_left(question.left, shape);
    PLIMSOLL_ASSIGN(all, rank::parse_partitions(question.partition, shape, 1));
    PLIMSOLL_CHECK(all.size() == 1, "a case is one partition");
    return all.front();
}

Result<std::shared_ptr<const rank::Network>> network_of(const RankCase& question) {
    PLIMSOLL_ASSIGN(spec, arch::parse_spec(question.spec));
    rank::NetworkQuestion network{.seed = question.seed, .inputs = question.inputs};
    if (question.positions > 0) network.positions = question.positions;
    PLIMSOLL_ASSIGN(made, rank::network_for(spec, network));
    return std::shared_ptr<const rank::Network>(std::move(made));
}

}  // namespace

std::string RankCase::command() const {
    std::string text = "plimsoll rank " + spec;
    if (positions > 0) text += fmt::format(" --positions {}", positions);
    if (!left.empty()) {
        text += " --left " + left;
    } else if (partition != "half") {
        text += " --partition " + partition;
    }
    if (output != rank::OutputPlace{}) text += fmt::format(" --output {},{}", output.row, output.col);
    if (inputs == rank::Inputs::tokens) text += " --tokens";
    return text;
}

Result<MeasuredRank> Measurements::rank(const RankCase& question) {
    const std::string key =
        fmt::format("{} seed {} piece {}", question.command(), question.seed, question.piece);
    if (const auto it = known_.find(key); it != known_.end()) return it->second;
    PLIMSOLL_ASSIGN(measured, measure(question));
    known_[key] = measured;
    return measured;
}

// The only place where a rank is eliminated.
Result<MeasuredRank> Measurements::measure(const RankCase& question) const {
    PLIMSOLL_RETURN_IF_ERROR(rank::prepare_elimination());
    PLIMSOLL_ASSIGN(network, network_of(question));
    PLIMSOLL_ASSIGN(partition, partition_of(question, network->facts().split));
    const auto construction =
        question.piece.empty() ? rank::Construction::automatic : rank::Construction::graded;
    PLIMSOLL_ASSIGN(list, rank::pieces_for({.network = network,
                                            .partition = partition,
                                            .output = question.output,
                                            .construction = construction}));
    const rank::EliminationLimits limits{
        .max_size = limits_.max_size, .max_bytes = limits_.max_bytes, .threads = limits_.threads};
    MeasuredRank total;
    for (const auto& piece : list.pieces) {
        if (!question.piece.empty() && piece.name != question.piece) continue;
        const auto one = rank::measure_rank(*piece.source, limits);
        total.rank += one.rank;
        total.exact = total.exact && !one.saturated;
    }
    return total;
}

}  // namespace plimsoll::verify
