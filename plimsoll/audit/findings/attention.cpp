#include <algorithm>
#include <cmath>
#include <optional>

#include "plimsoll/audit/findings/diagnosis.h"
#include "plimsoll/base/format.h"
#include "plimsoll/theory/capacity/capacity.h"

namespace plimsoll::audit {
namespace {

using theory::HeadShape;
using theory::Integer;

// Layers that the bound loses in the deep limit when layer 1 sees `seen` of the Gram entries: KL(f, 1/3) / ln
// 3 with f = 1 - seen (docs/bounds/capacity-heads.md).
double layers_lost(double seen) {
    const double f = 1 - seen;
    if (f <= 1.0 / 3) return 0;
    const double second = seen > 0 ? seen * std::log(1.5 * seen) : 0;
    return (f * std::log(3 * f) + second) / std::log(3.0);
}

struct FirstLayer {
    Integer forms;
    double seen = 1;  // share of the Gram entries
};

FirstLayer first_layer(std::int64_t width, std::int64_t heads, std::int64_t head_dim) {
    const Integer forms = HeadShape{width, heads, head_dim}.first_layer_forms();
    return {forms, share(forms, gram_entries(width))};
}

// What attention costs beyond that of a standard layer, in standard layers (12 width^2): queries and outputs
// by heads, keys and values by those they share.
double extra_layers(const ModelShape& shape) {
    const auto heads = static_cast<double>(*shape.heads);
    const auto shared = static_cast<double>(shape.kv_heads.value_or(*shape.heads));
    const double wide = static_cast<double>(*shape.head_dim) / static_cast<double>(*shape.width);
    return (2 * (heads + shared) * wide - 4) / 12;
}

std::string wide_text(const ModelShape& shape, double ratio) {
    const double extra = extra_layers(shape);
    std::string text =
        fmt::format("Attention is {:.3g} times wider than the stream it reads and writes.", ratio);
    text += extra > 0 ? fmt::format(
                            " Each of {} layers pays for it as much as {:.2g} standard layers (12 width^2) "
                            "cost; the bound gains less than one layer in all.",
                            deepest_stack(shape).value_or(1), extra)
                      : " Shared keys and values pay for it; the bound gains less than one layer in all.";
    if (ratio >= wide_attention)
        text +=
            " Wies et al. matched networks of ratio 4 with 75 % of their parameters and of ratio 16 with "
            "55 % (30 M to 70 M parameters).";
    return text;
}

std::string narrow_text(const ModelShape& shape, std::int64_t attention) {
    const std::int64_t width = *shape.width;
    const HeadShape heads{width, *shape.heads, *shape.head_dim};
    return fmt::format(
        "Attention reads and writes {} of the {} directions of the stream. One layer alone, without the "
        "residual path, can see {:.2g} % of the Gram entries. No paper measured what that costs.",
        attention, width, 100 * share(heads.seen_entries(), gram_entries(width)));
}

constexpr double full_attention_cost = 4.0 / 12;  // of 12 width^2

// What the matrices of latent attention cost, in standard layers; nothing where a size is missing or keys and
// values have no latent.
std::optional<double> latent_cost(const ModelShape& shape) {
    if (!shape.kv_lora_rank || !shape.value_head_dim || !shape.head_dim) return std::nullopt;
    const auto number = [](std::int64_t value) { return static_cast<double>(value); };
    const double width = number(*shape.width), heads = number(*shape.heads), dim = number(*shape.head_dim);
    const double value = number(*shape.value_head_dim), rope = number(shape.rope_head_dim.value_or(0));
    const double rank = number(*shape.kv_lora_rank), queries = heads * dim;
    double matrices = width * (rank + rope) + rank * heads * (dim - rope + value) + heads * value * width;
    matrices += shape.q_lora_rank ? number(*shape.q_lora_rank) * (width + queries) : width * queries;
    return matrices / (12 * width * width);
}

// Attention whose queries, keys and values come from latents reads no more of the stream than their ranks:
// how wide its heads are together costs what its matrices cost, and nothing else.
void find_latent_cost(const ModelShape& shape, double layer_cost, Diagnosis& out) {
    Finding finding = make_finding("attention-width");
    const bool expensive = layer_cost > full_attention_cost * (1 + equal_tolerance);
    finding.severity = expensive ? Severity::notice : Severity::ok;
    finding.value = layer_cost;
    finding.line = full_attention_cost;
    finding.shown = fmt::format("{} x {}", *shape.heads, *shape.head_dim);
    finding.reading = fmt::format("low rank, {:.2f} of a layer", layer_cost);
    finding.text = fmt::format(
        "{} heads of {} are wider together than the stream of {}, but their keys and values come from {} "
        "directions{}. Attention costs {:.2f} of a standard layer (12 width^2), where full heads as wide as "
        "the stream cost {:.2f}.",
        *shape.heads, *shape.head_dim, *shape.width, *shape.kv_lora_rank,
        shape.q_lora_rank ? fmt::format(", queries from {}", *shape.q_lora_rank) : "", layer_cost,
        full_attention_cost);
    if (expensive) finding.remedy = "fewer heads, or smaller ones";
    out.findings.push_back(std::move(finding));
}

// The divisor of `width` nearest to `wanted` by ratio, among the sizes that heads have; 0 when none divides
// it.
std::int64_t whole_head_dim(std::int64_t width, std::int64_t wanted) {
    constexpr std::int64_t smallest_head = 8, largest_head = 512;
    std::int64_t best = 0;
    const auto distance = [&](std::int64_t dim) {
        return std::abs(std::log(static_cast<double>(dim) / static_cast<double>(wanted)));
    };
    for (std::int64_t dim = smallest_head; dim <= std::min(largest_head, width); ++dim)
        if (width % dim == 0 && (best == 0 || distance(dim) < distance(best))) best = dim;
    return best;
}

std::int64_t largest_divisor(std::int64_t number, std::int64_t most) {
    std::int64_t divisor = std::min(number, most);
    while (number % divisor != 0) --divisor;
    return divisor;
}

// Heads that multiply out to the width; shared key heads that divide them.
std::string heads_remedy(const ModelShape& shape) {
    const std::int64_t width = *shape.width, dim = whole_head_dim(width, *shape.head_dim);
    if (dim == 0) return fmt::format("heads x head_dim = {}, or a width that a head size divides", width);
    const std::int64_t heads = width / dim, shared = shape.kv_heads.value_or(*shape.heads);
    std::string text = fmt::format("heads x head_dim = {}: {} heads of {}", width, heads, dim);
    if (shared < *shape.heads)
        text += fmt::format(", {} for keys and values", largest_divisor(heads, shared));
    return text;
}

void find_ratio(const ModelShape& shape, std::int64_t attention, Diagnosis& out) {
    Finding finding = make_finding("attention-width");
    const std::int64_t width = *shape.width;
    const double ratio = static_cast<double>(attention) / static_cast<double>(width);
    finding.value = ratio;
    finding.line = 1;
    finding.shown = fmt::format("{} : {}", attention, width);
    finding.remedy = heads_remedy(shape);
    if (std::abs(ratio - 1) <= equal_tolerance) {
        finding.severity = Severity::ok;
        finding.reading = "equal";
        finding.text = "Attention is as wide as the stream it reads and writes.";
        finding.remedy.clear();
    } else if (ratio > 1) {
        finding.severity = ratio >= wide_attention ? Severity::severe : Severity::notice;
        const bool costs = finding.severity == Severity::severe;
        finding.reading = fmt::format("{:.3g} times {}", ratio, costs ? "too wide" : "the width");
        finding.text = wide_text(shape, ratio);
    } else {
        finding.severity = Severity::notice;
        finding.source.claim = "CAP-heads_bound_int";
        finding.source.citation = "plimsoll R5 and R6, docs/bounds/capacity-heads.md";
        finding.reading = fmt::format("{:.2g} of the width", ratio);
        finding.text = narrow_text(shape, attention);
    }
    out.findings.push_back(std::move(finding));
}

void find_first_layer(const ModelShape& shape, Diagnosis& out) {
    Finding finding = make_finding("first-layer-heads");
    const FirstLayer first = first_layer(*shape.width, *shape.heads, *shape.head_dim);
    const double lost = layers_lost(first.seen);
    finding.severity = lost == 0 ? Severity::ok : Severity::info;
    finding.value = lost;
    finding.line = 0;
    finding.shown = fmt::format("{} x {}", *shape.heads, *shape.head_dim);
    finding.reading = lost == 0 ? "bound not lowered" : fmt::format("bound lower by {:.2g} layers", lost);
    finding.text = fmt::format(
        "{} heads of {} see {:.2g} % of the Gram entries in layer 1, which lowers the bound by {:.2g} layers "
        "in the deep limit, never by a whole one. It does not count the heads of later layers; that networks "
        "reach it is conjectured.",
        *shape.heads, *shape.head_dim, 100 * first.seen, lost);
    out.findings.push_back(std::move(finding));
}

void find_shared_keys(const ModelShape& shape, Diagnosis& out) {
    Finding finding = make_finding("kv-rank");
    const std::int64_t width = *shape.width, groups = *shape.kv_heads;
    const std::int64_t rank = groups * *shape.head_dim;
    const FirstLayer first = first_layer(width, groups, *shape.head_dim);
    finding.value = static_cast<double>(rank) / static_cast<double>(width);
    finding.line = attention_over_width(shape);
    finding.shown = fmt::format("{} : {}", rank, width);
    finding.reading = fmt::format("{} heads share {}", *shape.heads, groups);
    finding.text = fmt::format(
        "{} query heads share {} key and value heads. What layer 1 can see of the Gram entries falls to "
        "{:.2g} %, which lowers the bound by {:.2g} layers in the deep limit, against {:.2g} unshared. No "
        "paper measured "
        "more.",
        *shape.heads, groups, 100 * first.seen, layers_lost(first.seen),
        layers_lost(first_layer(width, *shape.heads, *shape.head_dim).seen));
    out.findings.push_back(std::move(finding));
}

// Keys and values of every head come from one latent of rank r (and a rotary part): the forms u^T G k span
// at most r (r + 1) / 2 + r x rope.
void find_latent(const ModelShape& shape, Diagnosis& out) {
    Finding finding = make_finding("latent-rank");
    const std::int64_t width = *shape.width, rank = *shape.kv_lora_rank;
    const Integer latent = gram_entries(rank) + Integer(rank) * shape.rope_head_dim.value_or(0);
    const Integer forms = std::min(latent, first_layer(width, *shape.heads, *shape.head_dim).forms);
    const double seen = share(forms, gram_entries(width));
    finding.value = static_cast<double>(rank) / static_cast<double>(width);
    finding.line = 1;
    finding.shown = fmt::format("{} : {}", rank, width);
    finding.reading = shape.q_lora_rank ? fmt::format("queries {}", *shape.q_lora_rank) : "keys and values";
    finding.text = fmt::format("Keys and values of all heads come from {} directions of {}", rank, width);
    if (shape.q_lora_rank) finding.text += fmt::format(", queries from {}", *shape.q_lora_rank);
    finding.text += fmt::format(
        ". Layer 1 sees at most {:.2g} % of the Gram entries, which lowers the bound by {:.2g} layers in the "
        "deep limit. No paper measured more.",
        100 * seen, layers_lost(seen));
    out.findings.push_back(std::move(finding));
}

void find_experts(const ModelShape& shape, Diagnosis& out) {
    Finding finding = make_finding("experts");
    finding.value = static_cast<double>(*shape.experts);
    finding.shown = shape.experts_active ? fmt::format("{} of {}", *shape.experts_active, *shape.experts)
                                         : fmt::format("{}", *shape.experts);
    finding.reading = shape.experts_active ? "active per token" : "how many act is not given";
    finding.text =
        "Experts widen the feed-forward layers, which the bounds leave out: every finding here "
        "reads the attention alone, and the load line was fitted to dense layers.";
    out.findings.push_back(std::move(finding));
}

void find_sharing(const ModelShape& shape, Diagnosis& out) {
    Finding finding = make_finding("shared-layers");
    finding.value = static_cast<double>(*shape.layer_groups);
    finding.shown = fmt::format("{} of {}", *shape.layer_groups, *shape.depth);
    finding.reading = "have weights of their own";
    finding.text =
        "The load line was fitted to unshared layers; read the depth finding with care. The upper "
        "bounds hold for all weights, equal ones too.";
    out.findings.push_back(std::move(finding));
}

}  // namespace

void find_attention(const ModelShape& shape, Diagnosis& out) {
    const auto attention = attention_dim(shape);
    if (!shape.width || !attention) {
        out.not_analysed.push_back({"attention to width", !shape.width ? "the width is not known"
                                                                       : "heads or head size are not known"});
    } else {
        const auto latent = latent_cost(shape);
        if (latent) find_latent_cost(shape, *latent, out);
        if (!latent) find_ratio(shape, *attention, out);
        find_first_layer(shape, out);
        if (shape.kv_lora_rank) find_latent(shape, out);
        if (shape.kv_heads && *shape.kv_heads < *shape.heads && !shape.kv_lora_rank)
            find_shared_keys(shape, out);
    }
    if (shape.experts.value_or(0) > 1) find_experts(shape, out);
    if (shape.layer_groups && shape.depth && *shape.layer_groups < *shape.depth) find_sharing(shape, out);
}

}  // namespace plimsoll::audit
