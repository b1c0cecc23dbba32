#include "plimsoll/advise/sentences.h"

#include "plimsoll/advise/depth_words.h"
#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/text.h"

namespace plimsoll::advise {
namespace {

constexpr double large_table = 0.3, small_spend = 0.9;

std::string tie_words(TieBreak by) {
    switch (by) {
        case TieBreak::flops:
            return "the fewest FLOPs a token";
        case TieBreak::latency:
            return "the fewest layers, for latency";
        case TieBreak::memory:
            return "the fewest cached bytes";
    }
    return "";
}

std::string valley_sentence(const Advice& advice) {
    const DepthJudgement& judged = *advice.judgement;
    return fmt::format(
        "At this size {} layers cost at most 1 % of loss and {:.0f} the least, by the losses of four "
        "studies; this depth costs {}.",
        valley_text(judged.valley), judged.valley.best, cost_text(judged.cost));
}

std::string decision_sentence(const Advice& advice) {
    switch (advice.decided) {
        case DecidedBy::load_line:
            return valley_sentence(advice) + " Of the shapes that tie it has " +
                   tie_words(advice.request.by) + ".";
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
        return "The line was fitted to text; both optima of a study of images (SoViT) lie at 1.0 to 1.1 "
               "times it.";
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

std::string training_sentence(const Advice& advice) {
    if (!advice.training) return "";
    const TrainingCost& cost = *advice.training;
    return fmt::format(
        "Training on {:.0f} tokens a parameter ({}) takes {:.2g} FLOPs: about {:.3g} GPU-hours ({}) at an "
        "assumed {:.0f} % of its peak of {:.0f} TFLOP/s.",
        tokens_per_parameter, human_count(cost.tokens), cost.flops, cost.hours, cost.card.title,
        100 * assumed_utilisation, cost.card.peak_flops / 1e12);
}

std::string table_sentence(const Advice& advice) {
    const std::int64_t rank = advice.answer.layout.embedding_rank;
    if (rank == 0) return "";
    return fmt::format("The token table has rank {}{}", rank,
                       advice.request.embedding_rank
                           ? ", as asked for."
                           : ": at full rank it would take more than half of the budget.");
}

std::string rank_warning(const Advice& advice) {
    const auto& r = advice.request;
    const std::int64_t width = advice.answer.layout.width;
    if (r.vocab > 0 && r.vocab < width) {
        return fmt::format(
            "Vocabulary {} is below the width {}: it caps what width can do [Wies 2021]. Prefer a larger "
            "vocabulary or a deeper, narrower network.",
            r.vocab, width);
    }
    if (r.family == AdviceFamily::mixer || !r.image.used() || r.image.patch_dim() >= width) return "";
    return fmt::format(
        "A patch has {} numbers, fewer than the width {}: larger patches or an extra convolution raise the "
        "input's rank [Wies 2021].",
        r.image.patch_dim(), width);
}

std::string table_warning(const Advice& advice) {
    const double share = real(advice.answer.embedding_parameters) / real(advice.answer.parameters);
    if (advice.request.vocab == 0 || share <= large_table) return "";
    return fmt::format(
        "The embedding takes {} of the parameters; a smaller vocabulary leaves more for the layers.",
        share_text(share));
}

std::string spend_warning(const Advice& advice) {
    const double share = real(advice.answer.parameters) / real(advice.request.parameters);
    if (share >= small_spend) return "";
    return fmt::format(
        "Only {} of the budget is spent: the next width does not fit the window. A smaller --multiple-of "
        "than {} comes closer.",
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
