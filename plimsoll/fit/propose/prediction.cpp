#include "plimsoll/fit/propose/prediction.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/advise/scanned_shapes.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::fit {
namespace {

constexpr double tie_doublings = 0.1;

advise::Valley valley_of(std::int64_t depth, std::int64_t width) {
    return advise::valley_at(advise::standard_size(static_cast<double>(depth), static_cast<double>(width)));
}

const RuleReading* finding(const Candidate& candidate, std::string_view rule) {
    for (const auto& found : candidate.findings)
        if (found.rule == rule) return &found;
    return nullptr;
}

// Doublings from `value` to the nearer end of [low, high].
double doublings_outside(double value, double low, double high) {
    return std::max({0.0, std::log2(low / value), std::log2(value / high)});
}

// R4 says "reached" by the standing of its finding: CAP-L_sat is conjectured, the cap itself proved.
bool strings_limit(const Candidate& candidate) {
    const RuleReading* cap = finding(candidate, "R4");
    return cap != nullptr && cap->standing == "conjectured";
}

double input_rank(const Candidate& candidate) {
    double rank = static_cast<double>(candidate.width);
    if (candidate.input.rank >= 1) rank = std::min(rank, candidate.input.rank);
    if (candidate.input.vocab > 0) rank = std::min(rank, static_cast<double>(candidate.input.vocab));
    const ShapeNumbers numbers = numbers_of(candidate.spec);
    return numbers.embedding_rank > 0 ? std::min(rank, static_cast<double>(numbers.embedding_rank)) : rank;
}

std::string depth_part(const Proposal& proposal, const Candidate& favourite) {
    const std::string depths = range_text(proposal.expected_low, proposal.expected_high);
    if (favourite.family != "transformer")
        return fmt::format(
            "Theory expects {} blocks to be best ({:g} to {:g} times log2 C = {:.1f} at width {})", depths,
            advise::mixer_window_low, advise::mixer_window_high, favourite.line, favourite.width);
    return fmt::format(
        "The load line expects {} layers to lose at most 1 % to the best depth, which is near {:.1f}", depths,
        favourite.line);
}

std::string strings_part(const Candidate& favourite) {
    const RuleReading* cap = finding(favourite, "R4");
    if (cap == nullptr || !strings_limit(favourite)) return "";
    return fmt::format(
        "; from {} on the number of inputs of this length may limit the separation rank "
        "(conjectured), "
        "so theory does not rank deeper shapes",
        cap->value);
}

std::string rank_part(const Proposal& proposal, const Candidate& favourite) {
    std::vector<std::string> wide;
    for (const auto& candidate : proposal.candidates)
        if (candidate.family == favourite.family && candidate.input.name == favourite.input.name &&
            hampered_by(candidate, "R7"))
            wide.push_back(fmt::format("{} x {}", candidate.depth, candidate.width));
    std::sort(wide.begin(), wide.end());
    wide.erase(std::unique(wide.begin(), wide.end()), wide.end());
    if (wide.empty()) return "";
    const double rank =
        favourite.input.rank >= 1 ? favourite.input.rank : static_cast<double>(favourite.input.vocab);
    return fmt::format("; the {} of rank {:.0f} caps useful width at {:.0f}, so {} should waste width",
                       favourite.input.vocab > 0 ? "vocabulary" : "patch", rank, 2 * rank, join(wide, ", "));
}

std::string silent_part(const Proposal& proposal, const Candidate& favourite) {
    std::vector<std::string> silent;
    const auto differs = [&](auto field) {
        return std::ranges::any_of(networks_of(proposal),
                                   [&](const auto* one) { return field(*one) != field(favourite); });
    };
    if (differs([](const Candidate& c) { return c.family; })) silent.push_back("families");
    if (differs([](const Candidate& c) { return c.input.name; }))
        silent.push_back(favourite.input.vocab > 0 ? "vocabularies" : "patch sizes");
    if (silent.empty()) return "";
    return fmt::format("; it does not rank {}", join(silent, " or "));
}

}  // namespace

std::string range_text(std::int64_t low, std::int64_t high) {
    return low == high ? std::to_string(low) : fmt::format("{} to {}", low, high);
}

double theory_distance(const Candidate& candidate) {
    if (line_of(candidate.family) == Line::usual) return 0;
    if (candidate.family != "transformer")
        return doublings_outside(candidate.depth_over_line(), advise::mixer_window_low,
                                 advise::mixer_window_high);
    const auto valley = valley_of(candidate.depth, candidate.width);
    return doublings_outside(static_cast<double>(candidate.depth), valley.low, valley.high) +
           std::max(0.0, std::log2(static_cast<double>(candidate.width) / (2 * input_rank(candidate))));
}

void order_by_theory(Proposal& proposal) {
    for (auto& candidate : proposal.candidates) {
        const double distance = theory_distance(candidate);
        const auto before =
            std::count_if(proposal.candidates.begin(), proposal.candidates.end(), [&](const auto& other) {
                return other.family == candidate.family &&
                       theory_distance(other) < distance - tie_doublings - line_rounding;
            });
        candidate.theory_score = 1 + static_cast<double>(before);
    }
}

void predict(Proposal& proposal, const Field& main) {
    const Candidate& favourite = *find_candidate(proposal, proposal.favourite);
    if (main.maker.line() == Line::usual) {
        proposal.prediction =
            "Theory and the studies behind the load line are silent on networks for tables: the depths race, "
            "and nothing is expected of them.";
        return;
    }
    proposal.expected_low = proposal.expected_high = favourite.depth;
    for (const auto& shape : main.shapes) {
        const bool expected =
            main.maker.line() == Line::log2_channels
                ? doublings_outside(shape.over_line(), advise::mixer_window_low, advise::mixer_window_high) ==
                      0
                : advise::judge_depth(shape.depth, shape.width).place == advise::ValleySide::inside;
        if (!expected) continue;
        proposal.expected_low = std::min(proposal.expected_low, shape.depth);
        proposal.expected_high = std::max(proposal.expected_high, shape.depth);
    }
    proposal.prediction = depth_part(proposal, favourite) + strings_part(favourite) +
                          rank_part(proposal, favourite) + silent_part(proposal, favourite) + ".";
}

}  // namespace plimsoll::fit
