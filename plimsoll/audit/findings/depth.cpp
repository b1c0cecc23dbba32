#include <algorithm>
#include <cmath>

#include "plimsoll/advise/depth_words.h"
#include "plimsoll/advise/levine_law.h"
#include "plimsoll/audit/findings/diagnosis.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"
#include "plimsoll/theory/capacity/fast_capacity.h"

namespace plimsoll::audit {
namespace {

constexpr std::int64_t fitted_from = 6, fitted_to = 48;  // depths of the fit
constexpr std::int64_t deepest_search = 400;
// The largest error of fast capacity (docs/measurements/theory.md): a cap further off than that decides the
// layer.
constexpr double doubt = 0.1;
constexpr std::int64_t widest_certified = 1 << 15, deepest_certified = 24;

double log3(double x) { return std::log(x) / std::log(3.0); }

// Whether the losses that the line was fitted to speak of such a network: dense layers of their own weights
// that read text from left to right.
bool is_measured_kind(const ModelShape& shape, std::string_view modality) {
    return shape.kind == formats::ModelKind::decoder && shape.vocab && !shape.layer_groups &&
           shape.experts.value_or(0) <= 1 && (modality.empty() || modality == "text");
}

// What the evidence does not cover; empty when it covers the model.
std::string evidence_caveat(bool measured_kind, const advise::DepthJudgement& judged) {
    if (measured_kind && judged.measured) return "";
    return fmt::format(
        " This is an extrapolation: the losses behind it are those of {}{} non-embedding parameters.",
        measured_kind ? "networks of " : "dense text decoders of ",
        human_count(advise::smallest_measured) + " to " + human_count(advise::largest_measured));
}

Severity severity_of(bool measured_kind, const advise::DepthJudgement& judged) {
    if (judged.place == advise::ValleySide::inside) return Severity::ok;
    const bool costs = judged.place != advise::ValleySide::edge;
    return costs && judged.measured && measured_kind ? Severity::severe : Severity::notice;
}

// The width of so many standard blocks of that size, as people choose them.
std::int64_t whole_width(double size, std::int64_t depth) {
    const double width = std::sqrt(size / advise::standard_size(static_cast<double>(depth), 1));
    const std::int64_t multiple = width < 512 ? 8 : 64;
    return std::max<std::int64_t>(1, std::llround(width / static_cast<double>(multiple))) * multiple;
}

std::string valley_remedy(const advise::DepthJudgement& judged) {
    const std::int64_t best = std::llround(judged.valley.best);
    const double depth = judged.place == advise::ValleySide::too_deep ? std::floor(judged.valley.high)
                                                                      : std::ceil(judged.valley.low);
    return fmt::format(
        "{:.0f} layers or {}; {} x {} standard blocks are on the line and have about as many parameters",
        depth, judged.place == advise::ValleySide::too_deep ? "fewer" : "more", best,
        whole_width(judged.size, best));
}

// The load line: what the depth costs beside the best one of the same size.
void find_valley(const ModelShape& shape, std::int64_t depth, Diagnosis& out) {
    const auto judged = advise::judge_depth(depth, *shape.width);
    const bool measured_kind = is_measured_kind(shape, out.modality);
    Finding finding = make_finding("depth-valley");
    finding.severity = severity_of(measured_kind, judged);
    finding.value = judged.cost.percent;
    finding.line = advise::valley_percent;
    finding.shown = fmt::format("{} : {}", depth, advise::valley_text(judged.valley));
    finding.reading = advise::place_text(judged);
    const bool inside = judged.place == advise::ValleySide::inside;
    finding.text = fmt::format(
        "{} of width {} {} {} of loss beside {:.0f} layers of the same size; {}.{}",
        depth == 1 ? "1 layer" : fmt::format("{} layers", depth), *shape.width,
        inside ? (depth == 1 ? "is inside the valley: it costs" : "are inside the valley: they cost")
               : (depth == 1 ? "costs" : "cost"),
        advise::cost_text(judged.cost), judged.valley.best, advise::valley_words(judged.valley),
        evidence_caveat(measured_kind, judged));
    if (!inside) finding.remedy = valley_remedy(judged);
    out.findings.push_back(std::move(finding));
}

// A fit of others, for comparison; it is not judged by.
void find_fitted(const ModelShape& shape, std::int64_t depth, Diagnosis& out) {
    const double line = advise::levine_depth(*shape.width);
    if (line < 1) return;
    Finding finding = make_finding("depth-fitted");
    finding.value = static_cast<double>(depth) / line;
    finding.line = 1;
    finding.shown = fmt::format("{} : {:.1f}", depth, line);
    finding.reading = fmt::format("{:.2g} times; not judged", *finding.value);
    finding.text = fmt::format(
        "The law that Levine et al. fitted to text decoders of {} to {} layers has {:.1f} layers at width "
        "{}. Below 50 M parameters the losses of other studies do not follow it (docs/ADVICE.md).",
        fitted_from, fitted_to, line, *shape.width);
    out.findings.push_back(std::move(finding));
}

void find_threshold(const ModelShape& shape, std::int64_t depth, Diagnosis& out) {
    const auto width = static_cast<double>(*shape.width);
    const bool known = shape.context.has_value() && *shape.context >= 2;
    const double context = known ? static_cast<double>(*shape.context) : 2 * width;
    const double threshold = theory::fast::knee_depth(width, context);
    if (!(threshold > 0)) {
        out.not_analysed.push_back({"depth to threshold T", "the width is too small for one"});
        return;
    }
    Finding finding = make_finding("depth-threshold");
    const double ratio = static_cast<double>(depth) / threshold;
    finding.severity = ratio < 1 ? Severity::notice : Severity::ok;
    finding.value = ratio;
    finding.line = 1;
    finding.shown = fmt::format("{} : {:.1f}", depth, threshold);
    finding.reading = fmt::format("{:.2g} T", ratio);
    finding.text = fmt::format(
        "Up to T({}, {}) = {:.1f} layers each layer at least doubles the logarithm of the repaired bound; "
        "from a few layers later on a layer only adds to it.",
        *shape.width, known ? std::to_string(*shape.context) : "N >= 2d", threshold);
    if (ratio < 1)
        finding.text +=
            " This bounds what the attention can express. It is no loss: the load line says what the depth "
            "costs.";
    out.findings.push_back(std::move(finding));
}

void find_published(const ModelShape& shape, std::int64_t depth, Diagnosis& out) {
    const double published = log3(static_cast<double>(*shape.width));
    if (published <= 0) return;
    Finding finding = make_finding("depth-published");
    finding.value = static_cast<double>(depth) / published;
    finding.line = 1;
    finding.shown = fmt::format("{} : {:.2f}", depth, published);
    finding.reading = "from a false theorem, E1";
    finding.text = fmt::format(
        "log3({}) = {:.2f} was published as the depth beyond which width pays as much as depth. The theorem "
        "behind it is false (docs/ERRATA.md, E1); the repaired bound turns at T.",
        *shape.width, published);
    out.findings.push_back(std::move(finding));
}

// Whether the bound reaches the cap at that depth: in doubles where that decides, certified otherwise.
bool reaches(double kappa, double cap, std::int64_t depth, std::int64_t width, std::int64_t context) {
    const bool clear = std::abs(kappa / cap - 1) > doubt;
    if (clear || width > widest_certified || depth > deepest_certified) return kappa >= cap;
    return theory::enclose_capacity(depth, width, context).upper.upper() >= cap;
}

// First depth whose capacity reaches the cap.
std::optional<std::int64_t> saturated_at(std::int64_t width, std::int64_t context, double cap) {
    const auto d = static_cast<double>(width), n = static_cast<double>(context);
    for (std::int64_t depth = 1; depth <= deepest_search; ++depth) {
        const double kappa = theory::fast::capacity_log3(static_cast<double>(depth), d, n);
        if (reaches(kappa, cap, depth, width, context)) return depth;
    }
    return std::nullopt;
}

void find_saturation(const ModelShape& shape, Diagnosis& out) {
    const auto skip = [&](const char* reason) {
        out.not_analysed.push_back({"depth to sequence cap", reason});
    };
    if (!shape.vocab || *shape.vocab < 2) return skip("needs a vocabulary");
    if (!shape.context || *shape.context < 2) return skip("needs a context; give --context");
    const double cap = theory::string_cap_log3(*shape.context, *shape.vocab, 64).middle();
    const auto depth = saturated_at(*shape.width, *shape.context, cap);
    if (!depth) return skip("the capacity of this width does not reach it");
    Finding finding = make_finding("depth-saturation");
    finding.value = static_cast<double>(*depth);
    finding.shown = fmt::format("{}", *depth);
    finding.reading = "tokens limit it there";
    finding.text = fmt::format(
        "No function of {} tokens out of {} has a separation rank above 3^{:.4g}; the bound stays below that "
        "for fewer than {} layers. For deeper networks, if they reach the bound, separation rank cannot tell "
        "shapes apart.",
        *shape.context, *shape.vocab, cap, *depth);
    out.findings.push_back(std::move(finding));
}

}  // namespace

void find_depth(const ModelShape& shape, Diagnosis& out) {
    const auto depth = deepest_stack(shape);
    if (!depth || !shape.width) {
        out.not_analysed.push_back({"depth", depth ? "the width is not known" : "the depth is not known"});
        return;
    }
    find_valley(shape, *depth, out);
    find_fitted(shape, *depth, out);
    find_threshold(shape, *depth, out);
    find_published(shape, *depth, out);
    find_saturation(shape, out);
}

}  // namespace plimsoll::audit
