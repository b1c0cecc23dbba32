#include "plimsoll/cli/verify/verdict_cases.h"

namespace plimsoll::cli {

Result<std::vector<report::VerdictCase>> verdict_cases(const std::vector<verify::ClaimReport>& reports) {
    std::vector<report::VerdictCase> cases;
    for (const auto& report : reports) {
        for (const auto& each : report.cases) {
            const auto& seen = each.observation;
            if (!seen.said_log10 || !seen.found_log10) continue;
            cases.push_back({report.claim->id,
                             each.name,
                             {seen.said, *seen.said_log10},
                             {seen.found, *seen.found_log10}});
        }
    }
    if (cases.empty()) return bad_input("vega", "none of these claims states a rank");
    return cases;
}

}  // namespace plimsoll::cli
