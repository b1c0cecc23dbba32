#include "plimsoll/fit/page/words.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/fit/decide/verdicts.h"
#include "plimsoll/fit/propose/rival.h"
#include "plimsoll/fit/propose/shape_maker.h"
#include "plimsoll/report/numbers.h"

namespace plimsoll::fit {
namespace {

using report::Outcome;

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

const Candidate& winner_of(const FitPageInput& input) {
    const Candidate* winner = find_candidate(input.proposal, input.decision.winner);
    PLIMSOLL_CHECK(winner != nullptr, "a winner that was not proposed");
    return *winner;
}

std::string labels_of(const FitPageInput& input, const std::vector<std::string>& ids) {
    std::vector<std::string> labels;
    for (const auto& id : ids)
        if (const Candidate* candidate = find_candidate(input.proposal, id))
            labels.push_back(candidate->label);
    return join(labels, "; ");
}

std::string capitalised(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

// What follows the verdict of a sentence such as "as predicted: the best of ...".
std::string after_verdict(const std::string& sentence) {
    const auto colon = sentence.find(": ");
    return capitalised(colon == std::string::npos ? sentence : sentence.substr(colon + 2));
}

std::string tie_words(const FitPageInput& input) {
    if (!input.decision.tie) return "";
    std::vector<std::string> others = input.decision.tied;
    std::erase(others, input.decision.winner);
    return fmt::format("with {}", labels_of(input, others));
}

// "1.912 +- 0.012"; four figures without a half width.
std::string number_words(double value, double half_width) {
    if (!std::isfinite(half_width) || half_width <= 0) return fmt::format("{:.4g}", value);
    return fmt::format("{} +- {:.2g}", report::number_beside(value, half_width), half_width);
}

// What the answer is worth, in a few words.
std::string head_words(const FitPageInput& input) {
    std::string head = input.options.partial.empty() ? "Recommended for this data and this budget"
                                                     : "The best answer so far";
    if (!input.decision.enough())
        head = input.options.partial.empty() ? "Not enough evidence; the best guess"
                                             : head + "; not enough evidence";
    if (!input.decision.tie) return head;
    if (!std::isfinite(input.decision.margin_half_width)) return head + "; no other is ruled out";
    const std::size_t others = input.decision.tied.size() - 1;
    return head + fmt::format("; a tie with {} other{}", others, others == 1 ? "" : "s");
}

// The same with who did not race.
std::string standing_words(const FitPageInput& input) {
    const std::string& reservation = input.decision.reservation;
    if (reservation.empty()) return head_words(input);
    return head_words(input) + "; " + reservation.substr(0, reservation.size() - 1);
}

// What is missing, one sentence for each with what would settle it.
std::string shortfall_words(const Decision& decision) {
    std::vector<std::string> words;
    for (const auto& one : decision.shortfalls) words.push_back(capitalised(settling_sentence(one)));
    return join(words, " ");
}

// "7 layers deep, 56 wide, 4 heads; transformer on bpe-500, 300 K parameters".
std::string detail_words(const Candidate& winner) {
    const std::string shape = shape_words(winner);
    const auto comma = shape.find(", ");
    return fmt::format("{} {}{} deep, {} wide{}; {} on {}, {} parameters", winner.depth,
                       line_of(winner.family) == Line::log2_channels ? "block" : "layer",
                       winner.depth == 1 ? "" : "s", winner.width,
                       comma == std::string::npos ? "" : shape.substr(comma), winner.family,
                       winner.input.name, human_count(static_cast<double>(winner.parameters)));
}

std::string rival_sentence(const FitPageInput& input, const Versus& versus) {
    const Candidate* shape = find_candidate(input.proposal, versus.candidate);
    const std::string label = shape == nullptr ? versus.candidate : shape->label;
    if (versus.candidate == input.decision.winner)
        return fmt::format("Its shape, {}, is the recommendation itself.", label);
    const Measure measure = measure_of(input.look);
    if (std::isnan(versus.half_width))
        return fmt::format("Its shape, {}, has no rung in common with the recommendation.", label);
    const std::string side = versus.difference >= 0 ? "better" : "worse";
    const std::string noise =
        std::isfinite(versus.half_width)
            ? difference_words(std::abs(versus.difference), versus.half_width, measure)
            : difference_words(std::abs(versus.difference), 0, measure) + " (noise not known)";
    return fmt::format("Its shape is {}; on {} the recommendation is {} {}.", label, rung_name(versus.rung),
                       noise, side);
}

report::Judgement rival_finding(const FitPageInput& input, const Versus& versus) {
    const auto rules = rival_rules();
    const auto rule = std::ranges::find(rules, versus.rival, &RivalRule::name);
    const std::string says = rule == rules.end() ? "" : fmt::format(" ({})", rule->says);
    report::Judgement finding;
    finding.kind = "contrast";
    finding.name = fmt::format("Better than {}{}", versus.rival, says);
    const bool compared = versus.candidate != input.decision.winner && !std::isnan(versus.half_width);
    finding.outcome = compared ? versus.verdict : Outcome::no_prediction;
    finding.sentence = page_words(rival_sentence(input, versus));
    return finding;
}

report::Judgement theory_finding(const FitPageInput& input) {
    report::Judgement finding;
    finding.kind = "contrast";
    finding.name = "What theory predicted";
    finding.outcome = input.decision.theory;
    finding.sentence = page_words(after_verdict(input.decision.theory_verdict));
    finding.notes = {page_words("Said before the race: " + input.proposal.prediction)};
    return finding;
}

std::string exported_words(const FitPageInput& input) {
    if (!input.handed.exported) return "The weights of the race's best run are not here.";
    const auto& exported = *input.handed.exported;
    return fmt::format("The weights of the race's best run are in `{}` ({}).", input.handed.model,
                       exported.stock_class.empty() ? "plimsoll.toml and safetensors" : exported.stock_class);
}

std::string budget_words(const FitPageInput& input) {
    if (input.request.flops) return fmt::format("{:.2e} FLOPs", *input.request.flops);
    const double seconds = input.request.seconds.value_or(input.race.seconds);
    return seconds < 120 ? fmt::format("{:.0f} seconds", seconds)
                         : fmt::format("{:.3g} minutes", seconds / 60);
}

}  // namespace

std::string rung_name(int rung) { return fmt::format("rung {}", rung + 1); }

Measure measure_of(const DataLook& look) {
    if (look.goal == Goal::accuracy)
        return {"percent", fmt::format("accuracy on held-out {}, %", look.unit), "%", "points", 100};
    if (look.goal == Goal::explained_variance)
        return {"percent", fmt::format("variance explained of held-out {}, %", look.unit), "%", "points",
                100};
    const std::string unit = value_unit(look);
    return {"value", unit + ", held out", unit, unit, 1};
}

std::string page_words(std::string text) {
    replace_all(text, "+-", "\u00b1");
    for (auto at = text.find(" x "); at != std::string::npos; at = text.find(" x ", at + 1))
        if (at > 0 && digit(text[at - 1]) && at + 3 < text.size() && digit(text[at + 3]))
            text.replace(at, 3, " \u00d7 ");
    return text;
}

std::string shape_words(const Candidate& candidate) {
    const std::string tail = ", " + candidate.input.name;
    std::string label = candidate.label;
    if (label.ends_with(tail)) label.resize(label.size() - tail.size());
    return label;
}

std::string value_words(double value, double half_width, const Measure& measure) {
    return number_words(measure.scale * value, measure.scale * half_width) + " " + measure.unit;
}

std::string difference_words(double difference, double half_width, const Measure& measure) {
    return number_words(measure.scale * difference, measure.scale * half_width) + " " + measure.difference;
}

report::PageAnswer page_answer(const FitPageInput& input) {
    const Candidate& winner = winner_of(input);
    const Decision& decision = input.decision;
    report::PageAnswer answer;
    answer.eyebrow = standing_words(input);
    answer.value = page_words(fmt::format("{} x {}", winner.depth, winner.width));
    answer.detail = detail_words(winner);
    answer.sentence = page_words(decision.sentence);
    const auto fact = [&](const std::string& name, const std::string& text) {
        if (!text.empty()) answer.facts.emplace_back(name, page_words(text));
    };
    fact("held out",
         fmt::format("{}, {} {}", value_words(decision.value, decision.half_width, measure_of(input.look)),
                     decision.seeds, decision.seeds == 1 ? "seed" : "seeds"));
    fact("tie", tie_words(input));
    fact("not enough", shortfall_words(decision));
    fact("as good", decision.valley.sentence);
    fact("chosen", fmt::format("because it is {}", name_of(decision.tip)));
    fact("cost", cost_words(decision.costs, winner, input.proposal.unit));
    fact("depth", decision.depth_sentence);
    fact("certainty", decision.certainty);
    return answer;
}

std::vector<report::PageSection> page_sections(const FitPageInput& input) {
    std::string next = fmt::format("**Train it at full budget.** {}\n\n", exported_words(input));
    next += input.handed.command.empty() ? "" : fmt::format("```\n{}\n```\n\n", input.handed.command);
    next += fmt::format("**Ten times the budget.** {}\n\n", page_words(input.decision.tenfold.sentence));
    next += fmt::format("**What to change first.** {}\n\n", page_words(input.decision.change_first));
    std::vector<std::string> notes = input.decision.notes;
    for (const auto* more : {&input.race.notes, &input.handed.notes})
        notes.insert(notes.end(), more->begin(), more->end());
    for (const auto& note : notes) next += fmt::format("- {}\n", page_words(note));
    return {{"What next", next}};
}

std::vector<report::Judgement> page_findings(const FitPageInput& input) {
    std::vector<report::Judgement> findings{theory_finding(input)};
    for (const auto& versus : input.decision.rivals) findings.push_back(rival_finding(input, versus));
    return findings;
}

std::string page_question(const FitPageInput& input) {
    const DataLook& look = input.look;
    std::set<std::string> raced;
    for (const auto& entry : input.race.entries)
        if (std::ranges::count(input.proposal.candidates, entry.candidate, &Candidate::id) > 0)
            raced.insert(entry.candidate);
    const std::size_t proposed = input.proposal.candidates.size();
    return fmt::format("{} {} ({} held out), {} parameters, {} on {}: {} networks raced.",
                       human_count(static_cast<double>(look.size)), look.unit,
                       human_count(static_cast<double>(look.held_out)),
                       human_count(static_cast<double>(input.proposal.budget)), budget_words(input),
                       input.request.device,
                       raced.size() == proposed ? fmt::format("{}", proposed)
                                                : fmt::format("{} of {}", raced.size(), proposed));
}

}  // namespace plimsoll::fit
