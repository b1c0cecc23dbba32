#include "plimsoll/verify/measurements.h"

#include <utility>

#include "plimsoll/base/format.h"
#include "plimsoll/rank/exact_rank.h"

namespace plimsoll::verify {
namespace {

Result<rank::RankQuestion> rank_question(const RankCase& question, const Measurements::Limits& limits) {
    PLIMSOLL_ASSIGN(spec, arch::parse_spec(question.spec));
    rank::RankQuestion result{.spec = std::move(spec),
                              .inputs = question.inputs,
                              .partition = question.left.empty() ? question.partition : "",
                              .left = question.left,
                              .output = fmt::format("{},{}", question.output.row, question.output.col),
                              .max_size = limits.max_size,
                              .max_bytes = limits.max_bytes,
                              .threads = limits.threads};
    if (question.positions > 0) result.positions = question.positions;
    if (!question.piece.empty()) result.construction = rank::Construction::graded;
    return result;
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
    if (output != rank::OutputIndex{}) text += fmt::format(" --output {},{}", output.row, output.col);
    if (inputs == rank::Inputs::tokens) text += " --tokens";
    return text;
}

Result<MeasuredRank> Measurements::rank(const RankCase& question) {
    const std::string key = question.command() + " " + question.piece;
    if (const auto it = known_.find(key); it != known_.end()) return it->second;
    PLIMSOLL_ASSIGN(measured, measure(question));
    known_[key] = measured;
    return measured;
}

Result<MeasuredRank> Measurements::measure(const RankCase& question) const {
    PLIMSOLL_ASSIGN(asked, rank_question(question, limits_));
    PLIMSOLL_ASSIGN(plan, rank::plan_rank(asked));
    PLIMSOLL_CHECK(plan.partitions.size() == 1, "a case is one partition");
    const rank::Partition& partition = plan.partitions.front();
    if (!question.piece.empty()) {
        PLIMSOLL_ASSIGN(piece, rank::measure_piece(plan, partition, question.piece));
        return MeasuredRank{piece.rank, !piece.saturated};
    }
    PLIMSOLL_ASSIGN(report, rank::measure_partition(plan, partition, plan.output));
    return MeasuredRank{report.best().rank, report.best().exact};
}

}  // namespace plimsoll::verify
