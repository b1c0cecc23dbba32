#include <gtest/gtest.h>

#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/formats/hf_config/hf_config.h"
#include "tests/formats/config_fixtures.h"

// Every key of every fixture replaced by every kind of wrong value: no crash, no empty report. Slow by its
// numbers, so an executable of its own.
namespace plimsoll::audit {
namespace {

// A report with something to say: sizes, or the reason why there are none.
void expect_report(const Json& config, const std::string& what) {
    const auto shape = formats::shape_from_config(config, "x");
    if (!shape.ok()) {
        const std::string& message = shape.error().message;
        EXPECT_FALSE(message.empty()) << what;
        if (shape.error().kind == ErrorKind::unsupported) return;
        EXPECT_EQ(shape.error().kind, ErrorKind::bad_input) << what;
        const auto place = message.substr(0, message.find(": "));
        EXPECT_NE(config.dump().find("\"" + place.substr(place.rfind('.') + 1) + "\":"), std::string::npos)
            << what << ": " << message;
        return;
    }
    EXPECT_FALSE(shape->family.empty()) << what;
    EXPECT_TRUE((shape->depth && shape->width) || !shape->not_analysed.empty()) << what;
    const auto count = predicted_parameters(*shape);
    EXPECT_EQ(count.has_value(), why_no_count(*shape).empty()) << what;
    EXPECT_TRUE(!count || count->parameters > arch::Count(0)) << what;
}

const std::vector<Json>& wrong_values() {
    static const std::vector<Json> values{
        nullptr,
        -1,
        0,
        1,
        1'000'000'000,
        std::int64_t{INT64_MIN},
        std::uint64_t{UINT64_MAX},
        1e300,
        0.5,
        "768",
        "",
        true,
        false,
        Json::array(),
        Json{1, 2, 3},
        Json{1, "a", nullptr},
        Json::object(),
        Json{{"a", 1}},
        Json{{1}, {2}},
        Json{1'000'000'000, 1'000'000'000},
    };
    return values;
}

TEST(HostileConfigs, EveryKeyWithEveryWrongValue) {
    for (const Json& one : formats::config_fixtures()) {
        for (const auto& [key, value] : one["config"].items()) {
            Json config = one["config"];
            for (const Json& wrong : wrong_values()) {
                config[key] = wrong;
                expect_report(config, one["name"].get<std::string>() + ": " + key + " = " + wrong.dump());
            }
            config.erase(key);
            expect_report(config, one["name"].get<std::string>() + " without " + key);
        }
    }
}

TEST(HostileConfigs, EveryKeyWithTheSameWrongValue) {
    for (const Json& one : formats::config_fixtures()) {
        for (const Json& wrong : wrong_values()) {
            Json config = one["config"];
            for (auto& [key, value] : config.items()) {
                if (key != "model_type") value = wrong;
            }
            expect_report(config, one["name"].get<std::string>() + ": all " + wrong.dump());
        }
    }
}

// Two families in one file: the keys of each with the type of another.
TEST(HostileConfigs, EveryTypeWithTheKeysOfAnother) {
    const Json& all = formats::config_fixtures();
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t step : {1U, 7U, 31U}) {
            Json config = all[i]["config"];
            config["model_type"] = all[(i + step) % all.size()]["config"].value("model_type", "none");
            expect_report(
                config, all[i]["name"].get<std::string>() + " as " + config["model_type"].get<std::string>());
        }
    }
}

}  // namespace
}  // namespace plimsoll::audit
