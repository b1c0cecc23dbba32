#include "plimsoll/lab/sweep/counting.h"

#include <gtest/gtest.h>

#include "plimsoll/theory/ids/formula.h"

namespace plimsoll::lab {
namespace {

std::string counted(const std::string& way, const std::string& spec) {
    const auto parsed = arch::parse_spec(spec);
    EXPECT_TRUE(parsed.ok()) << parsed.error().text();
    const auto count = counting_way(way)->count(*parsed);
    return count.ok() ? count->text() : count.error().text();
}

std::string by_formula(const std::string& id, const std::map<std::string, Json>& inputs) {
    const theory::Formula* formula = *theory::find_formula(id);
    const auto value = theory::evaluate(*formula, *theory::read_inputs(*formula, inputs));
    if (const auto* whole = std::get_if<theory::Integer>(&*value)) return whole->text();
    return std::get<theory::Rational>(*value).text();
}

// Two ways: the papers' formulas as theory has them.
TEST(Counting, ThePapersFormulas) {
    for (const int depth : {1, 6, 24})
        for (const int width : {12, 360, 768}) {
            const std::string shape = "depth=" + std::to_string(depth) + ",width=" + std::to_string(width);
            const Json L = depth, dx = width;
            EXPECT_EQ(counted("levine", "transformer:" + shape + ",heads=12,vocab=500"),
                      by_formula("LEVINE-PARAMS", {{"L", L}, {"dx", dx}}));
            for (const int ratio : {1, 2, 4})
                EXPECT_EQ(counted("wies", "attention:" + shape +
                                              ",heads=12,head_dim=" + std::to_string(ratio * width / 12)),
                          by_formula("WIES-PARAMS", {{"L", L}, {"dx", dx}, {"ratio", ratio}}));
        }
}

TEST(Counting, LevineIsHonestWithoutTablesNormsAndBiases) {
    const std::string bare = "transformer:depth=3,width=24,heads=4,bias=off,norm=none,positions=none";
    EXPECT_EQ(counted("levine", bare), counted("honest", bare));
    const std::string text = "transformer:depth=3,width=24,heads=4,vocab=100,bias=off,norm=none";
    EXPECT_EQ(counted("levine", text), counted("non-embedding", text));
}

// The public code: width = floor(sqrt((budget // depth) // 2)).
TEST(Counting, NavonIsTwoPDSquaredAtExpansionOne) {
    EXPECT_EQ(counted("navon", "mixer:depth=5,channels=80,patch=4,image=32,expansion=1,classes=10"), "64000");
    EXPECT_EQ(counted("navon", "mixer:depth=5,channels=80,tokens=7,channel_hidden=40"), "32000");
}

TEST(Counting, AWayRefusesWhatItSaysNothingAbout) {
    EXPECT_EQ(counted("navon", "transformer:depth=1,width=8,heads=2"),
              "budget.count: navon counts mixers with hidden layers only, got transformer");
    EXPECT_EQ(counted("levine", "mixer:depth=1,channels=8,tokens=4"),
              "budget.count: levine counts attention and transformers of one stack only, got mixer");
    EXPECT_EQ(counted("wies", "transformer:depth=1,width=8,heads=2,stack=encoder-decoder,vocab=9"),
              "budget.count: wies counts attention and transformers of one stack only, got transformer");
    EXPECT_EQ(counting_way("kaplan"), nullptr);
}

}  // namespace
}  // namespace plimsoll::lab
