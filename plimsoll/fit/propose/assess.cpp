#include "plimsoll/fit/propose/assess.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plimsoll/advise/reasons.h"
#include "plimsoll/advise/scanned_shapes.h"
#include "plimsoll/advise/shape_capacity.h"
#include "plimsoll/arch/count.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"

namespace plimsoll::fit {
namespace {

std::int64_t whole_rank(const InputChoice& input) {
    return input.rank >= 1 ? static_cast<std::int64_t>(std::llround(input.rank)) : 0;
}

// The rules that a race can show right or wrong; the others say nothing that differs between candidates.
constexpr std::array shown_rules{"R1", "R3", "R4", "R7", "R8", "R9"};

RuleReading finding_of(const advise::Reason& reason) {
    RuleReading finding;
    finding.rule = reason.rule;
    finding.name = reason.name;
    finding.value = reason.value;
    finding.line = reason.line;
    finding.sentence =
        fmt::format("{} {}{}: {}", reason.name, reason.value,
                    reason.line.empty() ? "" : fmt::format(" (line {})", reason.line), reason.reading);
    finding.standing = reason.standing();
    finding.severity = reason.severity;
    return finding;
}

// The advice whose answer is this shape: audit's reasons are about an answer.
advise::Advice as_answer(const advise::AdviceRequest& request, const advise::Layout& layout,
                         const Candidate& candidate) {
    const auto window = advise::window_at(request, layout);
    advise::Advice advice;
    advice.request = request;
    advice.answer.layout = layout;
    advice.answer.capacity = candidate.capacity;
    advice.answer.knee = candidate.knee;
    advice.answer.depth_over_knee = candidate.depth_over_knee;
    advice.answer.capacity_share = candidate.capacity_share;
    advice.string_cap = advise::string_cap(request);
    advice.window_low = window.low;
    advice.window_high = window.high;
    advice.band_low = window.band_low;
    advice.band_high = window.band_high;
    advice.line = candidate.line;
    return advice;
}

std::vector<RuleReading> findings_for(advise::Advice advice) {
    advise::certify(advice);
    advise::add_reasons(advice);
    std::vector<RuleReading> findings;
    for (const auto& reason : advice.reasons) {
        if (std::find(shown_rules.begin(), shown_rules.end(), reason.rule) != shown_rules.end())
            findings.push_back(finding_of(reason));
    }
    return findings;
}

std::string label_of(const arch::ArchSpec& spec, const std::string& family, const InputChoice& input) {
    const ShapeNumbers numbers = numbers_of(spec);
    const std::string shape = fmt::format("{} x {}", numbers.depth, numbers.width);
    if (const auto* mlp = std::get_if<arch::MlpSpec>(&spec))
        return fmt::format("{}, {}", shape, mlp->net.activation == arch::Activation::gelu ? "GELU" : "ReLU");
    if (family != "transformer") return fmt::format("{} {}, {}", family, shape, input.name);
    const std::string rank =
        numbers.embedding_rank > 0 ? fmt::format(", rank {}", numbers.embedding_rank) : "";
    return fmt::format("{}, {} {}{}, {}", shape, numbers.heads, numbers.heads == 1 ? "head" : "heads", rank,
                       input.name);
}

}  // namespace

advise::AdviceRequest request_for(const std::string& family, const InputChoice& input, const DataLook& look,
                                  std::int64_t budget) {
    advise::AdviceRequest request;
    request.parameters = budget;
    request.classes = look.classes;
    const bool images = look.modality == Modality::images;
    if (images) {
        request.image = {look.image_height, look.image_width, look.image_channels, input.patch, input.patch};
    }
    if (family != "transformer") {
        request.family = advise::AdviceFamily::mixer;
        request.context = input.tokens;
        return request;
    }
    request.context = images ? input.tokens + 1 : input.tokens;  // the class token
    if (images) return request;
    const std::int64_t seen = whole_rank(input);
    request.vocab = std::max<std::int64_t>(2, seen > 0 ? std::min(seen, input.vocab) : input.vocab);
    return request;
}

advise::Layout layout_of(const arch::ArchSpec& spec, const InputChoice& input) {
    const ShapeNumbers numbers = numbers_of(spec);
    advise::Layout layout;
    layout.depth = numbers.depth;
    layout.width = numbers.width;
    layout.ffn = numbers.hidden;
    layout.tokens = numbers.tokens;
    if (numbers.heads == 0) return layout;
    layout.heads = numbers.heads;
    layout.head_dim = numbers.width / numbers.heads;
    layout.embedding_rank = numbers.embedding_rank;
    // Patches that span fewer dimensions than they have numbers act like a factorised table.
    if (input.patch > 0 && whole_rank(input) > 0) layout.embedding_rank = whole_rank(input);
    return layout;
}

double flops_per_unit(const arch::ArchSpec& spec, const InputChoice& input) {
    const auto counted = arch::count(spec, {});
    PLIMSOLL_CHECK(counted.ok(), counted.error().text());
    const double flops = counted->training_flops.real();
    const bool next_token = input.patch == 0 && counted->unit == "token";
    const bool whole_text =
        std::holds_alternative<arch::MixerSpec>(spec) && std::get<arch::MixerSpec>(spec).vocab_head;
    if (!next_token && !whole_text) return flops;
    const double tokens = next_token ? 1 : real(input.tokens);
    return flops / (tokens * (input.units_per_token > 0 ? input.units_per_token : 1));
}

Candidate assess(const arch::ArchSpec& spec, const InputChoice& input, const DataLook& look,
                 std::int64_t budget, double best_capacity) {
    const ShapeNumbers numbers = numbers_of(spec);
    Candidate candidate;
    candidate.spec = spec;
    candidate.input = input;
    candidate.family = arch::family_name(spec);
    candidate.depth = numbers.depth;
    candidate.width = numbers.width;
    candidate.label = label_of(spec, candidate.family, input);
    candidate.parameters = static_cast<std::int64_t>(arch::parameter_count(spec).real());
    candidate.flops_per_unit = flops_per_unit(spec, input);
    candidate.depth_over_log2_width = real(numbers.depth) / std::log2(std::max(2.0, real(numbers.width)));
    if (line_of(candidate.family) == Line::usual) {  // no theory speaks of it
        candidate.knee = candidate.line = usual_depth_of_tables;
        candidate.depth_over_knee = candidate.depth_over_line();
        return candidate;
    }
    const auto request = request_for(candidate.family, input, look, budget);
    const auto layout = layout_of(spec, input);
    candidate.capacity = advise::layout_capacity(request, layout);
    candidate.capacity_share = best_capacity > 0 ? std::min(1.0, candidate.capacity / best_capacity) : 0;
    candidate.knee = advise::layout_knee(request, layout);
    candidate.line = advise::layout_line(request, layout);
    candidate.depth_over_knee = real(numbers.depth) / candidate.knee;
    candidate.findings = findings_for(as_answer(request, layout, candidate));
    return candidate;
}

}  // namespace plimsoll::fit
