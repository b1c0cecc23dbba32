#include "plimsoll/rank/sup_inf.h"

#include <algorithm>
#include <chrono>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"

namespace plimsoll::rank {
namespace {

struct Case {
    Partition partition;
    OutputIndex output;
};

OutputIndex place(const NetworkFacts& facts, std::uint64_t index) {
    return {static_cast<std::size_t>(index) / facts.output_cols,
            static_cast<std::size_t>(index) % facts.output_cols};
}

Status check_question(const RankQuestion& question) {
    if (!question.partition.empty() || !question.left.empty())
        return bad_input("sup-inf", "measures all balanced partitions; give neither partition nor left");
    if (!question.output.empty()) return bad_input("sup-inf", "measures all outputs; do not give output");
    return {};
}

Result<std::vector<Case>> enumerate(const NetworkFacts& facts, std::uint64_t outputs) {
    PLIMSOLL_ASSIGN(partitions, parse_partitions("all", facts.split, 1));
    std::vector<Case> cases;
    for (const Partition& partition : partitions) {
        for (std::uint64_t k = 0; k < outputs; ++k) cases.push_back({partition, place(facts, k)});
    }
    return cases;
}

// The partitions that have a name first: they are often the extremes.
Result<std::vector<Case>> sample(const NetworkFacts& facts, std::uint64_t outputs, std::uint64_t count) {
    std::vector<Case> cases;
    for (const char* word : {"rows", "columns", "half", "interleaved"}) {
        const auto named = parse_partitions(word, facts.split, 1);
        if (named.ok() && cases.size() < count) cases.push_back({named->front(), {}});
    }
    const std::uint64_t rest = std::min(count - cases.size(), max_partitions);
    if (rest == 0) return cases;
    PLIMSOLL_ASSIGN(drawn, parse_partitions(fmt::format("random:{}", rest), facts.split, 1));
    RandomStream stream(1, "rank/outputs");
    for (const Partition& partition : drawn)
        cases.push_back({partition, place(facts, stream.below(outputs))});
    return cases;
}

std::string list_of(const std::vector<std::size_t>& left) { return fmt::format("{}", fmt::join(left, ",")); }

Result<OutputRank> measure_case(const RankPlan& plan, const Case& each) {
    PLIMSOLL_ASSIGN(found, measure_partition(plan, each.partition, each.output));
    return OutputRank{found.name, found.left, each.output, found.best().rank, found.exact()};
}

void choose_extremes(SupInfReport& report) {
    const auto [low, high] =
        std::minmax_element(report.cases.begin(), report.cases.end(),
                            [](const OutputRank& a, const OutputRank& b) { return a.rank < b.rank; });
    report.inf = *low;
    report.sup = *high;
    report.exact =
        std::all_of(report.cases.begin(), report.cases.end(), [](const auto& c) { return c.exact; });
}

Json place_json(const OutputRank& place) {
    return {{"rank", place.rank},
            {"exact", place.exact},
            {"partition", place.partition},
            {"left", place.left},
            {"output", {place.output.row, place.output.col}}};
}

}  // namespace

Result<SupInfReport> measure_sup_inf(const RankQuestion& question, std::uint64_t most_cases,
                                     const ProgressCallback& progress) {
    const auto start = std::chrono::steady_clock::now();
    PLIMSOLL_RETURN_IF_ERROR(check_question(question));
    if (most_cases < 1 || most_cases > max_partitions)
        return bad_input("cases", fmt::format("must be 1 to {}, got {}", max_partitions, most_cases));
    PLIMSOLL_ASSIGN(plan, plan_rank(question));
    SupInfReport report{.spec = arch::to_text(question.spec), .positions = question.positions};
    report.partitions = balanced_partitions(plan.facts.split.items());
    report.outputs = plan.facts.output_rows * plan.facts.output_cols;
    report.enumerated = report.partitions <= most_cases / report.outputs;
    PLIMSOLL_ASSIGN(cases, report.enumerated ? enumerate(plan.facts, report.outputs)
                                             : sample(plan.facts, report.outputs, most_cases));
    for (const Case& each : cases) {
        PLIMSOLL_ASSIGN(found, measure_case(plan, each));
        report.cases.push_back(std::move(found));
        if (progress) progress(report.cases.size(), cases.size());
    }
    choose_extremes(report);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

Json to_json(const SupInfReport& report) {
    Json cases = Json::array();
    for (const auto& each : report.cases) {
        cases.push_back({{"left", list_of(each.left)},
                         {"output", {each.output.row, each.output.col}},
                         {"rank", each.rank}});
    }
    return {{"spec", report.spec},
            {"positions", report.positions ? Json(*report.positions) : Json()},
            {"sup", report.sup.rank},
            {"inf", report.inf.rank},
            {"enumerated", report.enumerated},
            {"exact", report.exact},
            {"partitions", report.partitions},
            {"outputs", report.outputs},
            {"measured", report.cases.size()},
            {"sup_at", place_json(report.sup)},
            {"inf_at", place_json(report.inf)},
            {"seconds", report.seconds},
            {"cases", cases}};
}

}  // namespace plimsoll::rank
