#include "plimsoll/fit/decide/verdicts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/decide/noise.h"
#include "plimsoll/fit/propose/rival.h"

namespace plimsoll::fit {
namespace {

using Test = std::function<bool(const Candidate&)>;

// The best row of the candidates that pass; none when none of them is there.
std::optional<std::size_t> best_of(const RungTable& table, const Proposal& proposal, const Test& test) {
    std::optional<std::size_t> best;
    for (const auto& candidate : proposal.candidates) {
        const auto row = table.row(candidate.id);
        if (row && test(candidate) && (!best || table.lead(*row, *best) > 0)) best = row;
    }
    return best;
}

// Two groups at the highest rung that has both.
struct Duel {
    RungTable table;
    std::size_t first, second;
    double lead, half_width;
};
std::optional<Duel> duel(const DataLook& look, const Proposal& proposal, const Race& race, const Test& first,
                         const Test& second, std::size_t comparisons) {
    for (const int rung : rungs_downwards(race)) {
        const auto table = rung_table(race, rung, look.goal);
        if (!table) continue;
        const auto a = best_of(*table, proposal, first), b = best_of(*table, proposal, second);
        if (!a || !b) continue;
        const std::size_t pairs = comparisons > 0 ? comparisons : pairs_of(table->candidates.size());
        return Duel{*table, *a, *b, table->lead(*a, *b), RungNoise(*table).between(*a, *b).half_width(pairs)};
    }
    return std::nullopt;
}

const Candidate& at(const Proposal& proposal, const RungTable& table, std::size_t row) {
    return *find_candidate(proposal, table.candidates[row]);
}

Versus versus(const DataLook& look, const Proposal& proposal, const Race& race, const Candidate& winner,
              const Candidate& other, std::string_view rival) {
    Versus result;
    result.rival = rival;
    result.candidate = other.id;
    result.verdict = inside_noise;
    if (other.id == winner.id) return result;
    const auto found = duel(
        look, proposal, race, [&](const auto& c) { return c.id == winner.id; },
        [&](const auto& c) { return c.id == other.id; }, rival_rules().size());
    result.half_width = std::numeric_limits<double>::quiet_NaN();
    if (!found) return result;
    result.rung = found->table.rung;
    result.difference = found->lead;
    result.half_width = found->half_width;
    result.verdict = verdict_of(found->lead, found->half_width);
    return result;
}

// The depths of the favourite's family and input on a rung, of each the first candidate.
std::map<std::int64_t, std::size_t> depth_rows(const RungTable& table, const Proposal& proposal) {
    const Candidate* main = find_candidate(proposal, proposal.favourite);
    std::map<std::int64_t, std::size_t> rows;
    for (const auto& candidate : proposal.candidates) {
        const auto row = table.row(candidate.id);
        if (row && candidate.family == main->family && candidate.input.name == main->input.name)
            rows.emplace(candidate.depth, *row);
    }
    return rows;
}

constexpr double spread_needed = 3;        // deepest over shallowest
constexpr double learned_share = 0.01;     // of the constant answer's bits, or of accuracy
constexpr double telling_share = 0.02;     // noise below this share can show that depth does not matter
constexpr double negligible_share = 0.01;  // a difference that nobody would pay for
constexpr double shallow_lines = 0.75;     // a plateau from below the knee on says that depth does not matter

bool spread_enough(const std::map<std::int64_t, std::size_t>& rows) {
    return rows.size() >= depths_needed && static_cast<double>(rows.rbegin()->first) >=
                                               spread_needed * static_cast<double>(rows.begin()->first);
}

bool beats_constant(const DataLook& look, double value) {
    if (look.chance <= 0) return true;
    if (look.goal == Goal::accuracy) return value > look.chance + 2 * learned_share;
    return value < (1 - learned_share) * look.chance;
}

bool no_dependence(const DataLook& look) {
    return !look.dependence.by_distance.empty() && look.dependence.reach <= 0;
}

// The depths around the best one that are as good: inside the noise, or less than a hundredth behind.
struct Plateau {
    std::int64_t low, high;
    std::size_t best, worst;  // rows: the best depth and the worst of all
    std::size_t low_row;
    bool whole;  // all depths are on it
};
Plateau plateau_of(const RungTable& table, const RungNoise& noise,
                   const std::map<std::int64_t, std::size_t>& rows, double negligible) {
    auto best = rows.begin(), worst = rows.begin();
    for (auto it = rows.begin(); it != rows.end(); ++it) {
        if (table.lead(it->second, best->second) > 0) best = it;
        if (table.lead(it->second, worst->second) < 0) worst = it;
    }
    const auto as_good = [&](auto it) {
        const Noise both = noise.between(best->second, it->second);
        const double lead = table.lead(best->second, it->second);
        return lead <= std::max(negligible, both.half_width(pairs_of(table.candidates.size())));
    };
    auto low = best, high = best;
    while (low != rows.begin() && as_good(std::prev(low))) --low;
    while (std::next(high) != rows.end() && as_good(std::next(high))) ++high;
    const bool whole = low == rows.begin() && std::next(high) == rows.end();
    return {low->first, high->first, best->second, worst->second, low->second, whole};
}

std::string nothing_learned(const DataLook& look, const std::string& range) {
    if (no_dependence(look)) {
        return fmt::format(
            "Depth does not matter here: nothing in the data depends on anything beyond one symbol, and no "
            "shape "
            "({}) found more than the best constant answer ({:.4g}).",
            range, look.chance);
    }
    return fmt::format(
        "No shape found more than the best constant answer ({:.4g}) yet: the race is too short to say "
        "whether "
        "depth matters.",
        look.chance);
}

double over_knee(const Candidate& one) {
    return one.family == "transformer" ? one.depth_over_knee : one.depth_over_line();
}

std::string layers(std::int64_t depth) {
    return fmt::format("{} {}", depth, depth == 1 ? "layer" : "layers");
}

DepthVerdict judged(const DataLook& look, const Proposal& proposal, const RungTable& table,
                    const std::map<std::int64_t, std::size_t>& rows) {
    const std::string range = fmt::format("{} to {} layers", rows.begin()->first, rows.rbegin()->first);
    if (!beats_constant(look, table.mean(table.best())))
        return {!no_dependence(look), nothing_learned(look, range)};
    const double scale = look.goal == Goal::accuracy ? 1 : table.mean(table.best());
    const RungNoise noise(table);
    const std::size_t pairs = pairs_of(table.candidates.size());
    const Plateau plateau = plateau_of(table, noise, rows, negligible_share * scale);
    const double half_width = noise.between(plateau.best, plateau.worst).half_width(pairs);
    const std::string spread = with_noise(table.lead(plateau.best, plateau.worst), half_width, look);
    if (half_width > telling_share * scale && plateau.whole)
        return {true,
                fmt::format("Whether depth matters the race cannot tell: {} differ by {}.", range, spread)};
    if (plateau.whole) {
        return {false, fmt::format("Depth does not matter here: {} differ by {}, {}.", range, spread,
                                   table.lead(plateau.best, plateau.worst) <= half_width ? "inside the noise"
                                                                                         : "less than 1 %")};
    }
    const std::int64_t worst = at(proposal, table, plateau.worst).depth;
    const std::string as_good =
        plateau.low == plateau.high
            ? ""
            : fmt::format("; {} to {} layers are equally good within the noise or 1 %", plateau.low,
                          plateau.high);
    const bool wide = static_cast<double>(plateau.high) >= spread_needed * static_cast<double>(plateau.low);
    const bool telling = noise.usual().half_width(pairs) <= telling_share * scale;
    if (wide && telling && over_knee(at(proposal, table, plateau.low_row)) <= shallow_lines) {
        return {false,
                fmt::format("Depth does not matter here from {} to {} layers, which are equally good within "
                            "the noise or 1 %; the worst depth, {}, loses {}.",
                            plateau.low, plateau.high, worst, spread)};
    }
    return {true,
            fmt::format("Depth matters: the best, {}, beats the worst, {}, by {}{}.",
                        layers(at(proposal, table, plateau.best).depth), layers(worst), spread, as_good)};
}

std::string one_input_only(const DataLook& look, const Candidate& winner) {
    if (!hampered_by(winner, "R7")) {
        return fmt::format("The data was cut in one way only ({}), and theory sees no bottleneck in it.",
                           winner.input.name);
    }
    return fmt::format(
        "First give the input more rank: {} brings {:.0f} dimensions to a width of {}; {} of {} or more "
        "would use it (R7).",
        winner.input.name, winner.input.rank, winner.width,
        look.modality == Modality::images ? "patches" : "a vocabulary", winner.width / 2);
}

std::vector<std::string> labels_where(const Proposal& proposal, const Test& test) {
    std::vector<std::string> labels;
    for (const auto& candidate : proposal.candidates)
        if (test(candidate)) labels.push_back(fmt::format("{} x {}", candidate.depth, candidate.width));
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    return labels;
}

}  // namespace

std::string with_noise(double difference, double half_width, const DataLook& look) {
    if (!std::isfinite(half_width)) return difference_text(difference, look) + " (noise not known)";
    const double scale = look.goal == Goal::accuracy ? 100 : 1;
    return fmt::format("{:.3g} +- {}", scale * difference, difference_text(half_width, look));
}

std::string difference_text(double difference, const DataLook& look) {
    if (look.goal == Goal::accuracy) return fmt::format("{:.3g} points of accuracy", 100 * difference);
    return fmt::format("{:.3g} {}", difference, value_unit(look));
}

std::string_view verdict_of(double lead, double half_width) {
    if (lead > half_width) return as_predicted;
    return lead < -half_width ? against_prediction : inside_noise;
}

std::vector<Versus> against_rivals(const DataLook& look, const Proposal& proposal, const Race& race,
                                   const Candidate& winner) {
    std::vector<Versus> all;
    for (const auto& rule : rival_rules()) {
        for (const auto& candidate : proposal.candidates) {
            const auto names = split(candidate.rival, '+');
            if (std::find(names.begin(), names.end(), rule.name) == names.end()) continue;
            all.push_back(versus(look, proposal, race, winner, candidate, rule.name));
        }
    }
    return all;
}

std::string theory_verdict(const DataLook& look, const Proposal& proposal, const Race& race) {
    const std::string family = find_candidate(proposal, proposal.favourite)->family;
    const auto found = duel(
        look, proposal, race, [&](const auto& c) { return c.family == family && c.theory_score == 1; },
        [&](const auto& c) { return c.family == family && c.theory_score > 1; }, 0);
    if (!found)
        return fmt::format("{}: what theory places first and the others did not finish on one rung.",
                           inside_noise);
    const Candidate& first = at(proposal, found->table, found->first);
    const Candidate& other = at(proposal, found->table, found->second);
    return fmt::format("{}: the best of theory's first places, {}, is {} {} {}, the best of the others.",
                       verdict_of(found->lead, found->half_width), first.label,
                       with_noise(std::abs(found->lead), found->half_width, look),
                       found->lead >= 0 ? "ahead of" : "behind", other.label);
}

DepthVerdict depth_verdict(const DataLook& look, const Proposal& proposal, const Race& race) {
    for (const int rung : rungs_downwards(race)) {
        const auto table = rung_table(race, rung, look.goal);
        if (!table) continue;
        const auto rows = depth_rows(*table, proposal);
        if (spread_enough(rows)) return judged(look, proposal, *table, rows);
    }
    return {};
}

std::string change_first(const DataLook& look, const Proposal& proposal, const Race& race,
                         const Candidate& winner) {
    std::set<std::string> inputs;
    for (const auto& candidate : proposal.candidates) inputs.insert(candidate.input.name);
    if (inputs.size() < 2) return one_input_only(look, winner);
    const auto found = duel(
        look, proposal, race, [&](const auto& c) { return c.input.name != winner.input.name; },
        [&](const auto& c) { return c.input.name == winner.input.name; }, inputs.size() - 1);
    if (!found) return "Which way of cutting the data is best the race cannot say: too few runs finished.";
    const std::string other = at(proposal, found->table, found->first).input.name;
    const std::string by = with_noise(std::abs(found->lead), found->half_width, look);
    const auto verdict = verdict_of(found->lead, found->half_width);
    if (verdict == as_predicted)
        return fmt::format("First cut the data otherwise: {} beats {} by {}.", other, winner.input.name, by);
    if (verdict == against_prediction)
        return fmt::format("Keep {}: the next best way to cut the data, {}, is {} behind.", winner.input.name,
                           other, by);
    return fmt::format(
        "How the data is cut need not be changed first: {} and {} differ by {}, inside the noise.",
        winner.input.name, other, by);
}

std::vector<std::string> bottleneck_notes(const DataLook& look, const Proposal& proposal, const Race& race,
                                          const Candidate& winner) {
    const auto same = [&](const Candidate& c) {
        return c.family == winner.family && c.input.name == winner.input.name;
    };
    const auto wide = [&](const Candidate& c) { return same(c) && hampered_by(c, "R7"); };
    const auto labels = labels_where(proposal, wide);
    if (labels.empty()) return {};
    std::string note =
        fmt::format("{} bottleneck: {} {} wider than twice the {:.0f} dimensions that {} brings (R7)",
                    winner.input.vocab > 0 ? "Vocabulary" : "Patch", join(labels, ", "),
                    labels.size() == 1 ? "is" : "are",
                    winner.input.rank > 0 ? winner.input.rank : static_cast<double>(winner.input.vocab),
                    winner.input.name);
    const auto found =
        duel(look, proposal, race, [&](const auto& c) { return same(c) && !hampered_by(c, "R7"); }, wide, 0);
    if (!found) return {note + "."};
    return {fmt::format("{}; the best of them is {} {} the best that is not: {}.", note,
                        with_noise(std::abs(found->lead), found->half_width, look),
                        found->lead >= 0 ? "behind" : "ahead of",
                        verdict_of(found->lead, found->half_width))};
}

}  // namespace plimsoll::fit
