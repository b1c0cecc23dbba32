#include "plimsoll/advise/sentences.h"

#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"

namespace plimsoll::advise {
namespace {

constexpr double large_table = 0.3, small_spend = 0.9;
// Beyond every budget that a measured optimum comes near.
constexpr std::int64_t absurd_budget = 2'000'000'000'000;

std::string decision_sentence(const Advice& advice) {
    switch (advice.decided) {
        case DecidedBy::cost:
            return fmt::format(
                "Before layer {} no network of this width meets the limit of the strings. From there on, if "
                "networks reach their bounds, separation rank cannot choose in the window, so cost does: of "
                "the shapes that spend the budget this one needs the fewest FLOPs per parameter.",
                advice.saturated.value_or(1));
        case DecidedBy::capacity:
            return fmt::format("Of the shapes between {:g} and {:g} {} this one has the most capacity.",
                               advice.band_low, advice.band_high, advice.line_name);
        case DecidedBy::outside:
            return fmt::format(
                "No shape of this budget is {:g} {} deep; this one has the most capacity of all.",
                advice.window_low, advice.line_name);
    }
    return "";
}

// Why the answer is in the window but not in its default part; empty when it is.
std::string band_sentence(const Advice& advice) {
    const double multiple = real(advice.answer.layout.depth) / advice.line;
    const bool in_band = multiple > advice.band_low - 1e-9 && multiple < advice.band_high + 1e-9;
    if (in_band || advice.decided == DecidedBy::outside) return "";
    const Layout& a = advice.answer.layout;
    const std::int64_t rank = input_rank(advice.request, a);
    const std::string where =
        fmt::format("It lies outside {:g} to {:g} {}: ", advice.band_low, advice.band_high, advice.line_name);
    if (rank < a.width && a.embedding_rank == 0)
        return where +
               fmt::format("the input's rank, {}, would be less than half of a wider network's.", rank);
    return where + fmt::format("no multiple of {} spends the budget there.", advice.request.multiple_of);
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
    add(advice.sentences, band_sentence(advice));
    add(advice.sentences, table_sentence(advice));
}

void add_warnings(Advice& advice) {
    add(advice.warnings, rank_warning(advice));
    add(advice.warnings, table_warning(advice));
    add(advice.warnings, spend_warning(advice));
    if (advice.decided == DecidedBy::outside)
        add(advice.warnings,
            "The budget is too small for the window: read the advice as the deepest that fits.");
    if (advice.request.parameters > absurd_budget)
        add(advice.warnings,
            "No measured optimum comes near this budget; every rule here is an extrapolation.");
}

}  // namespace plimsoll::advise
