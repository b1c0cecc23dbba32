#include "plimsoll/cli/data/synthetic_text.h"

#include <map>

#include "plimsoll/base/format.h"
#include "plimsoll/base/progress.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"
#include "plimsoll/rank/exact_rank.h"

namespace plimsoll::cli {
namespace {

using data::KnownFact;

// Ranks beyond this are reported as "at least": seconds, not minutes.
constexpr std::size_t largest_rank = 4000;

std::string most_and_least(const std::vector<std::uint16_t>& labels) {
    std::map<std::uint16_t, std::size_t> counts;
    for (const auto label : labels) ++counts[label];
    std::size_t least = labels.size(), most = 0;
    for (const auto& [label, count] : counts) {
        least = std::min(least, count);
        most = std::max(most, count);
    }
    return fmt::format("{} of them, {} to {} examples each", counts.size(), least, most);
}

// What can be counted.
std::vector<KnownFact> counted(const data::Dataset& dataset) {
    if (const auto* text = std::get_if<data::TextFiles>(&dataset)) {
        return {{"text", human_bytes(static_cast<double>(text->files.front().bytes.size()))}};
    }
    if (const auto* set = std::get_if<data::LabelledSequences>(&dataset)) {
        return {{"examples",
                 fmt::format("{} and {} for testing", set->labels.size() - set->test_count, set->test_count)},
                {"example", fmt::format("{} tokens of {}", set->length, set->vocabulary)},
                {"labels", most_and_least(set->labels)}};
    }
    const auto& set = std::get<data::LabelledMatrices>(dataset);
    return {{"examples",
             fmt::format("{} and {} for testing", set.labels.size() - set.test_count, set.test_count)},
            {"example", fmt::format("{} x {} numbers", set.rows, set.cols)},
            {"labels", most_and_least(set.labels)}};
}

Status measure_teacher(const data::Teacher& teacher, SyntheticReport& report) {
    rank::RankQuestion question{.spec = teacher.spec, .positions = teacher.positions};
    if (teacher.positions) question.inputs = rank::Inputs::tokens;
    question.max_size = largest_rank;
    PLIMSOLL_ASSIGN(measured, rank::measure_rank(question));
    report.rank = measured.rank;
    report.rank_is_exact = measured.exact;
    return {};
}

std::vector<KnownFact> all_facts(const SyntheticReport& report) {
    std::vector<KnownFact> facts = counted(report.set.dataset);
    facts.insert(facts.end(), report.set.known.begin(), report.set.known.end());
    if (report.rank) {
        facts.push_back(
            {"separation rank", fmt::format("{}{}", report.rank_is_exact ? "" : "at least ", *report.rank)});
    }
    return facts;
}

}  // namespace

Result<SyntheticReport> report_synthetic(const std::string& name) {
    ProgressBar bar("making");
    PLIMSOLL_ASSIGN(set, data::make_synthetic(name, bar.callback()));
    SyntheticReport report{std::move(set), std::nullopt, false};
    // Too many strings of tokens for a measurement is no error here.
    if (report.set.teacher) static_cast<void>(measure_teacher(*report.set.teacher, report));
    return report;
}

void print_synthetic(const SyntheticReport& report) {
    fmt::print("{}\n\n", report.set.name);
    std::size_t width = 0;
    const auto facts = all_facts(report);
    for (const auto& fact : facts) width = std::max(width, fact.what.size());
    for (const auto& fact : facts) fmt::print("  {:<{}}   {}\n", fact.what, width, fact.value);
    if (!report.set.teacher) return;
    fmt::print(
        "\nAlmost all weights have at least this rank, and the teacher's were drawn at random:\n  {}\n",
        report.set.teacher->rank_command());
}

Json synthetic_json(const SyntheticReport& report) {
    Json known = Json::object();
    for (const auto& fact : all_facts(report)) known[fact.what] = fact.value;
    Json result{{"name", report.set.name}, {"known", known}};
    if (report.rank) result["rank"] = *report.rank;
    if (report.rank) result["rank_exact"] = report.rank_is_exact;
    if (report.set.teacher) result["rank_command"] = report.set.teacher->rank_command();
    return result;
}

void print_synthetic_kinds() {
    for (const auto& kind : data::synthetic_kinds()) {
        fmt::print("synthetic:{}\n{}", kind.name, wrapped(kind.meaning, 2));
        for (const auto& setting : kind.settings)
            fmt::print("{}", labelled(setting.key,
                                      fmt::format("{} (default {})", setting.meaning, setting.fallback)));
    }
}

}  // namespace plimsoll::cli
