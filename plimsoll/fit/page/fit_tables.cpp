#include "plimsoll/fit/page/fit_tables.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/page/cost_table.h"
#include "plimsoll/fit/page/words.h"
#include "plimsoll/report/numbers.h"

namespace plimsoll::fit {
namespace {

using report::Cell;
using report::TextTable;

Cell number(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

std::set<const RaceEntry*> counted_entries(const FitPageInput& input) {
    std::set<const RaceEntry*> counted;
    for (const int rung : rungs_downwards(input.race))
        for (const auto& [candidate, runs] : counted_runs(input.race, rung, input.look.goal))
            counted.insert(runs.begin(), runs.end());
    return counted;
}

// How many candidates have runs on a rung.
std::string rung_words(const Race& race, int rung) {
    std::set<std::string> who;
    for (const auto& entry : race.entries)
        if (entry.rung == rung) who.insert(entry.candidate);
    return fmt::format("{}, {} network{}", rung_name(rung), who.size(), who.size() == 1 ? "" : "s");
}

// The values that count of one candidate, by rung.
using RungValues = std::map<int, std::vector<double>>;
std::map<std::string, RungValues> values_of(const FitPageInput& input) {
    std::map<std::string, RungValues> values;
    for (const int rung : rungs_downwards(input.race))
        for (const auto& [candidate, runs] : counted_runs(input.race, rung, input.look.goal))
            for (const RaceEntry* entry : runs) values[candidate][rung].push_back(entry->value);
    return values;
}

// The last rung of a candidate; -1 for one that has not run.
int last_rung(const Race& race, const std::string& candidate) {
    int last = -1;
    for (const auto& entry : race.entries)
        if (entry.candidate == candidate) last = std::max(last, entry.rung);
    return last;
}

// Whether a candidate was to run on a rung.
bool was_on(const Race& race, const std::string& candidate, int rung) {
    const auto number = static_cast<std::size_t>(rung);
    const auto& all = race.plan.candidates;
    return number < all.size() && std::ranges::find(all[number], candidate) != all[number].end();
}

// Whether it was tried before the table.
bool is_trial(const Proposal& proposal, const Candidate& candidate) {
    return std::ranges::count(proposal.candidates, candidate.id, &Candidate::id) == 0;
}

std::string state_of(const FitPageInput& input, const Candidate& candidate, int last, int highest) {
    std::vector<std::string> words;
    const auto& tied = input.decision.tied;
    if (candidate.id == input.decision.winner)
        words.emplace_back("recommended");
    else if (std::ranges::find(tied, candidate.id) != tied.end())
        words.emplace_back("tied");
    else if (last < 0)
        words.emplace_back("has not run");
    else if (is_trial(input.proposal, candidate))
        words.push_back(candidate.why);
    else if (last < highest && was_on(input.race, candidate.id, last + 1))
        words.push_back("not done on " + rung_name(last + 1));
    else if (last < highest)
        words.push_back("out after " + rung_name(last));
    else
        words.emplace_back("in the last rung");
    const auto failed = std::ranges::count_if(input.race.entries, [&](const RaceEntry& entry) {
        return entry.candidate == candidate.id && entry.has_failed();
    });
    if (failed > 0) words.push_back(fmt::format("{} run{} failed", failed, failed == 1 ? "" : "s"));
    return join(words, "; ");
}

// Candidates as the table has them: the recommendation, then by how far and how well they ran.
std::vector<const Candidate*> in_order(const FitPageInput& input,
                                       const std::map<std::string, RungValues>& values) {
    const double sign = is_share(input.look.goal) ? -1 : 1;
    const auto place = [&](const Candidate* candidate) {
        const auto found = values.find(candidate->id);
        if (found == values.end()) return std::tuple(true, 1, 0.0);
        const auto& [rung, runs] = *found->second.rbegin();
        return std::tuple(candidate->id != input.decision.winner, -rung, sign * report::summary(runs).mean);
    };
    std::vector<const Candidate*> order;
    for (const auto* network : networks_of(input.proposal))
        if (!is_trial(input.proposal, *network) || last_rung(input.race, network->id) >= 0)
            order.push_back(network);
    std::ranges::stable_sort(order, [&](auto* a, auto* b) { return place(a) < place(b); });
    return order;
}

void add_value(std::vector<std::string>& cells, Json& row, const std::string& column,
               const std::vector<double>* runs, double scale) {
    if (runs == nullptr) {
        cells.emplace_back();
        row[column] = nullptr;
        return;
    }
    std::vector<double> shown = *runs;
    for (double& value : shown) value *= scale;
    cells.push_back(report::mean_text(report::summary(shown), "+-"));
    row[column] = report::summary_json(report::summary(*runs));
}

// The cells of a candidate: what it is, how it did, what it costs.
std::vector<std::string> candidate_cells(const FitPageInput& input, const Candidate& c, int highest) {
    return {page_words(shape_words(c)), c.input.name, join(split(c.rival, '+'), ", "),
            state_of(input, c, last_rung(input.race, c.id), highest)};
}
std::vector<std::string> cost_cells(const Candidate& c) {
    return {fmt::format("{:.2f}", c.depth_over_line()),
            fmt::format("{:g}", c.theory_score),
            human_count(c.capacity),
            human_count(static_cast<double>(c.parameters)),
            human_count(c.flops_per_unit),
            c.family,
            c.id};
}

constexpr const char* candidate_note =
    "Mean over seeds at the learning rate that counts, with its 95 % interval (Student t) where there are "
    "two "
    "seeds or more. The line is the knee T of a transformer, log2 C of a mixer; theory's place is within the "
    "family; capacity is log3 of the repaired bound on separation rank.";

TextTable candidate_table(const FitPageInput& input) {
    const auto values = values_of(input);
    auto rungs = rungs_downwards(input.race);
    std::ranges::reverse(rungs);
    const Measure measure = measure_of(input.look);
    TextTable table{.name = "networks", .title = "Every network of the race, " + measure.unit + " by rung"};
    table.columns = {"network", "input", "rival", "state"};
    for (const int rung : rungs) table.columns.push_back(rung_name(rung));
    for (const auto& name : {std::string("depth / line"), std::string("theory's place"),
                             std::string("capacity"), std::string("parameters"),
                             "FLOPs / " + input.proposal.unit, std::string("family"), std::string("id")})
        table.columns.push_back(name);
    table.rows = Json::array();
    for (const Candidate* c : in_order(input, values)) {
        Json row{{"id", c->id}, {"label", c->label}};
        auto cells = candidate_cells(input, *c, rungs.empty() ? 0 : rungs.back());
        const auto found = values.find(c->id);
        for (const int rung : rungs) {
            const bool ran = found != values.end() && found->second.contains(rung);
            add_value(cells, row, rung_name(rung), ran ? &found->second.at(rung) : nullptr, measure.scale);
        }
        std::ranges::move(cost_cells(*c), std::back_inserter(cells));
        table.cells.push_back(std::move(cells));
        table.rows.push_back(std::move(row));
    }
    table.notes = {candidate_note};
    return table;
}

// The reading alone: name, value and line stand in columns of their own.
std::string reading_of(const RuleReading& finding) {
    const std::string line = finding.line.empty() ? "" : fmt::format(" (line {})", finding.line);
    const std::string before = fmt::format("{} {}{}: ", finding.name, finding.value, line);
    return finding.sentence.starts_with(before) ? finding.sentence.substr(before.size()) : finding.sentence;
}

TextTable finding_table(const FitPageInput& input) {
    TextTable table{.name = "findings", .title = "What theory finds in each network"};
    table.columns = {"network", "input", "finding", "value", "line", "says", "rule", "how it is known"};
    table.rows = Json::array();
    std::size_t passed = 0;
    for (const auto& candidate : input.proposal.candidates)
        for (const auto& finding : candidate.findings) {
            if (finding.severity == advise::Severity::passed) {
                ++passed;
                continue;
            }
            table.cells.push_back({page_words(shape_words(candidate)), candidate.input.name, finding.name,
                                   finding.value, finding.line,
                                   (finding.severity == advise::Severity::act ? "needs action: " : "") +
                                       page_words(reading_of(finding)),
                                   finding.rule, finding.standing});
            table.rows.push_back({{"candidate", candidate.id}, {"rule", finding.rule}});
        }
    table.notes = {
        fmt::format("{} finding{} passed and {} not listed; fit.json has all. docs/ADVICE.md has the "
                    "rules.",
                    passed, passed == 1 ? "" : "s", passed == 1 ? "is" : "are")};
    return table;
}

TextTable columns_table(const DataLook& look) {
    TextTable table{.name = "inputs", .title = "What the networks read"};
    table.columns = {"input", "columns", "keys of the family mlp"};
    table.rows = Json::array();
    for (const auto& input : look.inputs) {
        table.cells.push_back({input.name, fmt::format("{}", input.tokens), input.spec_keys.value_or("")});
        table.rows.push_back(to_json(input));
    }
    return table;
}

TextTable input_table(const DataLook& look) {
    if (look.modality == Modality::rows) return columns_table(look);
    const bool images = look.modality == Modality::images;
    TextTable table{.name = "inputs", .title = "Ways to cut the data"};
    table.columns = {"input",
                     images ? "patch" : "vocabulary",
                     "tokens of an example",
                     (images ? "numbers" : look.unit) + " / token",
                     "rank",
                     "effective rank",
                     "how the rank is known"};
    if (!images && look.modality != Modality::text) table.columns[3] = "units / token";
    table.rows = Json::array();
    for (const auto& input : look.inputs) {
        table.cells.push_back({input.name, fmt::format("{}", images ? input.patch : input.vocab),
                               fmt::format("{}", input.tokens), fmt::format("{:.4g}", input.units_per_token),
                               fmt::format("{:.4g}", input.rank), fmt::format("{:.4g}", input.effective_rank),
                               input.rank_source});
        table.rows.push_back(to_json(input));
    }
    return table;
}

TextTable split_table(const DataLook& look) {
    TextTable table{.name = "splits", .title = "Dependence across two ways to halve an input"};
    table.columns = {"split", "bits", "noise"};
    table.rows = Json::array();
    for (const auto& split : look.dependence.splits) {
        table.cells.push_back(
            {split.split, fmt::format("{:.4g}", split.bits), fmt::format("{:.2g}", split.noise)});
        table.rows.push_back({{"split", split.split}, {"bits", split.bits}, {"noise", split.noise}});
    }
    table.notes = look.dependence.sentences;
    table.notes.push_back(fmt::format(
        "A lower bound of log2 of the separation rank that the data's own distribution has across "
        "the split, of windows of {} {}.",
        look.dependence.window, look.dependence.of));
    return table;
}

TextTable pruned_table(const Proposal& proposal) {
    TextTable table{.name = "pruned", .title = "What did not race, and why"};
    table.columns = {"left out"};
    table.rows = Json::array();
    for (const auto& line : proposal.pruned) {
        table.cells.push_back({page_words(line)});
        table.rows.push_back({{"left_out", line}});
    }
    for (const auto& note : proposal.notes) table.notes.push_back(page_words(note));
    return table;
}

}  // namespace

report::Table run_rows(const FitPageInput& input, const PageRoles& roles) {
    report::Table table;
    table.columns = {"run",
                     "candidate",
                     "label",
                     "role",
                     "family",
                     "input",
                     "depth",
                     "width",
                     "depth_over_log2_width",
                     "depth_over_line",
                     "rung",
                     "rung_name",
                     "rate",
                     "seed",
                     "steps",
                     "units_seen",
                     "flops",
                     "value",
                     "value_half_width",
                     "seconds",
                     "phase",
                     "counts"};
    const auto counted = counted_entries(input);
    for (const auto& e : input.race.entries) {
        const Candidate* c = find_candidate(input.proposal, e.candidate);
        if (c == nullptr) continue;
        const bool done = e.state == EntryState::done;
        table.rows.push_back({e.run,
                              c->id,
                              c->label,
                              roles.of(*c),
                              c->family,
                              c->input.name,
                              c->depth,
                              c->width,
                              c->depth_over_log2_width,
                              c->depth_over_line(),
                              std::int64_t{e.rung},
                              rung_words(input.race, e.rung),
                              e.rate,
                              e.seed,
                              e.steps,
                              e.units_seen,
                              e.flops,
                              done ? number(e.value) : Cell(),
                              done ? number(e.value_half_width) : Cell(),
                              e.seconds,
                              std::string(name_of(e.state)),
                              counted.contains(&e)});
    }
    return table;
}

report::Table candidate_rows(const FitPageInput& input, const PageRoles& roles) {
    report::Table table;
    table.columns = {"candidate",      "label", "role",       "family",          "input",
                     "depth",          "width", "parameters", "flops_per_unit",  "capacity",
                     "capacity_share", "knee",  "line",       "depth_over_line", "depth_over_log2_width",
                     "theory_place",   "why"};
    for (const auto& c : input.proposal.candidates)
        table.rows.push_back({c.id, c.label, roles.of(c), c.family, c.input.name, c.depth, c.width,
                              c.parameters, c.flops_per_unit, number(c.capacity), number(c.capacity_share),
                              number(c.knee), number(c.line), number(c.depth_over_line()),
                              c.depth_over_log2_width, c.theory_score, c.why});
    return table;
}

report::Table dependence_rows(const DataLook& look) {
    report::Table table;
    table.columns = {"distance", "what", "bits"};
    for (const auto& point : look.dependence.by_distance) {
        table.rows.push_back({point.distance, std::string("measured"), number(point.bits)});
        table.rows.push_back({point.distance, std::string("chance alone"), number(point.noise)});
    }
    return table;
}

std::vector<TextTable> page_tables(const FitPageInput& input, const PageRoles&) {
    std::vector<TextTable> tables{candidate_table(input)};
    if (!input.decision.costs.empty() && input.decision.costs.front().run_seconds > 0)
        tables.push_back(cost_table(input));
    tables.push_back(input_table(input.look));
    if (!input.look.dependence.splits.empty()) tables.push_back(split_table(input.look));
    if (input.look.modality != Modality::rows)
        tables.push_back(finding_table(input));  // theory is silent there
    if (!input.proposal.pruned.empty() || !input.proposal.notes.empty())
        tables.push_back(pruned_table(input.proposal));
    return tables;
}

}  // namespace plimsoll::fit
