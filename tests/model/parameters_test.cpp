#include <gtest/gtest.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/arch/tensors.h"
#include "tests/model/model_test_support.h"
#include "tests/support/random_spec.h"

namespace plimsoll::model {
namespace {

TEST(Parameters, ArePreciselyThoseThatArchListsForEveryFamily) {
    testing::for_random_specs(30, [](const arch::ArchSpec& spec) {
        if (!is_small(spec)) return;
        const auto network = build(spec, {});
        if (!network.ok()) {
            EXPECT_EQ(network.error().kind, ErrorKind::unsupported) << network.error().text();
            return;
        }
        const auto& found = (*network)->parameters();
        const auto listed = arch::tensors(spec);
        ASSERT_EQ(found.size(), listed.size());
        arch::Count total = 0;
        for (std::size_t k = 0; k < listed.size(); ++k) {
            EXPECT_EQ(found[k].name, listed[k].name);
            EXPECT_EQ(found[k].tensor.sizes().vec(), listed[k].shape);
            total += found[k].tensor.numel();
        }
        EXPECT_EQ(total, arch::parameter_count(spec));
    });
}

}  // namespace
}  // namespace plimsoll::model
