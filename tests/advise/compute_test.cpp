#include "plimsoll/advise/compute.h"

#include <gtest/gtest.h>

#include "plimsoll/advise/advise.h"
#include "tests/support/error_text.h"

namespace plimsoll::advise {
namespace {

// Hoffmann et al.: about 1e20 FLOPs for 0.9 B parameters and 18 B tokens.
TEST(Compute, FlopsGoToParametersAndBack) {
    const double parameters = parameters_for_flops(1e20);
    EXPECT_NEAR(parameters, 9.13e8, 1e6);
    EXPECT_NEAR(6 * parameters * 20 * parameters, 1e20, 1e9);
}

TEST(Compute, HoursGoToFlopsAndBack) {
    const auto card = card_named("a100", "gpu");
    ASSERT_TRUE(card.ok());
    EXPECT_DOUBLE_EQ(flops_of_hours(1, *card), 3600 * 312e12 * 0.4);
    EXPECT_DOUBLE_EQ(hours_of_flops(flops_of_hours(7, *card), *card), 7);
}

TEST(Compute, AnUnknownCardIsNamed) {
    EXPECT_EQ(error_text(card_named("h10", "gpu")), "gpu: unknown 'h10' (did you mean h100?)");
}

// The answer to a budget of compute costs no more than it, and leaves no more than rounded widths do.
TEST(Compute, TheAnswerStaysWithinItsFlops) {
    for (const double flops : {1e16, 1e18, 1e20, 1e22}) {
        AdviceRequest request;
        request.training_flops = flops;
        request.parameters = static_cast<std::int64_t>(parameters_for_flops(flops));
        request.vocab = 32000;
        request.context = 1024;
        request.usual_widths = true;
        const auto advice = advise(request);
        ASSERT_TRUE(advice.ok()) << advice.error().text();
        EXPECT_LE(advice->training->flops, flops);
        EXPECT_GE(advice->training->flops, 0.85 * flops) << advice->answer.layout.depth;
    }
}

}  // namespace
}  // namespace plimsoll::advise
