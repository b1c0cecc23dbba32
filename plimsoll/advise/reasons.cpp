#include "plimsoll/advise/reasons.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/advise/cost.h"
#include "plimsoll/advise/depth_words.h"
#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/theory/attainment/attained.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"
#include "plimsoll/theory/capacity/fast_capacity.h"
#include "plimsoll/theory/papers/hayase_bounds.h"

namespace plimsoll::advise {
namespace {

constexpr int bits = 64;

std::string ratio(std::int64_t a, std::int64_t b) { return fmt::format("{} : {}", a, b); }

// n of CAPACITY 5.1 and 5.3 as an integer; shape_capacity.cpp has it in doubles.
theory::Integer whole_free_entries(const AdviceRequest& request, std::int64_t d, std::int64_t r) {
    const std::int64_t r_e = std::min(d, request.context / 2);
    const std::int64_t shared = std::max<std::int64_t>(0, r + r_e - d);
    if (request.vocab > 0) return theory::token_entries(request.vocab, r, r_e, shared);
    return floor_div(theory::Integer(r) * (r + 1 + 2 * (r_e - shared)), 2);
}

// L_sat: the doubles point at it, and the certified upper end of the depth before it proves "not before". The
// bound for long contexts is an upper end too, and a quick one.
std::int64_t saturated_from(const AdviceRequest& request, std::int64_t width, double cap) {
    const auto may_reach = [&](std::int64_t depth) {
        if (theory::full_bound_log3(depth, width, bits).upper() < cap) return false;
        return theory::enclose_capacity(depth, width, request.context, bits).upper.upper() >= cap;
    };
    std::int64_t depth = 1;
    while (theory::fast::capacity_log3(real(depth), real(width), real(request.context)) < cap) ++depth;
    while (depth > 1 && may_reach(depth - 1)) --depth;
    return depth;
}

void certify_attention(Advice& advice) {
    const Layout& a = advice.answer.layout;
    const auto whole = theory::enclose_capacity(a.depth, a.width, advice.request.context, bits);
    advice.certified_lower = whole.lower.lower();
    advice.certified_upper = whole.upper.upper();
    const std::int64_t r = input_rank(advice.request, a);
    if (r < a.width) {
        const std::int64_t outputs = advice.request.vocab > 0 ? std::min(r + 1, advice.request.vocab) : r + 1;
        const auto limited = theory::staircase_log3(
            theory::gram_count(a.depth), whole_free_entries(advice.request, a.width, r), outputs, bits);
        advice.certified_lower = std::min(advice.certified_lower, limited.lower());
        advice.certified_upper = std::min(advice.certified_upper, limited.upper());
    }
    const auto attained =
        theory::attained_log3({a.depth, a.width, a.heads, a.head_dim, advice.request.context, r}, bits);
    if (attained) advice.proved_lower = attained->log3.lower();
    if (advice.string_cap) advice.saturated = saturated_from(advice.request, a.width, *advice.string_cap);
}

void certify_mixer(Advice& advice) {
    const Layout& a = advice.answer.layout;
    advice.certified_lower = advice.certified_upper = advice.answer.capacity;
    if (a.tokens % 2 != 0 && a.width % 2 != 0) return;
    const bool by_rows = a.tokens % 2 == 0;
    const auto bound = theory::mixer_rows_log3(by_rows ? a.tokens : a.width, by_rows ? a.width : a.tokens,
                                               2 * a.depth, bits);
    advice.certified_lower = bound.lower();
    advice.certified_upper = bound.upper();
}

// What the last layer (of a mixer: block) multiplied capacity by; 0 for the first one.
double last_factor(const Advice& advice) {
    Layout before = advice.answer.layout;
    if (--before.depth < 1) return 0;
    return layout_capacity(advice.request, advice.answer.layout) / layout_capacity(advice.request, before);
}

Reason knee_reason(const Advice& advice) {
    const auto& a = advice.answer;
    const bool mixer = advice.request.family == AdviceFamily::mixer;
    const double factor = last_factor(advice);
    const std::string growth = factor > 0 ? fmt::format(": the last {} multiplies capacity by {:.1f}",
                                                        mixer ? "block" : "layer", factor)
                                          : "";
    const bool past = a.depth_over_knee >= 1;
    const std::string against = past || mixer ? "" : "; theory asks for more, measured losses do not";
    return {mixer ? "R9" : "R1",
            "depth to knee",
            fmt::format("{}", a.layout.depth),
            fmt::format("{:.1f}", a.knee),
            fmt::format("{:.2f} T{}{}", a.depth_over_knee, growth, against),
            mixer ? "CAP-mixer_rows_int" : "CAP-T_knee",
            past    ? Severity::passed
            : mixer ? Severity::act
                    : Severity::note};
}

Reason mixer_window_reason(const Advice& advice) {
    const double multiple = real(advice.answer.layout.depth) / advice.line;
    const bool inside = multiple >= advice.window_low - 1e-9 && multiple <= advice.window_high + 1e-9;
    return {"R9",
            "depth in the window",
            fmt::format("{:.2f}", multiple),
            fmt::format("{:g} to {:g}", advice.window_low, advice.window_high),
            "blocks / log2 C, where accuracies were best [Navon 2022]",
            "NAVON-WINDOW",
            inside ? Severity::passed : Severity::act};
}

// The load line about the answer's depth.
Reason valley_reason(const Advice& advice) {
    const Layout& a = advice.answer.layout;
    const DepthJudgement judged = judge_depth(a.depth, a.width);
    return {"R3",
            "depth in the valley",
            fmt::format("{}", a.depth),
            valley_text(judged.valley),
            fmt::format("costs {} of loss beside {:.0f} layers of the same size{}", cost_text(judged.cost),
                        judged.valley.best, judged.measured ? "" : "; an extrapolation"),
            "ADVICE-R3",
            judged.place == ValleySide::inside ? Severity::passed
            : judged.place == ValleySide::edge ? Severity::note
                                               : Severity::act};
}

Reason share_reason(const Advice& advice) {
    return {
        "R2",
        "capacity share",
        share_text(advice.answer.capacity_share),
        "100 %",
        fmt::format("of the most at this budget, {} x {}: it rises with depth, measured losses do not follow",
                    advice.best_depth, advice.best_width),
        "ADVICE-R2",
        Severity::note};
}

Reason cap_reason(const Advice& advice) {
    const std::int64_t saturated = advice.saturated.value_or(0);
    const bool reached = advice.answer.capacity >= *advice.string_cap;
    return {"R4",
            "tokens can limit from",
            fmt::format("layer {}", saturated),
            "",
            reached ? fmt::format("capacity passes what {} tokens can carry, {:.4g}; if networks do, theory "
                                  "cannot rank shapes",
                                  advice.request.context, *advice.string_cap)
                    : fmt::format("what {} tokens can carry, {:.4g}, is not reached: capacity ranks shapes",
                                  advice.request.context, *advice.string_cap),
            reached ? "CAP-L_sat" : "CAP-string_cap_log3",
            Severity::note};
}

Reason heads_reason(const Advice& advice) {
    const Layout& a = advice.answer.layout;
    const double lost = theory::heads_layers_lost(a.heads, bits).middle();
    return {"R5",
            "heads of layer 1",
            fmt::format("{} of {}", a.heads, a.head_dim),
            "3",
            fmt::format("cost the bound {:.2f} of a layer, in the deep limit", lost),
            "CAP-heads_layers_lost_limit",
            Severity::passed};
}

Reason attention_reason(const Advice& advice) {
    const Layout& a = advice.answer.layout;
    const std::int64_t attention = a.heads * a.head_dim;
    const bool equal = attention == a.width;
    return {"R6",
            "attention to width",
            ratio(attention, a.width),
            "1",
            equal ? "equal" : "wider: the bound gains less than one layer, paid for in every one",
            "CAP-heads_layers_lost_limit",
            equal                          ? Severity::passed
            : 4 * attention <= 5 * a.width ? Severity::note
                                           : Severity::act};
}

Reason rank_reason(const Advice& advice) {
    const Layout& a = advice.answer.layout;
    const double share = rank_share(advice.request, a);
    const std::int64_t r = input_rank(advice.request, a);
    const bool enough = rank_suffices(advice.request, a);
    return {"R7",
            advice.request.vocab > 0 ? "embedding rank to width" : "patch rank to width",
            ratio(r, a.width),
            "0.5",
            r == a.width ? "full"
                         : fmt::format("leaves {:.0f} % of what the width could tie together", 100 * share),
            "CAP-pos_bound_int",
            r == a.width ? Severity::passed
            : enough     ? Severity::note
                         : Severity::act};
}

Reason context_reason(const Advice& advice) {
    const Layout& a = advice.answer.layout;
    const std::int64_t n = advice.request.context;
    const bool free = n >= 2 * a.width;
    return {"R8",
            "context to width",
            ratio(n, a.width),
            "2",
            free ? "does not limit the width"
                 : fmt::format("past width {} capacity grows linearly, not with the square", n / 2),
            "CAP-bound_int",
            free ? Severity::passed : Severity::note};
}

Reason ends_reason(const Advice& advice) {
    const std::string proved =
        advice.proved_lower > 0
            ? fmt::format("upper end; {:.4g} ({:.2g} of it) is proved on continuous inputs; ",
                          advice.proved_lower, advice.proved_lower / advice.certified_upper)
            : "";
    return {"R10",
            "capacity, log3",
            fmt::format("{:.4g}", advice.certified_upper),
            "",
            proved + "a necessary condition, never a loss",
            advice.request.family == AdviceFamily::mixer ? "CAP-mixer_rows_int-LOG3" : "CAP-bound_int",
            Severity::note};
}

Reason silent_reason() {
    return {"R10",   "trainability", "", "", "theory does not say how deep a network still trains well",
            "SCOPE", Severity::note};
}

Reason mixer_reason(const Advice& advice) {
    const Layout& a = advice.answer.layout;
    const auto omega = theory::hayase_omega(a.tokens, a.width, mlp_expansion);
    const double best = std::sqrt(theory::hayase_max_width(omega, mlp_expansion, bits).middle());
    return {"R9",
            "tokens to channels",
            ratio(a.tokens, a.width),
            "1",
            a.tokens == a.width
                ? fmt::format("effective width {}, the most for its connections", a.tokens * a.width)
                : fmt::format("effective width {}; S = C = {:.0f} would give {:.0f}", a.tokens * a.width,
                              best, best * best),
            "HAYASE-MAXW",
            a.tokens == a.width ? Severity::passed : Severity::note};
}

}  // namespace

void certify(Advice& advice) {
    advice.request.family == AdviceFamily::mixer ? certify_mixer(advice) : certify_attention(advice);
}

void add_reasons(Advice& advice) {
    auto& reasons = advice.reasons;
    reasons.push_back(knee_reason(advice));
    const bool mixer = advice.request.family == AdviceFamily::mixer;
    reasons.push_back(mixer ? mixer_window_reason(advice) : valley_reason(advice));
    if (mixer) {
        reasons.push_back(mixer_reason(advice));
    } else {
        if (advice.string_cap) reasons.push_back(cap_reason(advice));
        reasons.push_back(heads_reason(advice));
        reasons.push_back(attention_reason(advice));
        reasons.push_back(rank_reason(advice));
        reasons.push_back(context_reason(advice));
    }
    reasons.push_back(share_reason(advice));
    reasons.push_back(ends_reason(advice));
    reasons.push_back(silent_reason());
}

}  // namespace plimsoll::advise
