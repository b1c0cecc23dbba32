#pragma once

#include "tests/rank/rank_support.h"

// A suite of known ranks: one source of an executable may include it.
namespace plimsoll::rank {

struct Known {
    const char* spec;
    std::int64_t positions;
    std::size_t rank;
};

class KnownRank : public ::testing::TestWithParam<Known> {};

// Values of an independent prototype (attention with the default half split, mixers by rows).
TEST_P(KnownRank, IsMeasured) {
    const RankReport report = report_of(question_of(GetParam().spec, GetParam().positions));
    EXPECT_EQ(report.rank, GetParam().rank) << GetParam().spec;
    EXPECT_TRUE(report.exact) << GetParam().spec;
}

}  // namespace plimsoll::rank
