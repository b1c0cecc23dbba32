// Parameters by the table of classes against those that the library made (tests/fixtures/audit).
#include "plimsoll/formats/class_counts/class_counts.h"

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/text.h"
#include "plimsoll/formats/hf_config/hf_config.h"

namespace plimsoll::audit {
namespace {

// Calls `check` with each line: {type, config, parameters}, the first of a type with its class.
void for_each_made(const std::function<void(const Json&)>& check) {
    const auto path = std::filesystem::path(PLIMSOLL_FIXTURES) / "audit" / "class_counts.jsonl";
    const auto text = read_text(path, 10'000'000);
    ASSERT_TRUE(text.ok()) << text.error().text();
    for (const std::string& line : split(*text, '\n')) {
        if (!line.empty()) check(parse_json(line, "class_counts.jsonl").value());
    }
}

Json config_of(const Json& made) {
    Json config = made["config"];
    config["model_type"] = made["type"];
    return config;
}

std::string why(const Json& config) {
    const auto counted = formats::count_by_class(config);
    if (!counted) return "no line";
    return counted->ok() ? (*counted)->parameters.text() : counted->error().text();
}

// The library's own numbers: every class with its defaults and with configurations drawn at random.
TEST(ClassCounts, EveryConfigurationHasTheParametersOfTheLibrary) {
    std::set<std::string> types;
    std::size_t made = 0;
    for_each_made([&](const Json& one) {
        EXPECT_EQ(why(config_of(one)), one["parameters"].dump()) << one.dump();
        types.insert(one["type"].get<std::string>());
        ++made;
    });
    EXPECT_GE(types.size(), 400U);
    EXPECT_EQ(types.size(), formats::counted_classes());
    EXPECT_GE(made, 4 * types.size());
}

// What a user sees is that number too, whatever else is known of the family.
TEST(ClassCounts, ThePredictionIsTheSameNumber) {
    for_each_made([](const Json& one) {
        if (!one.contains("class")) return;
        const auto shape = formats::shape_from_config(config_of(one), "x");
        ASSERT_TRUE(shape.ok()) << one["type"] << ": " << shape.error().text();
        const auto predicted = predicted_parameters(*shape);
        ASSERT_TRUE(predicted.has_value()) << one["type"];
        EXPECT_EQ(predicted->parameters.text(), one["parameters"].dump()) << one["type"];
        EXPECT_TRUE(predicted->exact) << one["type"];
        arch::Count sum;
        for (const auto& part : predicted->parts) sum += part.parameters;
        EXPECT_EQ(sum, predicted->parameters) << one["type"];
    });
}

TEST(ClassCounts, AFileThatTheTableDoesNotExplainIsNotCounted) {
    const auto reason = [](const char* text) { return why(parse_json(text, "t").value()); };
    EXPECT_EQ(reason(R"({"model_type": "llama", "num_hidden_layers": 0.5, "hidden_size": -8})"),
              "hidden_size: is -8; counted is a size");
    EXPECT_EQ(reason(R"({"model_type": "llama", "hidden_size": null})"),
              "hidden_size: is null; the class has 4096");
    EXPECT_EQ(reason(R"({"model_type": "llama", "head_dim": 0})"), "head_dim: is 0; the class has null");
    EXPECT_EQ(reason(R"({"model_type": "qwen3_next", "num_hidden_layers": 1, "layer_types": ["sliding"]})"),
              "layer_types: has \"sliding\"; counted are [\"full_attention\",\"linear_attention\"]");
    EXPECT_EQ(
        reason(R"({"model_type": "qwen3_next", "num_hidden_layers": 2, "layer_types": ["full_attention"]})"),
        "layer_types: has 1 entries and not \"num_hidden_layers\"");
    EXPECT_EQ(reason(R"({"model_type": "qwen3_next", "mlp_only_layers": [3]})"),
              "mlp_only_layers: is [3]; counted is null");
    EXPECT_EQ(reason(R"({"model_type": "llava", "text_config": {"model_type": "mistral"}})"),
              "text_config: is a \"mistral\"; counted is one with a \"llama\"");
    EXPECT_EQ(reason(R"({"model_type": "llava", "hidden_size": 4096})"),
              "hidden_size: is no key that the table knows of this class");
    EXPECT_EQ(reason(R"({"model_type": "nobody's"})"), "no line");
}

// Numbers that no sum holds are an answer, not a crash.
TEST(ClassCounts, HugeNumbersAreRefused) {
    const Json config{{"model_type", "llama"},
                      {"hidden_size", 1'000'000'000'000},
                      {"vocab_size", 1'000'000'000'000},
                      {"num_hidden_layers", 1'000'000'000'000},
                      {"intermediate_size", 1'000'000'000'000},
                      {"num_attention_heads", 1}};
    EXPECT_NE(why(config).find("too large"), std::string::npos) << why(config);
    EXPECT_NE(why({{"model_type", "llama"}, {"hidden_size", 1e300}}).find("number"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll::audit
