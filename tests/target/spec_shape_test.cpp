// From specs to shapes and back: the parameters are the same by three counters.
#include "plimsoll/target/spec_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/audit/models/zoo.h"
#include "tests/support/random_spec.h"

namespace plimsoll::target {
namespace {

using ::testing::HasSubstr;

formats::ModelShape shape_of_zoo(std::string_view name) {
    for (const auto& row : audit::zoo())
        if (row.shape.name == name) return row.shape;
    ADD_FAILURE() << "no such model: " << name;
    return {};
}

// Two ways to one number: arch counts the spec, audit what its shape says.
TEST(SpecShape, AShapeHasTheParametersOfItsSpec) {
    int exact = 0;
    testing::for_random_specs(60, [&](const arch::ArchSpec& spec) {
        const auto shape = shape_from_spec(spec, "drawn");
        const auto predicted = audit::predicted_parameters(shape);
        if (!predicted || !predicted->exact) return;
        EXPECT_EQ(predicted->parameters.text(), arch::parameter_count(spec).text());
        ++exact;
    });
    EXPECT_GE(exact, 100);
}

// Where a spec comes back it is one with the same parameters, depth, width and heads.
TEST(SpecShape, ASpecThatComesBackIsTheSameNetwork) {
    int back = 0;
    testing::for_random_specs(200, [&](const arch::ArchSpec& spec) {
        const auto* drawn = std::get_if<arch::TransformerSpec>(&spec);
        if (drawn == nullptr) return;
        const auto again = spec_from_shape(shape_from_spec(spec, "drawn"));
        if (!again.ok()) return;
        ++back;
        const auto& found = std::get<arch::TransformerSpec>(*again);
        EXPECT_EQ(arch::parameter_count(*again).text(), arch::parameter_count(spec).text());
        EXPECT_EQ(found.depth, drawn->depth);
        EXPECT_EQ(found.width, drawn->width);
        EXPECT_EQ(found.heads * found.head_dim, drawn->heads * drawn->head_dim);
        EXPECT_EQ(found.norm_order == arch::NormOrder::both, drawn->norm_order == arch::NormOrder::both);
    });
    EXPECT_GE(back, 30);
}

TEST(SpecShape, PublishedModelsBecomeTheSpecsOneWouldWrite) {
    const auto text = [](std::string_view name) {
        const auto spec = spec_from_shape(shape_of_zoo(name));
        return spec.ok() ? arch::to_text(*spec) : spec.error().text();
    };
    EXPECT_EQ(text("gpt2"), "transformer:depth=12,width=768,heads=12,vocab=50257");
    EXPECT_EQ(text("ViT-B/16"), "transformer:depth=12,width=768,heads=12,patch=16,classes=1000");
    EXPECT_EQ(text("Mixer-B/16"), "mixer:depth=12,channels=768,patch=16,token_hidden=384,classes=1000");
    EXPECT_THAT(text("DeepSeek-V3"), HasSubstr("kv_rank=512,q_rank=1536,rope_dim=64"));
    EXPECT_THAT(text("BERT-base-uncased"), HasSubstr("norm_order=post"));
    EXPECT_THAT(text("pythia-70m"), HasSubstr("order=parallel"));
}

// The counter of specs and that of shapes share no code; here they meet on every model that has a spec.
TEST(SpecShape, TheZooIsCountedAlikeByBothCounters) {
    std::size_t both = 0;
    for (const auto& row : audit::zoo()) {
        const auto spec = spec_from_shape(row.shape);
        if (!spec.ok()) continue;
        ++both;
        EXPECT_EQ(arch::parameter_count(*spec).text(),
                  audit::predicted_parameters(row.shape)->parameters.text())
            << row.shape.name;
    }
    EXPECT_GE(both, 110U);
}

TEST(SpecShape, WhatNoSpecDescribesSaysWhy) {
    const auto why = [](std::string_view name) { return spec_from_shape(shape_of_zoo(name)).error().text(); };
    EXPECT_EQ(why("Mamba-130M"),
              "Mamba-130M: no spec describes it: no family of specs is a state-space network");
    EXPECT_THAT(why("Whisper-tiny"), HasSubstr("it has tensors that no key of a spec describes"));
    EXPECT_THAT(why("OLMo-7B-hf"), HasSubstr("its norms have no parameters"));
    EXPECT_THAT(why("Perceiver-LM"), HasSubstr("does not say which tensors"));
}

}  // namespace
}  // namespace plimsoll::target
