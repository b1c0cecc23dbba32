#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/arch/spec.h"
#include "plimsoll/base/json.h"
#include "plimsoll/base/toml.h"
#include "tests/support/error_text.h"

namespace plimsoll::arch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class S>
S parsed(std::string_view text) {
    const auto spec = parse_spec(text);
    EXPECT_TRUE(spec.ok()) << text << " -> " << error_text(spec);
    return spec.ok() ? std::get<S>(*spec) : S{};
}

std::string error_of(std::string_view text) {
    const auto spec = parse_spec(text);
    if (spec.ok()) return "no error, but " + to_text(*spec);
    EXPECT_EQ(spec.error().kind, ErrorKind::bad_input);
    return spec.error().text();
}

TEST(Parse, ResolvesWhatIsNotGiven) {
    const auto spec = parsed<TransformerSpec>("transformer:depth=12,width=768,heads=12,vocab=50257");
    EXPECT_EQ(spec.head_dim, 64);
    EXPECT_EQ(spec.kv_heads, 12);
    EXPECT_EQ(spec.value_dim, 64);
    EXPECT_EQ(spec.ffn, 3072);
    EXPECT_EQ(spec.layer_groups, 12);
    EXPECT_EQ(spec.stack, Stack::decoder);
    EXPECT_EQ(spec.head, HeadKind::vocab);
    EXPECT_TRUE(spec.tied);
    EXPECT_EQ(spec.context, 1024);
}

