#include "plimsoll/lab/jobs/pace.h"

#include <gtest/gtest.h>

#include "tests/lab/sweep_support.h"

namespace plimsoll::lab {
namespace {

TEST(Pace, AJobWeighsItsFlopsWhereAllAreKnown) {
    const Plan known = planned(text_base +
                               "train.steps = 10\n[axes]\nmodel.depth = [1, 2]\n"
                               "[[zip]]\nmodel.width = [8]\nmodel.heads = [1]\n");
    ASSERT_EQ(known.jobs.size(), 2u);
    EXPECT_EQ(job_weights(known),
              (std::vector<double>{*known.jobs[0].work.flops(), *known.jobs[1].work.flops()}));
    const Plan unknown = planned(
        "[base]\nmodel.spec = \"transformer:width=8,heads=1,vocab=256,context=32\"\ndata.name = \"x.txt\"\n"
        "train.epochs = 1\n[axes]\nmodel.depth = [1, 2]\n");
    EXPECT_EQ(job_weights(unknown), (std::vector<double>{1, 1}));
}

TEST(Pace, IsSecondsPerWeightOverAllThatWasComputed) {
    Pace pace;
    EXPECT_FALSE(pace.seconds(1));
    pace.add(0, 5);
    EXPECT_FALSE(pace.seconds(1)) << "time without work says nothing";
    pace.add(10, 5);
    EXPECT_DOUBLE_EQ(*pace.seconds(20), 20);
}

TEST(Pace, TheTimeLeftIsSharedButNoJobIsCut) {
    EXPECT_EQ(time_left({}, 3), 0);
    EXPECT_EQ(time_left({4, 4, 4, 4}, 2), 8);
    EXPECT_EQ(time_left({9, 1}, 2), 9);
}

}  // namespace
}  // namespace plimsoll::lab
