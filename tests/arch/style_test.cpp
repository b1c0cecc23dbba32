#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/arch/gated_ffn.h"
#include "plimsoll/arch/spec.h"
#include "plimsoll/arch/tensors.h"
#include "plimsoll/arch/transformer_keys.h"
#include "plimsoll/base/text.h"
#include "tests/support/error_text.h"
#include "tests/support/random_spec.h"

namespace plimsoll::arch {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

const std::string sizes = "transformer:depth=4,width=160,heads=4";
const std::string modern_keys =
    "norm=rms,positions=rope,qk_norm=head,ffn=432,ffn_matrices=3,activation=silu,bias=off";

TransformerSpec styled(const std::string& text) {
    const auto spec = parse_spec(text);
    EXPECT_TRUE(spec.ok()) << text << " -> " << error_text(spec);
    return spec.ok() ? std::get<TransformerSpec>(*spec) : TransformerSpec{};
}

std::string refusal(const std::string& text) {
    const auto spec = parse_spec(text);
    return spec.ok() ? "no error, but " + to_text(*spec) : spec.error().text();
}

TEST(Style, ModernIsItsKeys) {
    for (const std::string& input : {"", ",vocab=256,context=128", ",vocab=256,stack=encoder,classes=3"})
        EXPECT_EQ(styled(sizes + input + ",style=modern"), styled(sizes + input + "," + modern_keys))
            << input;
}

TEST(Style, Gpt2SetsNothing) {
    for (const std::string& more : {"", ",vocab=256,norm=rms", ",patch=4,image=8,classes=3"})
        EXPECT_EQ(styled(sizes + more + ",style=gpt2"), styled(sizes + more)) << more;
}

TEST(Style, IsExpandedAndNeverPrinted) {
    const auto spec = styled(sizes + ",vocab=256,style=modern");
    EXPECT_EQ(to_text(spec),
              "transformer:depth=4,width=160,heads=4,vocab=256,qk_norm=head,ffn=432,ffn_matrices=3,"
              "activation=silu,norm=rms,positions=rope,bias=off");
    EXPECT_FALSE(to_json(spec).contains("style"));
    EXPECT_EQ(parse_spec(to_text(spec)).value(), ArchSpec(spec));
    EXPECT_EQ(spec_from_json(to_json(spec)).value(), ArchSpec(spec));
}

// Every key of a drawn spec, given beside style=modern.
TEST(Style, KeysGivenBesideItWin) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const ArchSpec drawn = testing::random_spec("transformer", seed);
        Json table = to_json(drawn);
        table["style"] = "modern";
        const auto again = spec_from_json(table);
        ASSERT_TRUE(again.ok()) << to_text(drawn) << ": " << again.error().text();
        EXPECT_EQ(*again, drawn) << to_text(drawn);
    }
}

TEST(Style, TheOrderOfTheKeysDoesNotMatter) {
    std::vector<std::string> keys{"bias=on", "depth=2", "heads=2", "norm=layer", "style=modern", "width=8"};
    const ArchSpec expected = styled("transformer:" + join(keys, ","));
    while (std::next_permutation(keys.begin(), keys.end()))
        EXPECT_EQ(ArchSpec(styled("transformer:" + join(keys, ","))), expected);
}

TEST(Style, OneKeyOverridesOneKey) {
    const std::string modern = sizes + ",vocab=256,style=modern";
    auto expected = styled(modern);
    expected.qkv_bias = true;
    EXPECT_EQ(styled(modern + ",qkv_bias=on"), expected);
    expected = styled(modern);
    expected.qkv_bias = expected.out_bias = expected.ffn_bias = true;
    EXPECT_EQ(styled("transformer:bias=on,style=modern,depth=4,width=160,heads=4,vocab=256"), expected);
    expected = styled(modern);
    expected.ffn = 640;
    EXPECT_EQ(styled(modern + ",ffn=640"), expected);
    EXPECT_EQ(styled(modern + ",head_dim=60,ffn_scaled=on").ffn, 640) << "8/3 of heads * head_dim";
}

TEST(Style, PatchesKeepTheirLearnedPositions) {
    const auto spec = styled(sizes + ",patch=4,image=8,classes=3,style=modern");
    EXPECT_EQ(spec.positions, PositionKind::learned);
    EXPECT_EQ(spec.qk_norm, QkNorm::head);
    EXPECT_FALSE(spec.patch_bias);
    EXPECT_TRUE(spec.head_bias) << "a classifier's output is no part of the style";
    EXPECT_EQ(styled(sizes + ",patch=4,image=8,classes=3,style=modern,positions=rope").positions,
              PositionKind::rope);
}

// A gated layer of 8/3 width has the numbers of a plain one of 4 width, and at most `multiple` rows more.
TEST(Style, TheGatedLayerHasTheNumbersOfThePlainOne) {
    for (std::int64_t width = 1; width <= 4096; ++width) {
        const std::int64_t hidden = gated_ffn(width, modern_ffn_multiple);
        EXPECT_EQ(hidden % modern_ffn_multiple, 0);
        EXPECT_GE(3 * hidden, 8 * width);
        EXPECT_LT(3 * (hidden - modern_ffn_multiple), 8 * width) << width;
    }
    EXPECT_EQ(gated_ffn(768, 64), 2048);
    EXPECT_EQ(gated_ffn(4096, 256), 11008) << "Llama 7B";
}

TEST(Style, CountsAreTheSumOfTheTensors) {
    for (const std::string& more :
         {",vocab=256", ",vocab=256,tied=off,kv_heads=2", ",patch=4,image=8,classes=3"}) {
        const ArchSpec spec = styled(sizes + more + ",style=modern");
        Count sum = 0;
        for (const auto& tensor : tensors(spec)) sum += tensor.size();
        EXPECT_EQ(count(spec, {}).value().parameters.text(), sum.text()) << more;
    }
}

TEST(Style, ErrorsNameBothAndWhatSetTheKey) {
    EXPECT_EQ(refusal(sizes + ",style=moder"),
              "style: must be gpt2|modern, got moder (did you mean modern?)");
    EXPECT_EQ(refusal(sizes + ",style=modern,style=gpt2"), "style: is given twice");
    EXPECT_THAT(refusal("mixer:depth=2,channels=8,tokens=4,style=modern"),
                StartsWith("mixer: unknown key 'style'"));
    EXPECT_EQ(refusal(sizes + ",style=modern,norm=none"),
              "qk_norm: must be none with norm=none (set by style=modern)");
    EXPECT_EQ(refusal(sizes + ",style=modern,norm=none,qk_norm=full"),
              "qk_norm: must be none with norm=none");
    EXPECT_THAT(transformer_styles(), ElementsAre("gpt2", "modern"));
}

}  // namespace
}  // namespace plimsoll::arch
