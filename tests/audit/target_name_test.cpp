#include "plimsoll/audit/models/target_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::audit {
namespace {

using ::testing::HasSubstr;

std::string found(std::string_view name) {
    const auto row = find_in_zoo(name);
    return row.ok() ? (*row)->shape.name : "error: " + row.error().text();
}

TEST(TargetName, EveryModelIsFoundByItsNameInAnySpelling) {
    for (const auto& row : zoo()) {
        EXPECT_EQ(found(row.shape.name), row.shape.name);
        EXPECT_EQ(found(plain_name(row.shape.name)), row.shape.name);
        EXPECT_EQ(found(zoo_argument(row)), row.shape.name);
    }
}

TEST(TargetName, CaseAndPunctuationDoNotMatter) {
    EXPECT_EQ(found("t5 11B"), "T5-11B");
    EXPECT_EQ(found("gpt3_175b"), "GPT-3 175B");
    EXPECT_EQ(found("ESM1B"), "esm-1b");
    EXPECT_EQ(found("opt 13b"), "OPT-13B");
    EXPECT_EQ(found("opt 1.3b"), "OPT-1.3B");
    EXPECT_EQ(found("qwen25 72b"), "Qwen2.5-72B");
}

TEST(TargetName, AUniquePrefixWillDo) {
    EXPECT_EQ(found("albert-xxl"), "ALBERT-xxlarge-v2");
    EXPECT_EQ(found("gemma-3-27"), "Gemma-3-27b-it");
    EXPECT_EQ(found("llama-3-1-405"), "Llama-3.1-405B");
}

TEST(TargetName, ANameThatBeginsOthersIsStillItself) { EXPECT_EQ(found("gpt2"), "gpt2"); }

TEST(TargetName, AnAmbiguousPrefixListsTheCandidates) {
    const auto row = find_in_zoo("t5-");
    ASSERT_FALSE(row.ok());
    EXPECT_EQ(row.error().kind, ErrorKind::not_found);
    EXPECT_EQ(row.error().text(),
              "t5-: may be one of 6: T5-small, T5-base, T5-large, T5-3B, T5-11B, T5-v1.1-XXL");
    EXPECT_THAT(found("p"), HasSubstr("and 3 more"));
}

TEST(TargetName, NearMissesAreSuggested) {
    EXPECT_EQ(found("t5-12b"), "error: t5-12b: no file, run or model of that name; nearest: T5-11B");
    EXPECT_THAT(found("bert-bsae-uncased"), HasSubstr("nearest: BERT-base-uncased"));
    EXPECT_THAT(found("something else"), HasSubstr("plimsoll zoo lists the names"));
    EXPECT_THAT(found("--"), HasSubstr("is no name of a model"));
}

}  // namespace
}  // namespace plimsoll::audit
