#include "plimsoll/cli/verify/verify_text.h"

#include <algorithm>
#include <numeric>

#include "plimsoll/base/format.h"
#include "plimsoll/cli/print.h"
#include "plimsoll/cli/wrap.h"

namespace plimsoll::cli {
namespace {

using verify::ClaimReport;
using verify::ClaimVerdict;
using verify::Outcome;
using verify::TriedCase;

Mark mark_of(const ClaimReport& report) {
    if (!report.as_expected()) return report.verdict == ClaimVerdict::undecided ? Mark::undecided : Mark::act;
    return report.verdict == ClaimVerdict::holds ? Mark::passed : Mark::note;
}

std::string cases_text(const ClaimReport& report) {
    if (report.verdict == ClaimVerdict::holds) return fmt::format("all {}", report.cases.size());
    const auto outcome = report.verdict == ClaimVerdict::fails ? Outcome::fails : Outcome::undecided;
    return fmt::format("{} of {}", report.count(outcome), report.cases.size());
}

// The case that decided a verdict other than "holds".
const TriedCase* telling_case(const ClaimReport& report) {
    if (report.verdict == ClaimVerdict::holds) return nullptr;
    return report.first(report.verdict == ClaimVerdict::fails ? Outcome::fails : Outcome::undecided);
}

std::string expectation(const ClaimReport& report) {
    if (!report.as_expected())
        return fmt::format("not expected: it should be '{}'", to_text(report.claim->expected));
    return "as expected (" + report.claim->because + ")";
}

void print_lines(const std::string& text) { fmt::print("{}", wrapped(text, 2)); }

void print_telling_case(const ClaimReport& report) {
    fmt::print("\n{} {}, ", report.claim->id, to_text(report.verdict));
    fmt::print("{}\n", report.as_expected() ? "as expected" : "not as expected");
    print_lines(report.claim->statement);
    if (!report.claim->because.empty()) print_lines(report.claim->because);
    if (!report.as_expected()) print_lines(expectation(report));
    if (const TriedCase* c = telling_case(report)) {
        const bool fails = report.verdict == ClaimVerdict::fails;
        print_lines(fmt::format("{}: {}: says {}, found {}",
                                fails ? "smallest counterexample" : "no decision", c->name,
                                c->observation.said, c->observation.found));
        fmt::print("  {}\n", c->command);
    } else {
        print_lines("no case of this effort tests it");
    }
}

double total_seconds(const std::vector<ClaimReport>& reports) {
    return std::accumulate(reports.begin(), reports.end(), 0.0,
                           [](double sum, const ClaimReport& r) { return sum + r.seconds; });
}

void print_summary(verify::Effort effort, const std::vector<ClaimReport>& reports) {
    std::size_t cases = 0, surprises = 0;
    for (const auto& report : reports) {
        cases += report.cases.size();
        surprises += report.as_expected() ? 0 : 1;
    }
    fmt::print("\n{} claim{}, {} cases, effort {}, {:.1f} s: ", reports.size(),
               reports.size() == 1 ? "" : "s", cases, to_text(effort), total_seconds(reports));
    if (surprises == 0) fmt::print("every verdict is the expected one\n");
    if (surprises > 0) fmt::print("{} not the expected verdict\n", surprises);
}

Json case_json(const TriedCase& c) {
    return {{"case", c.name},
            {"said", c.observation.said},
            {"found", c.observation.found},
            {"outcome", to_text(c.observation.outcome)},
            {"command", c.command}};
}

Json report_json(const ClaimReport& report) {
    Json out = {{"id", report.claim->id},
                {"statement", report.claim->statement},
                {"standing", verify::standing_text(*report.claim)},
                {"verdict", to_text(report.verdict)},
                {"expected", to_text(report.claim->expected)},
                {"as_expected", report.as_expected()},
                {"because", report.claim->because},
                {"held", report.count(Outcome::holds)},
                {"failed", report.count(Outcome::fails)},
                {"undecided", report.count(Outcome::undecided)},
                {"seconds", report.seconds}};
    const TriedCase* counterexample = report.first(Outcome::fails);
    out["counterexample"] = counterexample == nullptr ? Json() : case_json(*counterexample);
    out["cases"] = Json::array();
    for (const auto& c : report.cases) out["cases"].push_back(case_json(c));
    return out;
}

}  // namespace

void print_verdicts(verify::Effort effort, const std::vector<ClaimReport>& reports) {
    Table table({{"claim", Align::left},
                 {"verdict", Align::left},
                 {"cases"},
                 {"expected", Align::left},
                 {"seconds"}});
    for (const auto& report : reports) {
        table.add({report.claim->id, std::string(to_text(report.verdict)), cases_text(report),
                   std::string(to_text(report.claim->expected)), fmt::format("{:.2f}", report.seconds)},
                  mark_of(report));
    }
    table.print();
    for (const auto& report : reports) {
        if (report.verdict != ClaimVerdict::holds || !report.as_expected()) print_telling_case(report);
    }
    print_summary(effort, reports);
}

Json verdicts_json(verify::Effort effort, const std::vector<ClaimReport>& reports) {
    Json out = {{"effort", to_text(effort)},
                {"as_expected", all_as_expected(reports)},
                {"seconds", total_seconds(reports)}};
    out["claims"] = Json::array();
    for (const auto& report : reports) out["claims"].push_back(report_json(report));
    return out;
}

bool all_as_expected(const std::vector<ClaimReport>& reports) {
    return std::all_of(reports.begin(), reports.end(), [](const ClaimReport& r) { return r.as_expected(); });
}

}  // namespace plimsoll::cli
