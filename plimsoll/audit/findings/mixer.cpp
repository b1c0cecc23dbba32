#include <cmath>

#include "plimsoll/audit/findings/diagnosis.h"
#include "plimsoll/base/format.h"
#include "plimsoll/theory/papers/hayase_bounds.h"

namespace plimsoll::audit {
namespace {

constexpr std::int64_t mixings_per_block = 2;  // tokens, then channels

struct MixerNumbers {
    std::int64_t depth, tokens, channels;
};

void find_effective_width(const MixerNumbers& x, Diagnosis& out) {
    const theory::Integer width = theory::hayase_width(x.tokens, x.channels);
    Finding finding = make_finding("mixer-width");
    finding.value = width.to_double();
    finding.shown = width.text();
    finding.reading = fmt::format("tokens {} x channels {}", x.tokens, x.channels);
    finding.text = fmt::format(
        "As one wide sparse network the mixer is {} wide, with 1 in {} of the weights "
        "of its token mixing and 1 in {} of its channel mixing.",
        width.text(), x.channels, x.tokens);
    out.findings.push_back(std::move(finding));
}

void find_window(const MixerNumbers& x, Diagnosis& out) {
    if (x.channels < 2) return;
    Finding finding = make_finding("mixer-window");
    const double ratio = static_cast<double>(x.depth) / std::log2(static_cast<double>(x.channels));
    const bool inside = ratio > navon_window_low && ratio < navon_window_high;
    finding.severity = inside ? Severity::ok : Severity::notice;
    finding.value = ratio;
    finding.shown = fmt::format("{} : {:.2f}", x.depth, std::log2(static_cast<double>(x.channels)));
    finding.reading = inside                      ? "inside 1 to 2"
                      : ratio <= navon_window_low ? "shallower than reported"
                                                  : "deeper than reported";
    finding.text = fmt::format(
        "{} blocks are {:.2f} times log2 of {} channels. Navon and Bronstein report the best accuracy "
        "between "
        "1 and 2, on CIFAR and SVHN with 2 K to 256 K parameters; elsewhere it is a hypothesis.",
        x.depth, ratio, x.channels);
    if (!inside) {
        const double log2_width = std::log2(static_cast<double>(x.channels));
        finding.remedy = fmt::format("{:.0f} to {:.0f} blocks at this width", std::ceil(log2_width),
                                     std::floor(2 * log2_width));
    }
    out.findings.push_back(std::move(finding));
}

void find_knee(const MixerNumbers& x, Diagnosis& out) {
    const double knee = std::log2(static_cast<double>(x.tokens)) + std::log2(static_cast<double>(x.channels));
    if (knee <= 0) return;
    const std::int64_t layers = mixings_per_block * x.depth;
    Finding finding = make_finding("mixer-knee");
    finding.value = static_cast<double>(layers) / knee;
    finding.line = 1;
    finding.severity = *finding.value < 1 ? Severity::notice : Severity::ok;
    finding.shown = fmt::format("{} : {:.1f}", layers, knee);
    finding.reading = *finding.value < 1 ? "before the knee" : "past the knee";
    finding.text = fmt::format(
        "{} blocks are {} mixing layers; up to log2({} x {}) = {:.1f} each multiplies the logarithm of the "
        "bound, by 2 at first and by 1.5 at the end, beyond it each only adds. Hidden sizes, norms and skips "
        "are left out.",
        x.depth, layers, x.tokens, x.channels, knee);
    if (*finding.value < 1)
        finding.remedy = fmt::format("{:.0f} blocks reach the knee", std::ceil(knee / mixings_per_block));
    out.findings.push_back(std::move(finding));
}

// Connections are gamma S C (S + C) / 2, so the best S = C does not depend on gamma.
void find_shape(const MixerNumbers& x, Diagnosis& out) {
    const auto s = static_cast<double>(x.tokens), c = static_cast<double>(x.channels);
    const double best = std::cbrt(s * c * (s + c) / 2);
    Finding finding = make_finding("mixer-shape");
    finding.value = s * c / (best * best);
    finding.line = 1;
    finding.severity = Severity::info;
    finding.shown = fmt::format("{:.0f} : {:.0f}", s * c, best * best);
    finding.reading = fmt::format("best S = C = {:.0f}", best);
    finding.text = fmt::format(
        "Per unit of expansion it has {:.4g} connections a layer, S C (S + C) / 2. As many would allow S = C "
        "= "
        "{:.0f} and effective width {:.4g}; this shape has {:.2g} of that.",
        s * c * (s + c) / 2, best, best * best, *finding.value);
    out.findings.push_back(std::move(finding));
}

}  // namespace

void find_mixer(const ModelShape& shape, Diagnosis& out) {
    if (!shape.depth || !shape.width || !shape.tokens) {
        out.not_analysed.push_back({"mixer", "needs depth, channels and the number of tokens"});
        return;
    }
    const MixerNumbers x{*shape.depth, *shape.tokens, *shape.width};
    find_effective_width(x, out);
    find_window(x, out);
    find_knee(x, out);
    find_shape(x, out);
    if (!shape.token_ffn || !shape.channel_ffn)
        out.not_analysed.push_back(
            {"hidden sizes of the mixing layers", "not given; none of the findings needs them"});
}

}  // namespace plimsoll::audit
