#include "tests/support/vega_checks.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plimsoll::testing {
namespace {

// The channels of an encoding with their field definitions; a tooltip is a list of them.
std::vector<Json> fields_of(const Json& encoding) {
    std::vector<Json> fields;
    for (const auto& [channel, definition] : encoding.items()) {
        if (definition.is_object()) fields.push_back(definition);
        if (!definition.is_array()) continue;
        for (const auto& each : definition) fields.push_back(each);
    }
    return fields;
}

void expect_value(const Json& definition, const Json& datum) {
    const std::string field = definition.at("field");
    ASSERT_TRUE(datum.contains(field)) << field << " in " << datum.dump();
    if (definition.at("type") == "quantitative") {
        ASSERT_TRUE(datum[field].is_number()) << field;
        EXPECT_TRUE(std::isfinite(datum[field].get<double>())) << field;
        EXPECT_TRUE(!field.starts_with("log10") || datum[field].get<double>() >= 0) << datum.dump();
    } else {
        EXPECT_TRUE(datum[field].is_string()) << field;
    }
}

// A view: a known mark, data inside, and fields that the data have.
void expect_view(const Json& view) {
    const std::set<std::string> marks = {"point", "line"}, types = {"quantitative", "nominal"};
    EXPECT_TRUE(marks.contains(view.at("mark").at("type")));
    const Json& values = view.at("data").at("values");
    ASSERT_FALSE(values.empty());
    for (const auto& definition : fields_of(view.at("encoding"))) {
        EXPECT_TRUE(types.contains(definition.at("type"))) << definition.dump();
        EXPECT_FALSE(definition.contains("scale") && definition["scale"].value("type", "") == "log");
        for (const auto& datum : values) expect_value(definition, datum);
    }
}

}  // namespace

void expect_figure(const Json& figure) {
    EXPECT_EQ(figure.at("$schema"), "https://vega.github.io/schema/vega-lite/v5.json");
    if (!figure.contains("layer")) return expect_view(figure);
    for (const auto& layer : figure["layer"]) expect_view(layer);
}

}  // namespace plimsoll::testing
