#include "plimsoll/server/site.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace plimsoll::server {
namespace {

// As web/page/src/api.ts names them.
TEST(Site, NamesScriptsByWhatTheyAnswer) {
    EXPECT_EQ(site_script("map"), "map.js");
    EXPECT_EQ(site_script("map/field?context=1024"), "map-field-context-1024.js");
    EXPECT_EQ(site_script("audit?model=gpt-3-2.7b"), "audit-model-gpt-3-2.7b.js");
}

TEST(Site, HasTheUsualBudgetAndContext) {
    EXPECT_NE(std::ranges::find(site_budgets(), "100000000"), site_budgets().end());
    EXPECT_NE(std::ranges::find(site_contexts(), site_context), site_contexts().end());
    EXPECT_TRUE(
        std::ranges::is_sorted(site_budgets(), {}, [](const auto& text) { return std::stoll(text); }));
}

}  // namespace
}  // namespace plimsoll::server
