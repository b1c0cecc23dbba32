#include <cmath>

#include "plimsoll/advise/load_line.h"
#include "plimsoll/audit/findings/diagnosis.h"
#include "plimsoll/base/format.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"
#include "plimsoll/theory/capacity/fast_capacity.h"

namespace plimsoll::audit {
namespace {

constexpr std::int64_t fitted_from = 6, fitted_to = 48;  // depths of the fit
constexpr double capacity_window = 4;                    // reported optima lie between T and about 4 T
constexpr std::int64_t deepest_search = 400;
// The largest error of fast capacity (docs/measurements/theory.md): a cap further off than that decides the
// layer.
constexpr double doubt = 0.1;
constexpr std::int64_t widest_certified = 1 << 15, deepest_certified = 24;

double log3(double x) { return std::log(x) / std::log(3.0); }

std::string line_caveat(const ModelShape& shape, std::int64_t depth) {
    std::string text = fmt::format("Fitted to decoders of text, {} to {} layers, 12 width^2 a layer",
                                   fitted_from, fitted_to);
    if (depth < fitted_from || depth > fitted_to)
        text += fmt::format("; {} layers are outside that range", depth);
    if (!shape.vocab) text += "; this model does not read tokens";
    return text + ".";
}

std::string line_remedy(std::optional<std::int64_t> parameters, const ModelShape& shape) {
    if (!parameters) return "move depth or width towards the line";
    const auto line = advise::on_the_line(*parameters, shape.vocab.value_or(0));
    if (!line) return "move depth or width towards the line";
    return fmt::format("on the line with the same parameters in standard blocks: {} layers x {}", line->depth,
                       line->width);
}

// "17 layers too deep", "on the line".
std::string line_reading(std::int64_t depth, double line) {
    const auto off = std::llround(static_cast<double>(depth) - line);
    if (off == 0) return "on the line";
    return fmt::format("{} {} too {}", std::abs(off), std::abs(off) == 1 ? "layer" : "layers",
                       off > 0 ? "deep" : "shallow");
}

void find_fitted(const ModelShape& shape, std::int64_t depth, std::optional<std::int64_t> parameters,
                 Diagnosis& out) {
    const std::int64_t width = *shape.width;
    const double line = advise::load_line_depth(width);
    if (line < 1) {
        out.not_analysed.push_back(
            {"depth to load line", fmt::format("the fitted law begins at width {:.0f}, this one has {}",
                                               std::ceil(advise::load_line_width(1)), width)});
        return;
    }
    Finding finding = make_finding("depth-fitted");
    const double ratio = static_cast<double>(depth) / line;
    const bool on_line = std::abs(ratio - 1) <= load_line_tolerance;
    finding.severity = on_line ? Severity::ok : Severity::notice;
    finding.value = ratio;
    finding.line = 1;
    finding.shown = fmt::format("{} : {:.1f}", depth, line);
    finding.reading = on_line ? "on the line" : line_reading(depth, line);
    finding.text = fmt::format(
        "{} layers at width {}; the load line has {:.1f} there, {:.2f} times: {}. {}", depth, width, line,
        ratio, on_line ? "on the line" : line_reading(depth, line) + " for its width by the fitted law",
        line_caveat(shape, depth));
    if (!on_line) finding.remedy = line_remedy(parameters, shape);
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
    finding.severity = ratio < shallow_share_of_threshold ? Severity::severe
                       : ratio < 1                        ? Severity::notice
                                                          : Severity::ok;
    finding.value = ratio;
    finding.line = 1;
    finding.shown = fmt::format("{} : {:.1f}", depth, threshold);
    finding.reading = fmt::format("{:.2g} T", ratio);
    finding.text = fmt::format(
        "T({}, {}) = {:.1f} layers: a layer doubles the logarithm of the repaired bound there, does more "
        "before "
        "it, and beyond it only adds.",
        *shape.width, known ? std::to_string(*shape.context) : "N >= 2d", threshold);
    if (ratio < 1)
        finding.remedy = fmt::format("at least {:.0f} layers, at the cost of width", std::ceil(threshold));
    if (ratio > capacity_window)
        finding.text +=
            " The optima reported for language models lie between T and about 4 T; the upper end is "
            "empirical, capacity does not fall with depth.";
    out.findings.push_back(std::move(finding));
}

void find_published(const ModelShape& shape, std::int64_t depth, Diagnosis& out) {
    const double published = log3(static_cast<double>(*shape.width));
    if (published <= 0) return;
    Finding finding = make_finding("depth-published");
    finding.value = static_cast<double>(depth) / published;
    finding.line = 1;
    finding.shown = fmt::format("{} : {:.2f}", depth, published);
    finding.reading = "its theorem is false, E1";
    finding.text = fmt::format(
        "log3({}) = {:.2f} was published as the depth beyond which width pays as much. The theorem behind it "
        "is false (docs/ERRATA.md, E1); the repaired bound turns at T instead.",
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
    finding.reading = fmt::format("tokens carry {:.3g}", cap);
    finding.text = fmt::format(
        "No function of {} tokens from {} has more than {:.4g} in log3, and the bound stays below that for "
        "fewer than {} layers. Beyond, if the bound is attained, separation rank cannot tell shapes apart.",
        *shape.context, *shape.vocab, cap, *depth);
    out.findings.push_back(std::move(finding));
}

}  // namespace

void find_depth(const ModelShape& shape, std::optional<std::int64_t> parameters, Diagnosis& out) {
    const auto depth = deepest_stack(shape);
    if (!depth || !shape.width) {
        out.not_analysed.push_back({"depth", depth ? "the width is not known" : "the depth is not known"});
        return;
    }
    find_fitted(shape, *depth, parameters, out);
    find_threshold(shape, *depth, out);
    find_published(shape, *depth, out);
    find_saturation(shape, out);
}

}  // namespace plimsoll::audit
