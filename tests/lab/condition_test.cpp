#include "plimsoll/lab/sweep/condition.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::lab {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> keys{"model.depth", "model.width", "optimizer.lr", "optimizer.kind",
                                    "data.flip",   "parameters",  "model.unknown"};
const std::map<std::string, Json> job{{"model.depth", 4},      {"model.width", 64},
                                      {"optimizer.lr", 0.001}, {"optimizer.kind", "adam"},
                                      {"data.flip", true},     {"parameters", 64000}};

// yes, no, unknown or the error.
std::string answer(const std::string& text) {
    const auto condition = read_condition(text, keys, "keep");
    if (!condition.ok()) return condition.error().text();
    const auto yes = holds(*condition, [](const std::string& key) {
        const auto found = job.find(key);
        return found == job.end() ? Json() : found->second;
    });
    if (!yes.ok()) return yes.error().text();
    return !*yes ? "unknown" : **yes ? "yes" : "no";
}

TEST(Condition, ComparesNumbers) {
    for (const auto& [text, expected] :
         std::map<std::string, std::string>{{"model.depth < 4", "no"},
                                            {"model.depth <= 4", "yes"},
                                            {"model.depth == 4", "yes"},
                                            {"model.depth != 4", "no"},
                                            {"model.depth >= 4", "yes"},
                                            {"model.depth > 4", "no"},
                                            {"model.depth<=3", "no"},
                                            {"12 >= model.depth", "yes"},
                                            {"optimizer.lr == 1e-3", "yes"},
                                            {"parameters <= 64K", "yes"},
                                            {"parameters < 64K", "no"},
                                            {"model.depth < model.width", "yes"},
                                            {"model.depth >= model.width", "no"}})
        EXPECT_EQ(answer(text), expected) << text;
}

TEST(Condition, ComparesWordsAndTruths) {
    EXPECT_EQ(answer("optimizer.kind == adam"), "yes");
    EXPECT_EQ(answer("optimizer.kind != \"adam\""), "no");
    EXPECT_EQ(answer("optimizer.kind == 'sgd'"), "no");
    EXPECT_EQ(answer("data.flip == true"), "yes");
    EXPECT_EQ(answer("data.flip == on"), "yes");
    EXPECT_EQ(answer("data.flip == off"), "no");
    EXPECT_EQ(answer("optimizer.kind < 3"), "keep: 'optimizer.kind < 3': adam and 3 cannot be put in order");
}

TEST(Condition, OrJoinsAndUnknownStaysUnknown) {
    EXPECT_EQ(answer("model.depth == 1 or model.depth == 4"), "yes");
    EXPECT_EQ(answer("model.depth == 1 or model.depth == 2"), "no");
    EXPECT_EQ(answer("model.unknown == 1"), "unknown");
    EXPECT_EQ(answer("model.unknown == 1 or model.depth == 4"), "yes");
    EXPECT_EQ(answer("model.unknown == 1 or model.depth == 5"), "unknown");
}

TEST(Condition, WhatCannotBeReadIsRefused) {
    EXPECT_THAT(answer("model.depth"), HasSubstr("must be comparisons with < <= == != >= > joined by or"));
    EXPECT_THAT(answer("model.depth = 3"), HasSubstr("must be comparisons"));
    EXPECT_EQ(answer("model.deph <= 3"), "keep: unknown key 'model.deph' (did you mean model.depth?)");
    EXPECT_EQ(answer("depth <= 3"), "keep: unknown key 'depth' (did you mean model.depth?)");
    EXPECT_EQ(answer("model.width <= model.deph"),
              "keep: unknown key 'model.deph' (did you mean model.depth?)");
    EXPECT_EQ(answer("model.depth <="), "keep: a comparison has two sides, as in model.depth <= 12");
}

}  // namespace
}  // namespace plimsoll::lab
