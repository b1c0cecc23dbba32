#include <set>

#include <gtest/gtest.h>

#include "plimsoll/arch/spec.h"
#include "tests/support/random_spec.h"

namespace plimsoll::arch {
namespace {

using testing::for_random_specs;

TEST(RoundTrip, TextComesBackAsTheSameSpec) {
    for_random_specs(100, [](const ArchSpec& spec) {
        const auto again = parse_spec(to_text(spec));
        ASSERT_TRUE(again.ok()) << again.error().text();
        EXPECT_EQ(*again, spec);
        EXPECT_TRUE(validate(spec).ok());
    });
}

TEST(RoundTrip, JsonComesBackAsTheSameSpec) {
    for_random_specs(30, [](const ArchSpec& spec) {
        const auto again = spec_from_json(to_json(spec));
        ASSERT_TRUE(again.ok()) << again.error().text() << to_json(spec).dump();
        EXPECT_EQ(*again, spec);
    });
}

TEST(RoundTrip, TheShortestTextHasNoDefaults) {
    const auto spec =
        parse_spec("transformer:depth=12,width=768,heads=12,vocab=50257,head_dim=64,ffn=3072,tied=on");
    ASSERT_TRUE(spec.ok());
    EXPECT_EQ(to_text(*spec), "transformer:depth=12,width=768,heads=12,vocab=50257");
}

// The generator is only as good as its reach: every key of every family must leave its default in some draw.
TEST(RandomSpec, EveryKeyIsReached) {
    const std::set<std::string> shorthands{"transformer bias", "transformer ffn_scaled", "transformer style",
                                           "mixer expansion",  "rp-mixer expansion",     "sw-mlp density"};
    for (const auto& family : families()) {
        std::set<std::string> missing;
        for (const auto& key : family.keys) {
            if (!shorthands.contains(family.name + " " + key.name)) missing.insert(key.name);
        }
        for (std::uint64_t seed = 0; seed < 5000 && !missing.empty(); ++seed) {
            const std::string text = to_text(testing::random_spec(family.name, seed));
            std::erase_if(missing, [&](const std::string& key) {
                return text.find(":" + key + "=") != std::string::npos ||
                       text.find("," + key + "=") != std::string::npos;
            });
        }
        EXPECT_TRUE(missing.empty()) << family.name << " " << *missing.begin();
    }
}

}  // namespace
}  // namespace plimsoll::arch
