#include "plimsoll/cli/verify/verify_vega.h"

namespace plimsoll::cli {
namespace {

Json point(const verify::ClaimReport& report, const verify::TriedCase& each, const char* what,
           const std::string& words, double log10) {
    return {
        {"claim", report.claim->id}, {"case", each.name}, {"what", what}, {"words", words}, {"log10", log10}};
}

Json points_of(const std::vector<verify::ClaimReport>& reports) {
    Json values = Json::array();
    for (const auto& report : reports) {
        for (const auto& each : report.cases) {
            const auto& seen = each.observation;
            if (!seen.said_log10 || !seen.found_log10) continue;
            values.push_back(point(report, each, "said", seen.said, *seen.said_log10));
            values.push_back(point(report, each, "found", seen.found, *seen.found_log10));
        }
    }
    return values;
}

Json nominal(const char* field, const char* title) {
    return {{"field", field}, {"type", "nominal"}, {"title", title == nullptr ? Json() : Json(title)}};
}

Json encoding() {
    Json x = nominal("case", nullptr);
    x["sort"] = Json();  // smallest first, as measured
    return {{"x", x},
            {"y", {{"field", "log10"}, {"type", "quantitative"}, {"title", "separation rank, log10"}}},
            {"color", nominal("what", nullptr)},
            {"shape", nominal("what", nullptr)},
            {"row", nominal("claim", nullptr)},
            {"tooltip",
             Json::array({nominal("case", "case"), nominal("what", "what"), nominal("words", "value")})}};
}

}  // namespace

Result<Json> verdicts_vega(const std::vector<verify::ClaimReport>& reports) {
    Json values = points_of(reports);
    if (values.empty()) return bad_input("vega", "none of these claims is about the number of a rank");
    return Json{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
                {"title", "Claims on trial: what is said, what was found"},
                {"data", {{"values", values}}},
                {"mark", {{"type", "point"}, {"size", 70}}},
                {"encoding", encoding()}};
}

}  // namespace plimsoll::cli
