#include <algorithm>

#include "plimsoll/advise/load_line.h"
#include "plimsoll/audit/findings/diagnosis.h"
#include "plimsoll/base/format.h"
#include "plimsoll/theory/capacity/capacity.h"

namespace plimsoll::audit {
namespace {

using theory::Integer;

// What Wies et al. suggest, by the kind of input.
std::string rank_remedy(const ModelShape& shape, const InputRank& input) {
    if (shape.embedding_rank && input.tokens && *shape.embedding_rank == input.rank)
        return fmt::format("an embedding of rank {} (the width), or a narrower and deeper network",
                           *shape.width);
    if (input.tokens)
        return "a larger vocabulary (words or pairs instead of letters), or a narrower and deeper network";
    return "another convolutional layer over the inputs, larger patches, or a narrower and deeper network";
}

// What Wies et al. saw at such a ratio, and where.
constexpr const char* measured_cost =
    " At such a ratio (rank 16 of width 680, about 70 M parameters) Wies et al. saw a network without the "
    "bottleneck and with 25 % fewer parameters do as well; it was not measured at other sizes.";

// Shares of the Gram entries that stay free: without positions, and with positions of full rank outside.
std::string kept_text(const ModelShape& shape, std::int64_t rank) {
    const std::int64_t width = *shape.width;
    const Integer all = gram_entries(width);
    const double without = share(gram_entries(rank), all);
    const double full = share(theory::embedded_entries(rank, width - rank, width), all);
    return fmt::format(
        "Of the {} entries of its Gram matrix {:.2g} % stay free, or {:.2g} % with positions of full rank.",
        all.text(), 100 * without, 100 * full);
}

// Whether anybody measured what a shape costs at its size; layers that share their weights count once.
bool has_measured_size(const ModelShape& shape) {
    const auto own = shape.layer_groups ? shape.layer_groups : deepest_stack(shape);
    return own && advise::standard_size(static_cast<double>(*own), static_cast<double>(*shape.width)) <=
                      advise::largest_measured;
}

void find_rank(const ModelShape& shape, const InputRank& input, Diagnosis& out) {
    Finding finding = make_finding("input-rank");
    const std::int64_t width = *shape.width;
    const double ratio = static_cast<double>(input.rank) / static_cast<double>(width);
    finding.value = ratio;
    finding.line = 1;
    finding.shown = fmt::format("{} : {}", input.rank, width);
    if (input.rank == width) {
        finding.severity = Severity::ok;
        finding.reading = "full";
        finding.text = fmt::format("A {} fills the width {}.", input.what, width);
        out.findings.push_back(std::move(finding));
        return;
    }
    const bool judged = has_attention(shape);
    const bool costs = judged && input.tokens && ratio <= low_rank && has_measured_size(shape);
    finding.severity = costs ? Severity::severe : Severity::notice;
    finding.reading = "capped by " + input.cap;
    finding.text = fmt::format("The {} gives the input rank {}, {:.2g} % of the width {}", input.what,
                               input.rank, 100 * ratio, width);
    finding.text += judged ? ", which lowers the upper bound." + std::string(costs ? measured_cost : "") +
                                 " " + kept_text(shape, input.rank)
                           : ". The theorem is about attention; here only the first map is limited.";
    if (costs) {
        finding.source.claim = "WIES-REDUNDANCY";
        finding.source.citation = "Wies et al. 2021, section 5.1, theorems 1 and 2, repaired; plimsoll R7";
    }
    finding.remedy = rank_remedy(shape, input);
    out.findings.push_back(std::move(finding));
}

void find_context(const ModelShape& shape, Diagnosis& out) {
    if (!shape.context) {
        out.not_analysed.push_back({"context to width", "the context is not known; give --context"});
        return;
    }
    Finding finding = make_finding("context-width");
    const std::int64_t context = *shape.context, width = *shape.width;
    finding.value = static_cast<double>(context) / static_cast<double>(width);
    finding.line = 2;
    finding.shown = fmt::format("{} : {}", context, width);
    if (*finding.value >= 2) {
        finding.severity = Severity::ok;
        finding.reading = "the width binds";
        finding.text = fmt::format(
            "{} positions are at least twice the width {}: the width limits capacity "
            "per layer, not the sequence.",
            context, width);
        out.findings.push_back(std::move(finding));
        return;
    }
    finding.severity = Severity::notice;
    finding.reading = fmt::format("linear beyond width {}", context / 2);
    const Integer side = std::max<std::int64_t>(context / 2, 1);
    const Integer free = side * width - exact_div(side * (side - 1), 2);
    finding.text = fmt::format(
        "With {} positions a layer far beyond T adds {} to capacity instead of {}: past width {} capacity "
        "grows linearly with the width, not with its square. No loss was measured for it.",
        context, free.text(), gram_entries(width).text(), context / 2);
    finding.remedy =
        "longer sequences, where the data has them; deeper instead of wider raises the bound, but lost in "
        "our runs (R8)";
    out.findings.push_back(std::move(finding));
}

void find_positions(const ModelShape& shape, Diagnosis& out) {
    const auto skip = [&](std::string reason) {
        out.not_analysed.push_back({"position rank", std::move(reason)});
    };
    const bool table = shape.positions == "learned" || shape.positional_rank;
    if (shape.positions.empty() && !table) return skip("the kind of positions is not given");
    if (!table) return skip(fmt::format("positions are {}: no table is added to the input", shape.positions));
    if (!shape.positional_rank && !shape.context) return skip("the number of positions is not known");
    Finding finding = make_finding("position-rank");
    const std::int64_t width = *shape.width;
    const std::int64_t rank = std::min(shape.positional_rank.value_or(width), shape.context.value_or(width));
    finding.value = static_cast<double>(std::min(rank, width)) / static_cast<double>(width);
    finding.line = 1;
    finding.shown = fmt::format("{} : {}", std::min(rank, width), width);
    finding.reading = rank >= width ? "full" : fmt::format("a table of rank {}", rank);
    finding.text = fmt::format(
        "A table of positions adds up to {} directions to the input's own. Wies et al. "
        "saw little change from rank 16 on (12 layers x 512).",
        std::min(rank, width));
    out.findings.push_back(std::move(finding));
}

}  // namespace

void find_input(const ModelShape& shape, Diagnosis& out) {
    if (!shape.width) {
        out.not_analysed.push_back({"embedding rank", "the width is not known"});
        return;
    }
    const auto input = input_rank(shape);
    if (input) find_rank(shape, *input, out);
    if (!input)
        out.not_analysed.push_back(
            {"embedding rank", "neither vocabulary nor patch nor input size is given"});
    if (!has_attention(shape)) return;
    find_context(shape, out);
    find_positions(shape, out);
}

}  // namespace plimsoll::audit
