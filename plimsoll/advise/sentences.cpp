#include "plimsoll/advise/sentences.h"

#include <cmath>

#include "plimsoll/advise/depth_words.h"
#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/text.h"

namespace plimsoll::advise {
namespace {

constexpr double large_table = 0.3, small_spend = 0.9;

std::string tie_sentence(TieBreak by) {
    const std::string near = fmt::format("Of the shapes within {:g} % of the best it has ", traded_percent);
    switch (by) {
        case TieBreak::flops:
            return "Of the shapes that tie with the best it is the widest, which takes the least compute, "
                   "cache and time for its size.";
        case TieBreak::latency:
            return near + "the fewest layers, for latency.";
        case TieBreak::memory:
            return near + "the fewest cached bytes.";
    }
    return "";
}

// Why wider shapes were passed over, with a space behind it.
std::string rank_sentence(const Advice& advice) {
    if (!advice.narrowed_by_rank) return "";
    const std::int64_t rank = input_rank(advice.request, advice.answer.layout);
    return fmt::format(
        "Shapes wider than {} were passed over: the input, of rank {}, would fill less than half of their "
        "width [Wies 2021]. ",
        2 * rank, rank);
}

std::string valley_sentence(const Advice& advice) {
    const DepthJudgement& judged = *advice.judgement;
    return fmt::format(
        "By the losses of four studies {:.0f} layers are best at this size, and {} cost at most 1 % more. "
        "The {} advised cost {}.",
        judged.valley.best, valley_text(judged.valley), advice.answer.layout.depth, cost_text(judged.cost));
}

std::string decision_sentence(const Advice& advice) {
    switch (advice.decided) {
        case DecidedBy::load_line:
            return valley_sentence(advice) + " " + rank_sentence(advice) + tie_sentence(advice.request.by);
        case DecidedBy::capacity:
            return fmt::format("Of the shapes between {:g} and {:g} {} this one has the most capacity.",
                               advice.band_low, advice.band_high, advice.line_name);
        case DecidedBy::outside:
            return advice.judgement
                       ? "No shape of this budget reaches the valley; this one is the nearest. " +
                             valley_sentence(advice)
                       : fmt::format(
                             "No shape of this budget is {:g} {} deep; this one has the most capacity of "
                             "all.",
                             advice.window_low, advice.line_name);
    }
    return "";
}

// What the evidence does not cover; empty when it covers the request.
std::string evidence_sentence(const Advice& advice) {
    if (!advice.judgement) return "";
    const double size = advice.judgement->size;
    if (advice.request.image.used())
        return "The line was fitted to text; both optima of a study of images (SoViT) lie at 1.1 times it.";
    if (size > largest_measured)
        return fmt::format(
            "Nothing was measured beyond {} non-embedding parameters: this is an extrapolation.",
            human_count(largest_measured));
    if (size < smallest_measured)
        return fmt::format(
            "Nothing was measured below {} non-embedding parameters: this is an extrapolation.",
            human_count(smallest_measured));
    return "";
}

// "5,630 hours", "1.01 hours", "21 seconds": three figures.
std::string hours_text(double hours) {
    constexpr double minutes = 60, seconds = 3600, thousand = 1000;
    if (hours < 1 / minutes) return fmt::format("{:.2g} seconds", hours * seconds);
    if (hours < 1) return fmt::format("{:.2g} minutes", hours * minutes);
    if (hours < thousand) return fmt::format("{:.3g} hours", hours);
    const double step = std::pow(10, std::floor(std::log10(hours)) - 2);
    std::string digits = fmt::format("{:.0f}", std::round(hours / step) * step);
    for (std::size_t left = digits.size(); left > 3; left -= 3) digits.insert(left - 3, ",");
    return digits + " hours";
}

std::string training_sentence(const Advice& advice) {
    if (!advice.training) return "";
    const TrainingCost& cost = *advice.training;
    return fmt::format(
        "Training on {:.0f} tokens per parameter ({} tokens) takes {:.2g} FLOPs, about {} of one {} at an "
        "assumed {:.0f} % of its peak ({:.0f} TFLOP/s).",
        tokens_per_parameter, human_count(cost.tokens), cost.flops, hours_text(cost.hours), cost.card.title,
        100 * assumed_utilisation, cost.card.peak_flops / 1e12);
}

std::string table_sentence(const Advice& advice) {
    const std::int64_t rank = advice.answer.layout.embedding_rank;
    if (rank == 0) return "";
    return fmt::format("The token table is factorised to rank {}{}", rank,
                       advice.request.embedding_rank
                           ? ", as asked for."
                           : ": a full one would take more than half of the budget.");
}

std::string rank_warning(const Advice& advice) {
    const auto& r = advice.request;
    const Layout& a = advice.answer.layout;
    if (r.family == AdviceFamily::mixer || rank_suffices(r, a)) return "";
    const std::string limit =
        fmt::format("rank {}, less than half of the width {}, which limits what the width can do [Wies 2021]",
                    input_rank(r, a), a.width);
    if (a.embedding_rank > 0) return fmt::format("The token table has {}: raise --embedding-rank.", limit);
    if (r.vocab > 0)
        return fmt::format("{} tokens give the input {}: a larger vocabulary helps.", r.vocab, limit);
    return fmt::format("A patch gives the input {}: larger patches or an extra convolution help.", limit);
}

std::string table_warning(const Advice& advice) {
    const double share = real(advice.answer.embedding_parameters) / real(advice.answer.parameters);
    if (advice.request.vocab == 0 || share <= large_table) return "";
    const bool positions =
        advice.answer.layout.block == Block::gpt2 && advice.request.context > advice.request.vocab;
    return fmt::format("The embedding takes {} of the parameters; {}.", share_text(share),
                       positions ? "most of it for positions, which --block llama does without"
                                 : "a smaller vocabulary leaves more for the layers");
}

std::string spend_warning(const Advice& advice) {
    const double share = real(advice.answer.parameters) / real(advice.request.parameters);
    if (share >= small_spend) return "";
    return fmt::format(
        "Only {} of the budget is spent: the next width does not fit. A smaller --multiple-of than {} comes "
        "closer.",
        share_text(share), advice.request.multiple_of);
}

void add(std::vector<std::string>& out, std::string text) {
    if (!text.empty()) out.push_back(std::move(text));
}

}  // namespace

void add_sentences(Advice& advice) {
    add(advice.sentences, decision_sentence(advice));
    add(advice.sentences, evidence_sentence(advice));
    add(advice.sentences, table_sentence(advice));
    add(advice.sentences, training_sentence(advice));
}

void add_warnings(Advice& advice) {
    add(advice.warnings, rank_warning(advice));
    add(advice.warnings, table_warning(advice));
    add(advice.warnings, spend_warning(advice));
    if (advice.decided == DecidedBy::outside)
        add(advice.warnings,
            "The budget is too small for its vocabulary and widths: read the advice as the nearest that "
            "fits.");
}

}  // namespace plimsoll::advise
