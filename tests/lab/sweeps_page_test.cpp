#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "tests/lab/sweep_support.h"

namespace plimsoll::lab {
namespace {

using ::testing::HasSubstr;

std::string page() { return *read_text(PLIMSOLL_SOURCE_DIR "/docs/SWEEPS.md"); }

TEST(SweepsPage, TheWaysOfCountingAreTheCodes) {
    for (const auto& way : counting_ways())
        EXPECT_THAT(page(),
                    HasSubstr(fmt::format("| `{}` | {} | {} |\n", way.name, way.meaning, way.source)));
}

TEST(SweepsPage, EveryKeyIsExplained) {
    for (const char* key :
         {"base", "axes", "[[zip]]", "seeds", "keep", "budget.parameters", "budget.within", "budget.adjust",
          "budget.multiple_of", "budget.count", "budget.at_most", "budget.skip_unreachable"})
        EXPECT_THAT(page(), HasSubstr(fmt::format("| `{}` |", key))) << key;
}

TEST(SweepsPage, TheExamplesAreValidSweeps) {
    const std::string text = page(), start = "```toml\n# sweep.toml";
    int examples = 0;
    for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at + 1), ++examples) {
        const auto from = at + 8;
        EXPECT_FALSE(planned(text.substr(from, text.find("```", from) - from)).jobs.empty());
    }
    EXPECT_GE(examples, 2);
}

}  // namespace
}  // namespace plimsoll::lab
