#include "tests/report/page_support.h"

#include "plimsoll/base/json.h"
#include "plimsoll/report/vega/theme.h"

namespace plimsoll::testing {
namespace {

using report::Outcome;

// Points joined by a line, in two series, as a layered plot.
Json layered_plot(bool with_name) {
    Json values = Json::array();
    for (int i = 1; i <= 5; ++i)
        for (const char* series : {"mixer", hostile})
            values.push_back({{"x", i},
                              {"y", i * (series == hostile ? 7 : 5)},
                              {"series", series},
                              {"set", i % 2 ? "a" : "b"}});
    const Json x{{"field", "x"}, {"type", "quantitative"}, {"title", "depth / log2(width)"}};
    const Json y{{"field", "y"}, {"type", "quantitative"}, {"title", "test error, %"}};
    const Json colour{{"field", "series"}, {"type", "nominal"}};
    Json plot{{"width", 560}, {"height", 320}};
    plot["layer"] = {{{"mark", "line"}, {"encoding", {{"x", x}, {"y", y}, {"color", colour}}}},
                     {{"mark", {{"type", "point"}, {"tooltip", true}}},
                      {"encoding", {{"x", x}, {"y", y}, {"color", colour}, {"shape", colour}}}}};
    if (!with_name) return plot;
    plot["data"] = {{"values", values}};
    plot["title"] = hostile;
    return plot;
}

Json styled(Json plot) {
    Json spec{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"}};
    for (const auto& [key, value] : plot.items()) spec[key] = value;
    spec["config"] = report::vega_config(report::Theme::light);
    return spec;
}

Json small_multiples() {
    Json plot = layered_plot(true);
    Json inner = layered_plot(false);
    inner["width"] = 280;
    inner["height"] = 200;
    return styled({{"data", plot.at("data")},
                   {"title", "two sets"},
                   {"facet", {{"field", "set"}, {"type", "nominal"}, {"title", nullptr}}},
                   {"columns", 2},
                   {"spec", inner}});
}

report::Report sample_report() {
    report::Report made;
    made.figures = {{"ratio",
                     std::string("A title ") + hostile,
                     styled(layered_plot(true)),
                     {"2 rows are left out.", hostile}},
                    {"sets", "Both sets agree", small_multiples(), {}}};
    report::TextTable table;
    table.name = "final";
    table.columns = {"depth", hostile};
    table.cells = {{"4", "12.5 +- 0.3"}, {"8", hostile}};
    table.notes = {"Means over 3 seeds."};
    made.tables = {table};
    made.findings = {
        {"contrast",
         "mixer against RP-mixer",
         Outcome::as_predicted,
         "The difference is -1.2 (-1.9 to -0.5).",
         {},
         {}},
        {"contrast", "deep against wide", Outcome::against, "The difference is 0.8 (0.2 to 1.4).", {}, {}},
        {"optimum", "best ratio", Outcome::inside_noise, hostile, {}, {"One seed only."}},
        {"contrast", "cost", Outcome::no_prediction, "A step takes 1.3 times as long.", {}, {}}};
    return made;
}

report::Table sample_rows() {
    report::Table rows;
    rows.columns = {"run", "depth", "error", hostile};
    for (int i = 1; i <= 30; ++i)
        rows.rows.push_back(
            {std::string("run-") + std::to_string(i), std::int64_t{i}, i / 8.0, std::string(hostile)});
    rows.rows.push_back({std::string("run-31"), std::int64_t{31}, std::monostate(), std::string("plain")});
    return rows;
}

}  // namespace

report::PageContent sample_page() {
    report::PageContent content;
    content.title = std::string("Depth and width ") + hostile;
    content.source = std::string("Navon & Bronstein 2022, figure 1 ") + hostile;
    content.scale = "desk";
    content.question = std::string("Where is the error lowest? ") + hostile;
    content.prediction = std::string("Between 1 and 2. ") + hostile;
    content.predicted_on = "2026-11-15";
    content.report = sample_report();
    report::FigureSpec ratio;
    ratio.name = "ratio";
    ratio.where = {"phase == done", hostile};
    ratio.x = {"ratio", "depth / log2(width)", report::Scale::log, ""};
    ratio.y = {"error", "test error, %", report::Scale::linear, ""};
    ratio.series = "budget";
    content.figures.figures = {ratio};
    content.rows = {{"runs", sample_rows()}};
    content.protocol = std::string(
                           "What the paper says.\n\n| paper | code |\n| --- | --- |\n| 9 budgets | `4` "
                           "|\n\n- one **strong** word\n- ") +
                       hostile;
    content.provenance = {{"commit", "0123abc"}, {"machine", hostile}};
    content.command = std::string("plimsoll reproduce navon-fig1 --scale desk # ") + hostile;
    return content;
}

}  // namespace plimsoll::testing