TEST(Parse, CountsMayBeWrittenAsPeopleWriteThem) {
    EXPECT_EQ(parsed<TransformerSpec>("transformer: depth = 2 , width=8, heads=2, vocab=32K").vocab, 32000);
    EXPECT_EQ(parsed<SwMlpSpec>("sw-mlp:depth=2,width=1e4,density=0.001").connections, 100'000);
}

TEST(Parse, PatchesSetTheTokens) {
    const auto vit = parsed<TransformerSpec>("transformer:depth=1,width=8,heads=2,patch=16,classes=10");
    EXPECT_EQ(vit.image.patches(), 196);
    EXPECT_EQ(vit.image.patch_dim(), 768);
    EXPECT_EQ(vit.context, 197);
    EXPECT_EQ(vit.stack, Stack::encoder);
    const auto mixer = parsed<MixerSpec>("mixer:depth=1,channels=8,patch=4,image=32");
    EXPECT_EQ(mixer.tokens, 64);
    EXPECT_EQ(mixer.token_hidden, 256);
}

TEST(Parse, ListsUsePlusSigns) {
    const auto spec =
        parsed<SquareMixerSpec>("square-mixer:rows=2,cols=2,depth=5,residual=5+1+3,odd=1+0+2+3");
    EXPECT_THAT(spec.residual, ElementsAre(1, 3, 5));
    EXPECT_THAT(spec.odd, ElementsAre(1, 0, 2, 3));
    EXPECT_EQ(spec.permutations, Permutations::given);
    EXPECT_THAT(parsed<SquareMlpSpec>("square-mlp:rows=2,cols=1,depth=3,residual=all").residual,
                ElementsAre(1, 2, 3));
    EXPECT_THAT(parsed<SquareMlpSpec>("square-mlp:rows=2,cols=1,depth=3,residual=1;3").residual,
                ElementsAre(1, 3));
    EXPECT_TRUE(parsed<SquareMlpSpec>("square-mlp:rows=2,cols=1,depth=3,residual=none").residual.empty());
}

TEST(Parse, APermutedMixerIsAnRpMixer) {
    const auto all = parse_spec("mixer:depth=2,channels=4,tokens=4,permuted=all");
    const auto rp = parse_spec("rp-mixer:depth=2,channels=4,tokens=4");
    ASSERT_TRUE(all.ok() && rp.ok());
    EXPECT_EQ(*all, *rp);
    EXPECT_EQ(family_name(*all), "rp-mixer");
}

TEST(Parse, ShorthandsSetDefaultsAndAreNotStored) {
    const auto spec = parse_spec("mixer:depth=2,channels=8,tokens=4,expansion=0.5");
    ASSERT_TRUE(spec.ok());
    EXPECT_EQ(to_text(*spec), "mixer:depth=2,channels=8,tokens=4,token_hidden=2,channel_hidden=4");
    const auto scaled =
        parsed<TransformerSpec>("transformer:depth=1,width=8,heads=2,head_dim=16,ffn_scaled=on");
    EXPECT_EQ(scaled.ffn, 128);
}

TEST(Parse, TomlAndJsonUseTheSameKeys) {
    const auto toml =
        parse_toml("family = 'square-mixer'\nrows = 3\ncols = 2\ndepth = 4\nresidual = [2, 4]\n", "t");
    ASSERT_TRUE(toml.ok());
    const auto spec = spec_from_json(*toml);
    ASSERT_TRUE(spec.ok()) << spec.error().text();
    EXPECT_EQ(*spec, *parse_spec("square-mixer:rows=3,cols=2,depth=4,residual=2+4"));
}

TEST(Parse, ErrorsNameTheKeyAndWhatIsAllowed) {
    const std::string base = "transformer:depth=2,width=64,heads=4,";
    EXPECT_EQ(error_of("attention:depth=2,width=64,heads=5"), "heads: must divide width 64, got 5");
    EXPECT_EQ(error_of("transfomer:depth=2"), "family: unknown 'transfomer' (did you mean transformer?)");
    EXPECT_EQ(error_of("attention:dept=2,width=64,heads=4"),
              "attention: unknown key 'dept' (did you mean depth?)");
    EXPECT_EQ(error_of("attention:depth=2,depth=3,width=64,heads=4"), "depth: is given twice");
    EXPECT_EQ(error_of("attention:depth=2,width=64"), "heads: missing; attention needs depth, width, heads");
    EXPECT_EQ(error_of("attention:depth=0,width=64,heads=4"), "depth: must be 1..100000, got 0");
    EXPECT_EQ(error_of("attention:depth=-3,width=64,heads=4"), "depth: must be 1..100000, got -3");
    EXPECT_EQ(error_of("attention:depth=1e30,width=64,heads=4"), "depth: must be 1..100000, got 1e30");
    EXPECT_EQ(error_of("attention:depth,width=64,heads=4"),
              "spec: must be family:key=value,key=value, got 'depth'");
    EXPECT_EQ(error_of(base + "kv_heads=3"), "kv_heads: must divide heads 4, got 3");
    EXPECT_EQ(error_of(base + "norm=laier"), "norm: must be none|layer|rms, got laier (did you mean layer?)");
    EXPECT_EQ(error_of(base + "tied=maybe"), "tied: must be on or off, got maybe");
    EXPECT_EQ(error_of("square-mlp:rows=2,cols=2,depth=3,residual=1+4"), "residual: must be 1..3, got 4");
    EXPECT_EQ(error_of("square-mlp:rows=2,cols=2,depth=3,residual=2+2"),
              "residual: layers must differ, got 2 twice");
    EXPECT_EQ(error_of("square-mixer:rows=2,cols=1,depth=3,odd=0+0"),
              "odd: must be a permutation of the entries 0..1");
}

TEST(Parse, OddTextIsRefusedWithASentence) {
    EXPECT_THAT(error_of(""), HasSubstr("family: unknown ''"));
    EXPECT_THAT(error_of(":"), HasSubstr("family: unknown ''"));
    EXPECT_EQ(error_of("attention:"), "depth: missing; attention needs depth, width, heads");
    EXPECT_EQ(error_of("attention:,"), "spec: must be family:key=value,key=value, got ''");
    EXPECT_THAT(error_of("attention:=3"), HasSubstr("attention: unknown key ''"));
    EXPECT_EQ(error_of("attention:depth=,width=1,heads=1"), "depth: must be 1..100000, got ");
    EXPECT_EQ(error_of("square-mlp:rows=1,cols=1,depth=1,residual="),
              "residual: must be all, none or layers 1..1 such as 1+3");
    EXPECT_EQ(error_of("pk:depth=1,width=4,blocks=none"), "blocks: must name at least one number of blocks");
    EXPECT_EQ(error_of("pk:depth=1,width=4,blocks=2++2"), "blocks: must be 1..1000000000, got ");
    EXPECT_THAT(error_of("transformer:depth=1,width=1M,heads=100K,head_dim=1M,ffn_scaled=on"),
                HasSubstr("ffn: must be none or 1..100000000, got 400000000000"));
}

TEST(Parse, TablesAreRefusedWithASentence) {
    const auto error = [](const char* json) {
        return spec_from_json(*parse_json(json, "test")).error().text();
    };
    EXPECT_THAT(error("[]"), HasSubstr("family: missing"));
    EXPECT_THAT(error(R"({"depth": 1})"), HasSubstr("family: missing"));
    EXPECT_EQ(error(R"({"family": "attention", "depth": null})"),
              "depth: must be a number, a word or a list of numbers");
    EXPECT_EQ(error(R"({"family": "pk", "blocks": [1.5]})"), "blocks: must be a list of whole numbers");
    EXPECT_EQ(error(R"({"family": "attention", "depth": -1, "width": 4, "heads": 1})"),
              "depth: must be 1..100000, got -1");
    EXPECT_EQ(error(R"({"family": "attention", "depth": true, "width": 4, "heads": 1})"),
              "depth: must be 1..100000, got on");
}

TEST(Parse, SpecsBuiltByHandCanBeValidated) {
    EXPECT_TRUE(validate(AttentionSpec{}).ok());
    AttentionSpec wrong{.depth = 0};
    EXPECT_EQ(validate(wrong).error().text(), "depth: must be 1..100000, got 0");
    EXPECT_EQ(validate(SquareMixerSpec{.permutation_seed = 3}).error().text(),
              "permutation_seed: needs permutations=random");
}

TEST(Parse, ContradictionsAreRefusedAtTheKeyToChange) {
    const std::string base = "transformer:depth=2,width=64,heads=4,";
    EXPECT_EQ(error_of(base + "embedding_rank=8"), "embedding_rank: needs vocab");
    EXPECT_EQ(error_of(base + "kv_rank=8,kv_heads=2"), "kv_heads: must equal heads with kv_rank (MLA)");
    EXPECT_EQ(error_of(base + "attention=linear,kv_heads=2"),
              "kv_heads: must equal heads with attention=linear");
    EXPECT_EQ(error_of(base + "experts=4,experts_active=5"),
              "experts_active: must be at most experts = 4, got 5");
    EXPECT_EQ(error_of(base + "experts_shared=1"), "experts_shared: needs experts");
    EXPECT_EQ(error_of(base + "vocab=99,embedding_rank=8,head_rank=4"),
              "head_rank: must equal embedding_rank 8 when tied, got 4");
    EXPECT_EQ(error_of(base + "vocab=99,patch=16"), "patch: must be none with vocab; give one kind of input");
    EXPECT_EQ(error_of(base + "patch=16,image=100"), "patch: must divide image 100, got 16");
    EXPECT_EQ(error_of(base + "rope_dim=4"), "rope_dim: needs kv_rank (MLA)");
    EXPECT_EQ(error_of(base + "decoder_depth=4"), "decoder_depth: needs stack=encoder-decoder");
    EXPECT_EQ(error_of("attention:depth=2,width=64,heads=4,vocab=8,embedding_rank=9"),
              "embedding_rank: must be at most min(width, vocab) = 8, got 9");
    EXPECT_EQ(error_of("attention:depth=2,width=64,heads=4,embedding=conv"),
              "vocab: missing; embedding needs it");
    EXPECT_EQ(error_of("mixer:depth=2,channels=4"), "tokens: missing; give tokens or patch");
    EXPECT_EQ(error_of("rp-mixer:depth=2,channels=4,tokens=4,permuted=none"),
              "permuted: must name at least one layer, got none");
    EXPECT_EQ(error_of("sw-mlp:depth=2,width=4"), "connections: missing; give connections or density");
    EXPECT_EQ(error_of("sw-mlp:depth=2,width=4,connections=17"),
              "connections: must be at most the cells of a matrix = 16, got 17");
    EXPECT_EQ(error_of("pk:depth=2,width=12,blocks=5"), "blocks: must divide width 12, got 5");
    EXPECT_EQ(error_of("monarch:depth=2,width=6"), "blocks: must divide width 6, got 4");
    EXPECT_THAT(error_of("vip:depth=2,channels=30,patch=14"), HasSubstr("channels: must be a multiple"));
}

}  // namespace
}  // namespace plimsoll::arch
