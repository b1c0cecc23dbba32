#include "plimsoll/report/vega/verdicts_vega.h"

namespace plimsoll::report {
namespace {

Json verdict_datum(const VerdictCase& each, const char* what, const SaidRank& rank) {
    return {{"claim", each.claim},
            {"case", each.name},
            {"what", what},
            {"words", rank.words},
            {"log10", rank.log10}};
}

Json verdict_values(const std::vector<VerdictCase>& cases) {
    Json values = Json::array();
    for (const auto& each : cases) {
        values.push_back(verdict_datum(each, "said", each.said));
        values.push_back(verdict_datum(each, "found", each.found));
    }
    return values;
}

Json nominal(const char* field, const char* title) {
    return {{"field", field}, {"type", "nominal"}, {"title", title == nullptr ? Json() : Json(title)}};
}

Json verdict_encoding() {
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

Json verdicts_vega(const std::vector<VerdictCase>& cases) {
    return Json{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"},
                {"title", "Claims tested: claimed and measured ranks"},
                {"data", {{"values", verdict_values(cases)}}},
                {"mark", {{"type", "point"}, {"size", 70}}},
                {"encoding", verdict_encoding()}};
}

}  // namespace plimsoll::report
