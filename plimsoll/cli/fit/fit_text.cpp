#include "plimsoll/cli/fit/fit_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "plimsoll/advise/advise.h"
#include "plimsoll/base/duration.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"
#include "plimsoll/fit/decide/compare.h"
#include "plimsoll/fit/propose/shape_maker.h"

namespace plimsoll::cli {
namespace {

using fit::Goal;
using fit::Modality;

constexpr std::size_t bar_columns = 34;
constexpr std::array step_names{"Look at the data", "Propose", "Race", "Decide", "Hand over"};

std::string bold(const std::string& text, const char* codes, bool colour) {
    return colour ? fmt::format("\033[{}m{}\033[0m", codes, text) : text;
}

// Three significant figures, whole numbers from 1000 on.
std::string figures(double value) {
    return std::abs(value) < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

// A bar to scale, of one column at least for what is above 0.
std::string bar(double value, double largest) {
    if (value <= 0 || largest <= 0) return "";
    const auto columns = static_cast<std::size_t>(std::lround(value / largest * bar_columns));
    return std::string(std::clamp<std::size_t>(columns, 1, bar_columns), '=');
}

std::string chart_line(const std::string& name, double bits, double noise, double largest) {
    if (bits <= noise)
        return fmt::format("  {:>11}  {:<{}}  within the noise of {:.2g}\n", name, "", bar_columns, noise);
    return fmt::format("  {:>11}  {:<{}}  {:.3g}\n", name, bar(bits, largest), bar_columns, bits);
}

double largest_bits(const auto& list) {
    double largest = 0;
    for (const auto& one : list) largest = std::max(largest, one.bits);
    return largest;
}

// What is said in place of the distances at the end that show nothing.
std::string silent_tail(std::span<const fit::DependencePoint> tail) {
    double noise = 0;
    for (const auto& point : tail) noise = std::max(noise, point.noise);
    const std::string name = tail.size() == 1
                                 ? fmt::format("{:.0f}", tail[0].distance)
                                 : fmt::format("{:.0f}..{:.0f}", tail.front().distance, tail.back().distance);
    return chart_line(name, 0, noise, 1);
}

std::string list_text(const std::vector<std::string>& sentences) {
    std::string text;
    for (const auto& sentence : sentences) text += wrapped("- " + sentence, 0, 2);
    return text;
}

std::string bytes_heading(const fit::DataLook& look) {
    return look.modality == Modality::images ? "numbers/token" : "bytes/token";
}

std::string columns_table(const fit::DataLook& look, bool colour) {
    Table table({{"input", Align::left}, {"columns"}, {"keys of the family mlp", Align::left}});
    for (const auto& input : look.inputs)
        table.add({printable(input.name), std::to_string(input.tokens), input.spec_keys.value_or("")});
    return table.text(colour, text_columns());
}

std::string inputs_table(const fit::DataLook& look, bool colour) {
    if (look.modality == Modality::rows) return columns_table(look, colour);
    const bool words = look.modality != Modality::images;
    const bool bytes = look.modality == Modality::text || look.modality == Modality::pairs || !words;
    std::vector<Column> columns{{"input", Align::left}};
    if (words) columns.push_back({"vocabulary"});
    if (bytes) columns.push_back({bytes_heading(look)});
    for (const char* name : {"tokens", "rank", "effective rank"}) columns.push_back({name});
    Table table(columns);
    for (const auto& input : look.inputs) {
        std::vector<std::string> cells{printable(input.name)};
        if (words) cells.push_back(std::to_string(input.vocab));
        if (bytes) cells.push_back(figures(input.units_per_token));
        cells.push_back(std::to_string(input.tokens));
        cells.push_back(figures(input.rank));
        cells.push_back(figures(input.effective_rank));
        table.add(cells);
    }
    return table.text(colour, text_columns());
}

double shown(const fit::DataLook& look, double value) {
    return fit::is_share(look.goal) ? 100 * value : value;
}

std::string value_text(const fit::DataLook& look, double value) {
    return fit::is_share(look.goal) ? fmt::format("{:.2f}", 100 * value) : fmt::format("{:.4f}", value);
}

std::string label_of(const fit::Proposal& proposal, const std::string& id) {
    const auto* candidate = fit::find_candidate(proposal, id);
    return candidate == nullptr ? id : printable(candidate->label);
}

std::string candidates_table(const fit::Proposal& proposal, bool colour) {
    Table table({{"id", Align::left},
                 {"network", Align::left},
                 {"FLOPs/" + proposal.unit},
                 {"capacity"},
                 {"depth/line"},
                 {"theory"}});
    for (const auto& one : proposal.candidates) {
        const bool silent = fit::line_of(one.family) == fit::Line::usual;  // theory is
        table.add({one.id, printable(one.label), human_count(one.flops_per_unit),
                   silent ? "-" : advise::share_text(one.capacity_share),
                   silent ? "-" : fmt::format("{:.2f}", one.depth_over_line()),
                   silent ? "-" : fmt::format("{:.0f}", one.theory_score)},
                  one.id == proposal.favourite ? Mark::advised : Mark::none);
    }
    return table.text(colour, text_columns());
}

// A bottleneck is what audit would change but for the depth: that is the candidate's place in the race.
bool is_bottleneck(const fit::RuleReading& finding) {
    return finding.severity == advise::Severity::act && !finding.name.starts_with("depth");
}

// Why each is there, with its bottlenecks.
std::string reasons_text(const fit::Proposal& proposal) {
    constexpr std::size_t indent = 8;
    std::string text;
    for (const auto& one : proposal.candidates) {
        text += fmt::format("  {:<6}{}", one.id, wrapped(one.why, indent).substr(indent));
        for (const auto& finding : one.findings)
            if (is_bottleneck(finding)) text += wrapped("! " + finding.sentence, indent, indent + 2);
    }
    return text;
}

// "transformer: bytes, bpe-500; mixer: patch 4, patch 8"; without the family where there is one.
std::string trials_words(const fit::Trials& trials) {
    std::vector<std::string> families, lists;
    for (const auto& one : trials.networks)
        if (std::ranges::count(families, one.family) == 0) families.push_back(one.family);
    for (const auto& family : families) {
        std::vector<std::string> inputs;
        for (const auto& one : trials.networks)
            if (one.family == family) inputs.push_back(printable(one.input.name));
        lists.push_back((families.size() > 1 ? family + ": " : "") + join(inputs, ", "));
    }
    return join(lists, "; ");
}

// Who is tried before the table, and on what the table is proposed so far.
std::string trials_text(const fit::Proposal& proposal) {
    if (!proposal.trials) return "";
    const auto& networks = proposal.trials->networks;
    const std::string tried =
        fmt::format("How the data is cut is tried first, on one network of about {} layers each: {}.",
                    networks.front().depth, trials_words(*proposal.trials));
    if (!proposal.trials->chosen.empty()) return tried;
    return fmt::format(
        "{} The depths race on the best of them; this is the list for {}, which theory prefers.", tried,
        printable(networks.front().input.name));
}

// What a rung shows of one candidate: the runs that count in a decision; no seeds where none does.
struct RungRow {
    std::string id;
    double rate = 0, mean = 0;
    std::size_t seeds = 0;
};

RungRow counted_row(const std::string& id, const std::vector<const fit::RaceEntry*>& runs) {
    RungRow row{id, runs.front()->rate, 0, runs.size()};
    for (const auto* run : runs) row.mean += run->value / static_cast<double>(runs.size());
    return row;
}

std::vector<RungRow> best_first(const fit::Race& race, int rung, Goal goal) {
    const auto counted = fit::counted_runs(race, rung, goal);
    std::vector<RungRow> rows;
    for (const auto& [id, runs] : counted) rows.push_back(counted_row(id, runs));
    std::ranges::stable_sort(rows, [&](const auto& a, const auto& b) {
        return fit::is_share(goal) ? a.mean > b.mean : a.mean < b.mean;
    });
    std::map<std::string, RungRow> failed;
    for (const auto& entry : race.entries)
        if (entry.rung == rung && !counted.contains(entry.candidate))
            failed.try_emplace(entry.candidate, RungRow{entry.candidate, entry.rate});
    for (const auto& [id, row] : failed) rows.push_back(row);
    return rows;
}

// "goes on", "out" in a race of 0.1.0; nothing where no further rung was begun, and since then, when the
// first rung finds a rate and drops nobody.
std::string fate(const fit::Race& race, int rung, const std::string& id) {
    if (race.plan.wanted_steps) return "";
    const auto next = static_cast<std::size_t>(rung) + 1;
    if (next >= race.plan.candidates.size()) return "";
    return std::ranges::count(race.plan.candidates[next], id) > 0 ? "advances" : "out";
}

std::string plus_minus(const fit::DataLook& look, double value, double half_width) {
    if (!std::isfinite(half_width)) return fmt::format("{:+.3g} +- ?", shown(look, value));
    return fmt::format("{:+.3g} +- {:.2g}", shown(look, value), shown(look, half_width));
}

Mark mark_of(report::Outcome verdict) {
    if (verdict == report::Outcome::as_predicted) return Mark::passed;
    return verdict == report::Outcome::against ? Mark::act : Mark::undecided;
}

std::string rivals_table(const fit::Decision& decision, const fit::DataLook& look,
                         const fit::Proposal& proposal, bool colour) {
    const std::string unit = fit::is_share(look.goal) ? "points" : fit::value_unit(look);
    Table table(
        {{"rival", Align::left}, {"its network", Align::left}, {"better by, " + unit}, {"", Align::left}});
    for (const auto& one : decision.rivals) {
        const bool same = one.candidate == decision.winner, alone = !same && std::isnan(one.half_width);
        table.add({one.rival, label_of(proposal, one.candidate),
                   same || alone ? "" : plus_minus(look, one.difference, one.half_width),
                   same    ? "the same network"
                   : alone ? "not compared: no rung in common"
                           : std::string(report::name_of(one.verdict))},
                  same || alone ? Mark::none : mark_of(one.verdict));
    }
    return table.text(colour, text_columns());
}

std::string model_text(const fit::HandedOver& handed) {
    if (!handed.exported) return handed.model;
    const auto& exported = *handed.exported;
    const std::string kind = exported.stock_class.empty() ? "plimsoll.toml and safetensors"
                                                          : exported.stock_class + " of Hugging Face";
    std::string text =
        fmt::format("{}: {}, {} parameters", handed.model, kind, exported.parameters.grouped());
    if (!exported.why_plain.empty()) text += "; " + exported.why_plain;
    return text;
}

std::string row(std::string_view name, const std::string& text) {
    return text.empty() ? "" : labelled(name, text);
}

}  // namespace

std::string step_heading(int step, bool again, bool colour) {
    const std::string text =
        fmt::format("[{}/{}] {}", step, step_names.size(), step_names.at(static_cast<std::size_t>(step - 1)));
    return "\n" + bold(text, "1", colour) + (again ? " (done by an earlier call)" : "") + "\n\n";
}

std::string request_text(const fit::FitRequest& request) {
    const std::string budget = request.flops ? fmt::format("{:.3g} FLOPs", *request.flops)
                                             : duration_text(request.seconds.value_or(0));
    std::string text = row("data", request.data.empty() ? "made here" : request.data);
    text +=
        row("budget", fmt::format("{} on {}, {} at a time", budget, request.device,
                                  request.workers == 1 ? "1 run" : fmt::format("{} runs", request.workers)));
    text += row("parameters", request.parameters > 0 ? human_count(static_cast<double>(request.parameters))
                                                     : "chosen from data and budget");
    if (request.style != fit::automatic_style) text += row("style", request.style);
    return text + row("folder", request.out.string());
}

std::string dependence_chart(const fit::Dependence& dependence) {
    const auto& points = dependence.by_distance;
    if (points.empty()) return "";
    const double largest = largest_bits(points);
    std::size_t heard = points.size();
    while (heard > 0 && points[heard - 1].bits <= points[heard - 1].noise) --heard;
    std::string text = fmt::format("  bits that two {} share, by distance\n", dependence.of);
    for (std::size_t i = 0; i < heard; ++i)
        text +=
            chart_line(fmt::format("{:.0f}", points[i].distance), points[i].bits, points[i].noise, largest);
    if (heard < points.size()) text += silent_tail(std::span(points).subspan(heard));
    if (dependence.splits.empty()) return text;
    text += fmt::format(
        "\n  bits that the halves of {} share at least\n",
        dependence.of == "pixels" ? "an image" : fmt::format("{} {}", dependence.window, dependence.of));
    const double most = largest_bits(dependence.splits);
    for (const auto& one : dependence.splits) text += chart_line(one.split, one.bits, one.noise, most);
    return text;
}

std::string look_text(const fit::DataLook& look, bool colour) {
    const auto said = fit::sentences(look);
    std::string text;
    constexpr std::size_t about_all = 2;  // the others repeat the table, or come after the chart
    for (std::size_t i = 0; i < std::min(about_all, said.size()); ++i) text += wrapped(said[i], 2);
    text += "\n" + inputs_table(look, colour);
    if (!look.dependence.by_distance.empty()) text += "\n" + dependence_chart(look.dependence);
    const std::string after = list_text(look.dependence.sentences) + list_text(look.notes);
    return after.empty() ? text : text + "\n" + after;
}

std::string proposal_text(const fit::Proposal& proposal, bool colour) {
    std::string text =
        wrapped(fmt::format("{} networks of about {} parameters each ({}).", proposal.candidates.size(),
                            human_count(static_cast<double>(proposal.budget)), proposal.budget_source),
                2);
    text += wrapped(proposal.prediction, 2);
    if (proposal.trials) text += wrapped(trials_text(proposal), 2);
    text += "\n" + candidates_table(proposal, colour) + "\n" + reasons_text(proposal);
    const std::string left = list_text(proposal.pruned) + list_text(proposal.notes);
    return left.empty() ? text : text + "\n" + left;
}

std::string settled_text(const fit::Proposal& proposal, bool colour) {
    std::vector<std::string> chosen;
    const auto& [networks, inputs] = *proposal.trials;
    bool theirs = true;
    for (const auto& one : inputs) {
        chosen.push_back((inputs.size() > 1 ? one.family + " on " : "") + printable(one.input));
        const auto first = std::ranges::find(networks, one.family, &fit::Candidate::family);
        theirs = theirs && first->input.name == one.input;
    }
    const std::string race = "The depths race on " + join(chosen, ", ");
    if (theirs) return wrapped(race + ", as theory prefers: the networks are those above.", 2) + "\n";
    return wrapped(fmt::format("{}. {}", race, proposal.prediction), 2) + "\n" +
           candidates_table(proposal, colour) + "\n";
}

std::string rung_begins_text(const fit::RaceNews& news) {
    const std::string each =
        news.flops_per_run > 0 ? fmt::format(", {:.2e} FLOPs a run", news.flops_per_run) : "";
    return wrapped(fmt::format("rung {} of {}: {}{}", news.rung + 1, news.rungs, news.what, each), 2, 4);
}

std::string rung_text(const fit::Race& race, int rung, const fit::DataLook& look,
                      const fit::Proposal& proposal, bool colour) {
    Table table({{"id", Align::left},
                 {"network", Align::left},
                 {fit::value_unit(look)},
                 {"rate"},
                 {"seeds"},
                 {"", Align::left}});
    for (const auto& row : best_first(race, rung, look.goal)) {
        const bool failed = row.seeds == 0;
        table.add({row.id, label_of(proposal, row.id), failed ? "" : value_text(look, row.mean),
                   fmt::format("{:.2g}", row.rate), std::to_string(row.seeds),
                   failed ? "failed" : fate(race, rung, row.id)},
                  failed ? Mark::act : Mark::none);
    }
    return table.text(colour, text_columns()) + "\n";
}

std::string race_text(const fit::Race& race) {
    const auto failed = std::ranges::count_if(
        race.entries, [](const auto& one) { return one.state != fit::EntryState::done; });
    std::string text = wrapped(
        fmt::format("{} runs, {:.2e} FLOPs, {}{}.", race.entries.size(), race.flops,
                    duration_text(race.seconds), failed > 0 ? fmt::format("; {} failed", failed) : ""),
        2);
    return text + list_text(race.notes);
}

std::string decision_text(const fit::Decision& decision, const fit::DataLook& look,
                          const fit::Proposal& proposal, bool colour) {
    std::string text = bold(wrapped("> " + decision.sentence, 0, 2), "1;35", colour) + "\n";
    text += row("valley", decision.valley.sentence);
    text += row("certainty", decision.certainty);
    text += row("theory", decision.theory_verdict);
    text += row("depth", decision.depth_sentence);
    text += row("10 times", decision.tenfold.sentence);
    text += row("change", decision.change_first);
    if (!decision.rivals.empty()) text += "\n" + rivals_table(decision, look, proposal, colour);
    return decision.notes.empty() ? text : text + "\n" + list_text(decision.notes);
}

std::string handed_text(const fit::HandedOver& handed, const fit::FitRequest& request) {
    std::string text = row("folder", request.out.string());
    text += row("report", handed.report);
    text += row("numbers", handed.json);
    text += row("weights", model_text(handed));
    text += row("config", handed.config);
    if (!handed.missing.empty()) text += wrapped("! " + handed.missing, 0, 2);
    return text + list_text(handed.notes);
}

std::string stopped_text(const fit::FitOutcome& outcome) {
    const std::string what = outcome.decision
                                 ? "Stopped before the race was over: this is the best answer so far."
                                 : "Stopped before any run had ended: there is no answer yet.";
    return "\n" + wrapped("! " + what, 0, 2) + "\nrerun the same command to resume\n";
}

}  // namespace plimsoll::cli
