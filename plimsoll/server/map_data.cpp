#include "plimsoll/server/map_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <thread>

#include "plimsoll/advise/levine_law.h"
#include "plimsoll/advise/load_line.h"
#include "plimsoll/advise/rivals.h"
#include "plimsoll/audit/diagnose.h"
#include "plimsoll/audit/models/target_name.h"
#include "plimsoll/base/check.h"
#include "plimsoll/base/format.h"
#include "plimsoll/server/http/message.h"
#include "plimsoll/target/target.h"
#include "plimsoll/theory/capacity/fast_capacity.h"

namespace plimsoll::server {
namespace {

// As `plimsoll audit --json` prints it.
Json audit_document(const audit::Report& report) {
    Json document{{"format", "plimsoll-audit-1"}};
    document.update(audit::to_json(report));
    return document;
}

constexpr unsigned most_threads = 4;

Json number(const auto& value) { return value ? Json(*value) : Json(); }

// The findings that the map shows: those that ask for something.
Json findings_of(const audit::Report& report) {
    Json list = Json::array();
    for (const auto& finding : report.findings) {
        if (finding.severity != audit::Severity::severe && finding.severity != audit::Severity::notice)
            continue;
        list.push_back({{"id", finding.id},
                        {"severity", audit::name_of(finding.severity)},
                        {"title", finding.title},
                        {"shown", finding.shown},
                        {"reading", finding.reading}});
    }
    return list;
}

Json model_json(const audit::ZooRow& row, const audit::Report& report) {
    const auto& shape = report.shape;
    const auto depth = audit::deepest_stack(shape);
    const auto rank = audit::input_rank(shape);
    return {{"id", audit::zoo_argument(row)},
            {"name", shape.name},
            {"family", shape.family},
            {"kind", formats::name_of(shape.kind)},
            {"modality", row.modality},
            {"year", row.year},
            {"layers", number(shape.depth)},
            {"decoder_layers", number(shape.decoder_depth)},
            {"depth", number(depth)},
            {"width", number(shape.width)},
            {"attention", number(audit::attention_dim(shape))},
            {"input_rank", rank ? Json(rank->rank) : Json()},
            {"vocab", number(shape.vocab)},
            {"context", number(shape.context)},
            {"parameters", number(report.parameters)},
            {"facts", audit::facts(report)},
            {"findings", findings_of(report)}};
}

Json constants_json(const advise::LineConstants& c) {
    return {c.depth_percent, c.depth_power, c.width_percent, c.width_power};
}

Json line_json() {
    Json others = Json::array();
    for (const auto& constants : advise::constants_without_one_study())
        others.push_back(constants_json(constants));
    return {{"constants", constants_json(advise::line_constants())},
            {"without_one_study", others},
            {"valley_percent", advise::valley_percent},
            {"tie_percent", advise::tie_percent},
            {"smallest_measured", advise::smallest_measured},
            {"largest_measured", advise::largest_measured}};
}

// Levine's law as the two numbers of width = exp(offset + slope L), from the function that every face uses.
Json levine_json() {
    const double at_zero = std::log(advise::levine_width(0)),
                 at_hundred = std::log(advise::levine_width(100));
    return {{"offset", at_zero}, {"slope", (at_hundred - at_zero) / 100}};
}

Json kaplan_json() {
    Json aspects = Json::array();
    for (const auto& best : advise::kaplan_best_aspects())
        aspects.push_back({{"parameters", best.parameters}, {"aspect", best.aspect}});
    return aspects;
}

std::vector<double> logarithmic(double low, double high, int count) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i)
        values.push_back(low * std::pow(high / low, static_cast<double>(i) / (count - 1)));
    return values;
}

struct JudgedModel {
    Json shown;
    std::string audit;
};

JudgedModel judge_model(const audit::ZooRow& row) {
    const auto target = target::model_of({target::Kind::zoo, audit::zoo_argument(row), {}, &row});
    PLIMSOLL_CHECK(target.ok(), "a model of the zoo cannot be opened");
    const auto report = audit::diagnose(*target);
    return {model_json(row, report), indented(audit_document(report))};
}

double rounded(double value) { return std::round(value * 1e4) / 1e4; }

}  // namespace

JudgedZoo judge_zoo(const std::atomic<bool>& stop) {
    const auto& zoo = audit::zoo();
    std::vector<JudgedModel> judged(zoo.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < zoo.size() && !stop; i = next++) judged[i] = judge_model(zoo[i]);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::min(most_threads, std::thread::hardware_concurrency()); ++i)
        threads.emplace_back(work);
    work();
    for (auto& thread : threads) thread.join();
    JudgedZoo all;
    for (std::size_t i = 0; i < zoo.size() && !stop; ++i) {
        all.models.push_back(std::move(judged[i].shown));
        all.audits.emplace(audit::zoo_argument(zoo[i]), std::move(judged[i].audit));
    }
    return all;
}

Json map_json(const JudgedZoo& zoo) {
    return {{"version", PLIMSOLL_VERSION},
            {"frame", {{"width", {narrowest, widest}}, {"depth", {shallowest, deepest}}}},
            {"load_line", line_json()},
            {"levine_law", levine_json()},
            {"kaplan", kaplan_json()},
            {"models", zoo.models}};
}

Result<Json> field_json(std::int64_t context) {
    constexpr int across = 97, down = 61;
    constexpr std::int64_t longest = std::int64_t{1} << 24;
    if (context < 2 || context > longest || !std::has_single_bit(static_cast<std::uint64_t>(context)))
        return bad_input("context",
                         fmt::format("must be a power of two from 2 to {}, got {}", longest, context));
    const auto n = static_cast<double>(context);
    Json values = Json::array(), knees = Json::array();
    const auto widths = logarithmic(narrowest, widest, across);
    for (const double depth : logarithmic(shallowest, deepest, down))
        for (const double width : widths)
            values.push_back(rounded(std::log10(theory::fast::capacity_log3(depth, width, n))));
    for (const double width : widths) knees.push_back(rounded(theory::fast::knee_depth(width, n)));
    return Json{{"context", context}, {"across", across}, {"down", down}, {"log10", values}, {"knee", knees}};
}

}  // namespace plimsoll::server
