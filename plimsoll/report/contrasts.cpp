#include <algorithm>
#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/report/findings.h"
#include "plimsoll/report/numbers.h"

namespace plimsoll::report {
namespace {

using Values = std::map<CellKey, std::vector<double>, CellKeyLess>;

// What was left out on the way to the pairs.
struct Losses {
    std::size_t without_value = 0, without_partner = 0, averaged = 0;
};

struct Pairs {
    std::vector<double> differences;
    Losses losses;
};

std::string prediction_text(Prediction prediction) {
    switch (prediction) {
        case Prediction::less:
            return "a < b";
        case Prediction::more:
            return "a > b";
        case Prediction::equal:
            return "a = b";
        case Prediction::none:
            break;
    }
    return "none";
}

Result<Values> values_of(const ContrastSpec& spec, const Selection& selection,
                         const std::vector<std::string>& side, Losses& losses) {
    PLIMSOLL_ASSIGN(table, filtered(selection.table(), side, spec.place));
    PLIMSOLL_ASSIGN(value, selection.column(spec.value, spec.place));
    std::vector<std::size_t> match;
    for (const auto& name : spec.match) {
        PLIMSOLL_ASSIGN(at, selection.column(name, spec.place));
        match.push_back(at);
    }
    Values values;
    for (const auto& row : table.rows) {
        const auto number = finite_number(row[value]);
        if (!number) {
            ++losses.without_value;
            continue;
        }
        CellKey key;
        for (const std::size_t at : match) key.push_back(row[at]);
        auto& list = values[key];
        if (!list.empty()) ++losses.averaged;
        list.push_back(*number);
    }
    return values;
}

Result<Pairs> pairs_of(const ContrastSpec& spec, const Selection& selection) {
    Pairs pairs;
    PLIMSOLL_ASSIGN(a, values_of(spec, selection, spec.a, pairs.losses));
    PLIMSOLL_ASSIGN(b, values_of(spec, selection, spec.b, pairs.losses));
    for (const auto& [key, values] : a) {
        const auto partner = b.find(key);
        if (partner == b.end())
            ++pairs.losses.without_partner;
        else
            pairs.differences.push_back(summary(values).mean - summary(partner->second).mean);
    }
    pairs.losses.without_partner += b.size() - pairs.differences.size();
    return pairs;
}

std::vector<std::string> notes_of(const ContrastSpec& spec, const Losses& losses) {
    std::vector<std::string> notes;
    if (losses.without_value > 0)
        notes.push_back(
            fmt::format("{} left out: no value of {}", counted(losses.without_value, "row"), spec.value));
    if (losses.without_partner > 0)
        notes.push_back(fmt::format("{} left out: no partner with the same {}",
                                    counted(losses.without_partner, "row"), join(spec.match, ", ")));
    if (losses.averaged > 0)
        notes.push_back(fmt::format("{} had the same {} as another of its side: averaged first",
                                    counted(losses.averaged, "row"), join(spec.match, ", ")));
    if (spec.predicted == Prediction::equal && spec.margin == 0)
        notes.emplace_back("with a margin of 0, a = b can only be contradicted");
    return notes;
}

// "-1.32 (95 % interval -1.92 to -0.71, 12 pairs)".
std::string difference_text(const Summary& difference) {
    if (!difference.interval)
        return fmt::format("{} (one pair, so no interval)", short_number(difference.mean));
    const double half = *difference.half_width();
    return fmt::format("{} (95 % interval {}, {} pairs)",
                       half > 0 ? number_beside(difference.mean, half) : short_number(difference.mean),
                       interval_text(*difference.interval), difference.count);
}

void say(Judgement& finding, const ContrastSpec& spec, const Summary& difference) {
    if (difference.interval)
        finding.outcome = judged_difference(*difference.interval, spec.predicted, spec.margin);
    const std::string margin =
        spec.margin > 0 ? fmt::format(" by more than {}", short_number(spec.margin)) : "";
    const std::string within = spec.margin > 0 ? fmt::format(" within {}", short_number(spec.margin)) : "";
    const std::string predicted = spec.predicted == Prediction::none
                                      ? ""
                                      : fmt::format(", predicted {}{}", prediction_text(spec.predicted),
                                                    spec.predicted == Prediction::equal ? within : margin);
    const std::string verdict = finding.outcome == Outcome::no_prediction
                                    ? fmt::format("a is {} than b", difference.mean < 0 ? "lower" : "higher")
                                    : std::string(name_of(finding.outcome));
    finding.sentence = fmt::format("{}: measured {} of a minus b is {}{}: {}.", spec.name, spec.value,
                                   difference_text(difference), predicted, verdict);
}

}  // namespace

Result<Judgement> contrast_finding(const ContrastSpec& spec, const Sources& sources) {
    PLIMSOLL_ASSIGN(selection, sources.select(spec.rows, spec.where, spec.place));
    PLIMSOLL_ASSIGN(pairs, pairs_of(spec, selection));
    Judgement finding{"contrast", spec.name};
    finding.notes = selection.notes;
    for (auto& note : notes_of(spec, pairs.losses)) finding.notes.push_back(std::move(note));
    finding.details = {{"value", spec.value},
                       {"a", spec.a},
                       {"b", spec.b},
                       {"match", spec.match},
                       {"predicted", prediction_text(spec.predicted)},
                       {"margin", spec.margin},
                       {"difference", nullptr}};
    if (pairs.differences.empty()) {
        finding.sentence = fmt::format("{}: no rows of a and b match in {}: no verdict possible.", spec.name,
                                       join(spec.match, ", "));
        return finding;
    }
    const Summary difference = summary(pairs.differences);
    finding.details["difference"] = summary_json(difference);
    say(finding, spec, difference);
    return finding;
}

}  // namespace plimsoll::report
