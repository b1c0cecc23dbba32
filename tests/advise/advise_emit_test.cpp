#include <gtest/gtest.h>

#include "plimsoll/advise/emit.h"
#include "plimsoll/audit/models/predicted_count.h"
#include "plimsoll/base/files.h"
#include "plimsoll/base/toml.h"
#include "plimsoll/formats/hf_config/hf_config.h"
#include "tests/advise/advise_requests.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::advise {
namespace {

// The answer alone: what emission reads, without the certificates.
Advice answered(const AdviceRequest& request, Block block, TableRank table) {
    const CostModel costs(request, block, table);
    const auto choice = choose_shape(costs, scan_shapes(costs));
    Advice advice;
    advice.request = request;
    advice.answer = report_shape(costs, choice.shape.layout, {});
    return advice;
}

std::string class_of(const Advice& advice) { return emission_of(advice, "config.json").stock_class; }

TEST(Emit, EachStockClassWhereItFits) {
    EXPECT_EQ(class_of(answered(tokens(50'000'000), Block::gpt2, TableRank::full)), "GPT2LMHeadModel");
    EXPECT_EQ(class_of(answered(tokens(50'000'000), Block::llama, TableRank::full)), "LlamaForCausalLM");
    EXPECT_EQ(class_of(answered(tokens(50'000'000), Block::gpt2, TableRank::half)), "OPTForCausalLM");
}

TEST(Emit, TheConfigHasTheNumbersOfTheAnswer) {
    const Advice advice = answered(tokens(50'000'000), Block::gpt2, TableRank::full);
    const auto config = parse_json(emission_of(advice, "config.json").content, "config.json");
    ASSERT_TRUE(config.ok());
    EXPECT_EQ((*config)["n_layer"], advice.answer.layout.depth);
    EXPECT_EQ((*config)["n_embd"], advice.answer.layout.width);
    EXPECT_EQ((*config)["n_head"], advice.answer.layout.heads);
    EXPECT_EQ((*config)["n_inner"], advice.answer.layout.ffn);
    EXPECT_EQ((*config)["vocab_size"], 32000);
    EXPECT_EQ((*config)["n_positions"], 1024);
}

// What audit reads out of an emitted config is what advise counted.
TEST(Emit, AuditCountsWhatAdviseCounted) {
    auto free_heads = tokens(30'000'000);
    free_heads.head_dims = {100};
    for (const auto& advice :
         {answered(tokens(50'000'000), Block::gpt2, TableRank::full),
          answered(tokens(50'000'000), Block::llama, TableRank::full),
          answered(tokens(50'000'000), Block::gpt2, TableRank::half), advised(free_heads)}) {
        const auto config = parse_json(emission_of(advice, "config.json").content, "config.json");
        ASSERT_TRUE(config.ok());
        const auto shape = formats::shape_from_config(*config, "config.json");
        ASSERT_TRUE(shape.ok()) << shape.error().text();
        const auto counted = audit::predicted_parameters(*shape);
        ASSERT_TRUE(counted.has_value()) << audit::why_no_count(*shape);
        EXPECT_EQ(counted->parameters.text(), std::to_string(advice.answer.parameters)) << config->dump();
    }
}

TEST(Emit, WhatFitsNoStockClassIsWrittenBeside) {
    const auto patched =
        emission_of(answered(patches(20'000'000, AdviceFamily::transformer), Block::gpt2, TableRank::full),
                    "out/config.json");
    EXPECT_EQ(patched.path, "out/plimsoll.toml");
    EXPECT_EQ(patched.sentence,
              "Wrote out/plimsoll.toml instead of out/config.json: no stock Hugging Face class fits; GPT-2, "
              "Llama and "
              "OPT read tokens, not patches.");
    const auto mixed = emission_of(answered(mixer(5'000'000), Block::gpt2, TableRank::full), "config.json");
    EXPECT_EQ(mixed.path, "plimsoll.toml");
    EXPECT_TRUE(mixed.stock_class.empty());
    const auto gated =
        emission_of(answered(tokens(50'000'000), Block::llama, TableRank::half), "config.json");
    EXPECT_TRUE(gated.stock_class.empty());
}

TEST(Emit, TomlGivesTheSpecBack) {
    for (const auto& advice :
         {answered(tokens(50'000'000), Block::gpt2, TableRank::full),
          answered(tokens(50'000'000), Block::llama, TableRank::half),
          answered(patches(20'000'000, AdviceFamily::transformer), Block::gpt2, TableRank::full),
          answered(patches(20'000'000, AdviceFamily::mixer), Block::gpt2, TableRank::full),
          answered(mixer(5'000'000), Block::gpt2, TableRank::full)}) {
        const auto table = parse_toml(emission_of(advice, "x.toml").content, "x.toml");
        ASSERT_TRUE(table.ok()) << table.error().text();
        const auto spec = arch::spec_from_json(*table);
        ASSERT_TRUE(spec.ok()) << spec.error().text();
        EXPECT_EQ(*spec, advice.answer.spec) << arch::to_text(*spec);
    }
}

TEST(Emit, AFileIsReplacedOnlyWhenAsked) {
    const testing::TempDir folder;
    Emission emission;
    emission.path = folder.path() / "config.json";
    emission.content = "first";
    ASSERT_TRUE(write_emission(emission, false).ok());
    emission.content = "second";
    const auto refused = write_emission(emission, false);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::bad_input);
    EXPECT_EQ(refused.error().text(), "emit: " + emission.path.string() + " exists; --force replaces it");
    EXPECT_EQ(*read_text(emission.path), "first");
    ASSERT_TRUE(write_emission(emission, true).ok());
    EXPECT_EQ(*read_text(emission.path), "second");
}

TEST(Emit, AFolderThatIsNotThereIsAnIoError) {
    const testing::TempDir folder;
    Emission emission;
    emission.path = folder.path() / "none" / "config.json";
    EXPECT_EQ(write_emission(emission, false).error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace plimsoll::advise
