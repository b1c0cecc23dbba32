#include "bench/fit/truth_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>

#include "bench/fit/csv_rows.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/numbers.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/decide/noise.h"
#include "plimsoll/fit/look/data_look.h"
#include "plimsoll/fit/propose/candidate.h"
#include "plimsoll/fit/race/race.h"

namespace plimsoll::fit {
namespace {

constexpr std::array measures{"bits_per_byte", "bits_per_token", "accuracy"};

using Values = std::vector<double>;
using Rates = std::map<double, Values>;  // values over seeds, by rate
using Depths = std::map<std::int64_t, Rates>;

double mean_of(const Values& values) {
    double sum = 0;
    for (const double value : values) sum += value / real(values.size());
    return sum;
}

TruthPlace place_of(const Rates& rates) {
    const auto best =
        std::ranges::min_element(rates, {}, [](const auto& one) { return mean_of(one.second); });
    const bool edge = rates.size() > 1 && (best == rates.begin() || std::next(best) == rates.end());
    return {mean_of(best->second), best->first, edge, best->second.size()};
}

Result<std::string> measure_of(const CsvCells& row, const std::string& where) {
    for (const char* measure : measures)
        if (row.contains(measure)) return std::string(measure);
    return bad_input(where, fmt::format("has none of the columns {}", fmt::join(measures, ", ")));
}

// Places in steps between the depths that were raced: 0.5 is half way, in the logarithm.
double step_of(const std::vector<double>& depths, double depth) {
    std::size_t after = 1;
    while (after + 1 < depths.size() && depths[after] < depth) ++after;
    return real(after - 1) +
           std::log(depth / depths[after - 1]) / std::log(depths[after] / depths[after - 1]);
}

// A fit as it was read back.
struct Answer {
    DataLook look;
    Proposal proposal;
    Race race;
    Json decision;
};

Result<Answer> answer_of(const Json& fit) {
    for (const char* key : {"look", "proposal", "race", "decision"})
        if (!fit.is_object() || !fit.contains(key) || !fit.at(key).is_object())
            return bad_input("fit.json", fmt::format("has no {}; it is not the answer of a fit", key));
    Answer answer;
    PLIMSOLL_ASSIGN(look, look_from_json(fit.at("look"), "fit.json"));
    PLIMSOLL_ASSIGN(proposal, proposal_from_json(fit.at("proposal")));
    PLIMSOLL_ASSIGN(race, race_from_json(fit.at("race")));
    return Answer{std::move(look), std::move(proposal), std::move(race), fit.at("decision")};
}

std::optional<double> true_value(const TruthTable& table, const Candidate& candidate) {
    const TruthLine* line = table.line(candidate.family, candidate.input.name);
    return line == nullptr ? std::nullopt : line->at(real(candidate.depth));
}

// Differences that both have; networks on inputs that the table has not are left out.
void count_pairs(Judgement& judgement, const TruthTable& table, const Answer& answer, int rung) {
    const auto runs = rung_table(answer.race, rung, answer.look.goal);
    if (!runs || runs->candidates.size() < 2) return;
    const RungNoise noise(*runs);
    std::vector<std::pair<std::size_t, double>> known;
    std::set<std::tuple<std::string, std::string, std::int64_t>> seen;  // one network for each depth
    for (const auto& candidate : answer.proposal.candidates) {
        const auto row = runs->row(candidate.id);
        const bool there = table.lines.contains({candidate.family, candidate.input.name});
        const auto value = true_value(table, candidate);
        if (row && there && value &&
            seen.emplace(candidate.family, candidate.input.name, candidate.depth).second)
            known.emplace_back(*row, *value);
    }
    for (std::size_t i = 0; i < known.size(); ++i)
        for (std::size_t j = i + 1; j < known.size(); ++j) {
            const auto [a, truth_a] = known[i];
            const auto [b, truth_b] = known[j];
            const double off = std::abs(runs->lead(a, b) - (truth_b - truth_a));
            judgement.held += off <= noise.between(a, b).half_width(1);
            ++judgement.pairs;
        }
}

void compare_range(Judgement& judgement, const TruthTable& table, const Answer& answer,
                   const Candidate& winner) {
    const Json valley = answer.decision.value("valley", Json::object());
    const TruthLine* line = table.line(winner.family, winner.input.name);
    if (line == nullptr || valley.value("state", "") != "known") return;
    std::set<double> raced;
    for (const auto& candidate : answer.proposal.candidates)
        if (candidate.family == winner.family) raced.insert(real(candidate.depth));
    if (raced.size() < 2) return;
    const std::vector<double> depths(raced.begin(), raced.end());
    const auto [low, high] = line->range(table.one_percent());
    judgement.range_known = true;
    judgement.steps_off_low = std::abs(step_of(depths, valley.value("low", 0.0)) - step_of(depths, low));
    judgement.steps_off_high = std::abs(step_of(depths, valley.value("high", 0.0)) - step_of(depths, high));
}

}  // namespace

std::optional<double> TruthLine::at(double depth) const {
    const auto above =
        std::ranges::find_if(places_, [&](const auto& one) { return real(one.first) >= depth; });
    if (above == places_.end()) return std::nullopt;
    if (real(above->first) == depth) return above->second.value;
    if (above == places_.begin()) return std::nullopt;
    const auto below = std::prev(above);
    const double share =
        std::log(depth / real(below->first)) / std::log(real(above->first) / real(below->first));
    return below->second.value + share * (above->second.value - below->second.value);
}

std::int64_t TruthLine::best_depth() const {
    return std::ranges::min_element(places_, {}, [](const auto& one) { return one.second.value; })->first;
}

std::pair<double, double> TruthLine::range(double allowed) const {
    const auto best = places_.find(best_depth());
    const double limit = best->second.value + allowed;
    // Where the line from a depth inside to its neighbour outside meets the limit.
    const auto end = [&](auto inside, auto outside) {
        const double share = (limit - inside->second.value) / (outside->second.value - inside->second.value);
        return real(inside->first) * std::pow(real(outside->first) / real(inside->first), share);
    };
    auto low = best, high = best;
    while (low != places_.begin() && std::prev(low)->second.value <= limit) --low;
    while (std::next(high) != places_.end() && std::next(high)->second.value <= limit) ++high;
    return {low == places_.begin() ? real(low->first) : end(low, std::prev(low)),
            std::next(high) == places_.end() ? real(high->first) : end(high, std::next(high))};
}

double TruthTable::best() const {
    double best = INFINITY;
    for (const auto& [key, line] : lines) best = std::min(best, *line.at(real(line.best_depth())));
    return best;
}

double TruthTable::regret(double value) const {
    return 100 * (value - best()) / (lower_is_better() ? best() : 1);
}

double TruthTable::one_percent() const { return 0.01 * (lower_is_better() ? best() : 1); }

const TruthLine* TruthTable::line(const std::string& family, const std::string& input) const {
    const auto own = lines.find({family, input});
    if (own != lines.end()) return &own->second;
    const auto other =
        std::ranges::find_if(lines, [&](const auto& one) { return one.first.first == family; });
    return other == lines.end() ? nullptr : &other->second;
}

Result<TruthTable> read_truth_table(const std::filesystem::path& path) {
    PLIMSOLL_ASSIGN(rows, rows_of(path));
    PLIMSOLL_ASSIGN(measure, measure_of(rows.front(), path.string()));
    TruthTable table;
    table.name = path.stem().string();
    table.measure = measure;
    std::map<std::pair<std::string, std::string>, Depths> all;
    for (const auto& row : rows) {
        PLIMSOLL_ASSIGN(family, text_of(row, "family"));
        PLIMSOLL_ASSIGN(input, text_of(row, "input"));
        PLIMSOLL_ASSIGN(depth, number_of(row, "depth"));
        PLIMSOLL_ASSIGN(rate, number_of(row, "rate"));
        PLIMSOLL_ASSIGN(value, number_of(row, measure));
        PLIMSOLL_ASSIGN(parameters, number_of(row, "parameters"));
        all[{family, input}][std::llround(depth)][rate].push_back(table.lower_is_better() ? value : -value);
        table.parameters += parameters / real(rows.size());
    }
    for (const auto& [key, depths] : all) {
        std::map<std::int64_t, TruthPlace> places;
        for (const auto& [depth, rates] : depths) places[depth] = place_of(rates);
        table.lines.emplace(key, TruthLine(std::move(places)));
    }
    return table;
}

Result<Judgement> judge_fit(const TruthTable& table, const Json& fit) {
    PLIMSOLL_ASSIGN(answer, answer_of(fit));
    const Candidate* winner = find_candidate(answer.proposal, answer.decision.value("winner", ""));
    if (winner == nullptr) return bad_input("fit.json", "recommends a network that it did not propose");
    Judgement judgement;
    judgement.label = winner->label;
    judgement.enough = answer.decision.value("headline", "").empty();
    judgement.other_input = !table.lines.contains({winner->family, winner->input.name});
    if (const auto value = true_value(table, *winner)) judgement.regret = table.regret(*value);
    count_pairs(judgement, table, answer, answer.decision.value("rung", 0));
    compare_range(judgement, table, answer, *winner);
    for (const auto& candidate : answer.proposal.candidates)
        for (const auto& rule : split(candidate.rival, '+'))
            if (const auto value = true_value(table, candidate)) judgement.rules[rule] = table.regret(*value);
    return judgement;
}

Result<Judgement> judge_peer(const TruthTable& table, const Json& peer) {
    if (!peer.is_object() || !peer.contains("depth") || !peer.at("depth").is_number())
        return bad_input("peer", "names no depth");
    const std::string family = peer.value("family", "transformer");
    const auto depth = peer.at("depth").get<double>();
    const TruthLine* line = table.line(family, peer.value("input", ""));
    const auto value = line == nullptr ? std::nullopt : line->at(depth);
    if (!value)
        return bad_input("peer", fmt::format("{} has no {} of {:g} layers", table.name, family, depth));
    Judgement judgement;
    judgement.label = fmt::format("{} of {:g} layers ({})", family, depth, peer.value("peer", "a peer"));
    judgement.regret = table.regret(*value);
    return judgement;
}

std::vector<std::string> doubts(const TruthTable& table) {
    std::vector<std::string> found;
    for (const auto& [key, line] : table.lines)
        for (const auto& [depth, place] : line.places()) {
            const std::string who = fmt::format("{} of {} layers on {}", key.first, depth, key.second);
            if (place.edge)
                found.push_back(
                    fmt::format("{}: its best rate, {:g}, is at an end of those tried", who, place.rate));
            if (place.seeds < 2) found.push_back(fmt::format("{}: one seed", who));
        }
    return found;
}

}  // namespace plimsoll::fit
