#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/advise/levine_law.h"
#include "plimsoll/audit/diagnose.h"
#include "plimsoll/audit/models/target_name.h"
#include "plimsoll/theory/capacity/capacity.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"

namespace plimsoll::audit {
namespace {

using formats::ModelKind;
using ::testing::HasSubstr;
using ::testing::Not;

Report audit_model(std::string_view name, const DiagnoseOptions& options = {}) {
    const ZooRow* row = *find_in_zoo(name);
    return diagnose({row->shape, std::nullopt, "zoo", row}, options);
}

Report audit_shape(const ModelShape& shape) { return diagnose({shape, std::nullopt, "test"}); }

const Finding& finding(const Report& report, std::string_view id) {
    const Finding* found = report.find(id);
    EXPECT_NE(found, nullptr) << id;
    static const Finding none;
    return found == nullptr ? none : *found;
}

bool left_out(const Report& report, std::string_view part, std::string_view reason) {
    for (const auto& entry : report.not_analysed)
        if (entry.part.find(part) != std::string::npos && entry.reason.find(reason) != std::string::npos)
            return true;
    return false;
}

ModelShape decoder(std::int64_t depth, std::int64_t width, std::int64_t heads, std::int64_t head_dim) {
    ModelShape shape;
    shape.name = "test";
    shape.kind = ModelKind::decoder;
    shape.depth = depth;
    shape.width = width;
    shape.heads = heads;
    shape.kv_heads = heads;
    shape.head_dim = head_dim;
    shape.vocab = 50000;
    shape.context = 2 * width;
    return shape;
}

TEST(Findings, AttentionToWidthOfKnownModels) {
    const auto ratio = [](const char* name) { return *finding(audit_model(name), "attention-width").value; };
    EXPECT_EQ(ratio("t5-11b"), 16);
    EXPECT_EQ(ratio("t5-3b"), 4);
    EXPECT_NEAR(ratio("gemma-3-27b"), 0.76, 0.005);
    EXPECT_EQ(ratio("qwen3-0.6b"), 2);
    EXPECT_EQ(ratio("byt5-base"), 0.5);
}

TEST(Findings, AttentionIsSevereFromFourTimesTheWidth) {
    const auto severity = [](std::int64_t heads) {
        return finding(audit_shape(decoder(24, 1024, heads, 64)), "attention-width").severity;
    };
    EXPECT_EQ(severity(8), Severity::notice);
    EXPECT_EQ(severity(16), Severity::ok);
    EXPECT_EQ(severity(32), Severity::notice);
    EXPECT_EQ(severity(63), Severity::notice);
    EXPECT_EQ(severity(64), Severity::severe);
    EXPECT_EQ(finding(audit_model("gpt-3-13b"), "attention-width").severity, Severity::ok) << "5120 : 5140";
}

TEST(Findings, InputRankOfKnownModels) {
    const auto ratio = [](const char* name) { return *finding(audit_model(name), "input-rank").value; };
    EXPECT_EQ(ratio("albert-xxlarge"), 0.03125);
    EXPECT_EQ(ratio("esm-1b"), 33.0 / 1280);
    EXPECT_EQ(ratio("vit-h/14"), 588.0 / 1280);
    EXPECT_EQ(ratio("byt5-base"), 0.25);
    EXPECT_EQ(ratio("opt-350m"), 0.5);
    EXPECT_EQ(ratio("gpt2"), 1);
}

// A bound alone is never severe: only ratios down to ALBERT-xxlarge's have a reported cost.
TEST(Findings, InputRankIsSevereWhereACostIsReported) {
    const auto severity = [](std::int64_t rank) {
        ModelShape shape = decoder(24, 1024, 16, 64);
        shape.embedding_rank = rank;
        return finding(audit_shape(shape), "input-rank").severity;
    };
    EXPECT_EQ(severity(1024), Severity::ok);
    EXPECT_EQ(severity(1023), Severity::notice);
    EXPECT_EQ(severity(33), Severity::notice);
    EXPECT_EQ(severity(32), Severity::severe);
}

// Nobody measured what 33 symbols cost a network of 2.8 B or 15 B.
TEST(Findings, InputRankIsANoticeBeyondTheMeasuredSizes) {
    EXPECT_EQ(finding(audit_model("esm-2-650m"), "input-rank").severity, Severity::severe);
    EXPECT_EQ(finding(audit_model("esm-2-3b"), "input-rank").severity, Severity::notice);
    EXPECT_EQ(finding(audit_model("esm-2-15b"), "input-rank").severity, Severity::notice);
    EXPECT_EQ(finding(audit_model("albert-xxlarge"), "input-rank").severity, Severity::severe) << "one layer";
}

TEST(Findings, RemediesFollowTheKindOfInput) {
    EXPECT_THAT(finding(audit_model("vit-h/14"), "input-rank").remedy, HasSubstr("convolutional layer"));
    EXPECT_THAT(finding(audit_model("esm-1b"), "input-rank").remedy, HasSubstr("larger vocabulary"));
    EXPECT_THAT(finding(audit_model("albert-xxlarge"), "input-rank").remedy,
                HasSubstr("an embedding of rank 4096"));
}

// L*(d) = (ln d - 5.039) / 0.0555: the ratios of the zoo's own notes.
TEST(Findings, DepthToTheLoadLineOfKnownModels) {
    const auto ratio = [](const char* name) { return *finding(audit_model(name), "depth-fitted").value; };
    EXPECT_NEAR(ratio("gpt-3-175b"), 1.22, 0.005);
    EXPECT_NEAR(ratio("llama-3.1-405b"), 1.50, 0.005);
    EXPECT_NEAR(ratio("llama-2-7b"), 0.54, 0.005);
    EXPECT_NEAR(ratio("pythia-1b"), 0.34, 0.005);
    EXPECT_NEAR(ratio("smollm2-135m"), 1.26, 0.01);
    const Finding gpt3 = finding(audit_model("gpt-3-175b"), "depth-fitted");
    EXPECT_EQ(gpt3.severity, Severity::info);
    EXPECT_EQ(gpt3.reading, "1.2 times; not judged");
}

TEST(Findings, LevinesLawAndItsInverseAgree) {
    for (const std::int64_t width : {256, 1024, 12288})
        EXPECT_NEAR(advise::levine_width(advise::levine_depth(width)), static_cast<double>(width), 1e-6);
    EXPECT_EQ(audit_shape(decoder(4, 128, 2, 64)).find("depth-fitted"), nullptr);
}

// People who know these models must nod.
TEST(Findings, KnownModelsAreInsideTheValley) {
    for (const char* name : {"gpt2", "gpt-3-175b", "llama-2-7b", "llama-3-8b", "llama-3.1-405b", "qwen3-32b",
                             "mistral-7b", "bert-base", "bert-large", "t5-11b", "smollm2-135m"}) {
        const Finding valley = finding(audit_model(name), "depth-valley");
        EXPECT_EQ(valley.severity, Severity::ok) << name;
        EXPECT_EQ(valley.reading, "inside the valley") << name;
        EXPECT_TRUE(valley.remedy.empty()) << name;
    }
}

TEST(Findings, OutsideTheValleyTheCostIsSaid) {
    const Finding shallow = finding(audit_shape(decoder(2, 1024, 16, 64)), "depth-valley");
    EXPECT_EQ(shallow.severity, Severity::severe);
    EXPECT_THAT(shallow.reading, HasSubstr("too shallow, costs "));
    EXPECT_THAT(shallow.text, HasSubstr(" % ("));
    EXPECT_THAT(shallow.remedy, HasSubstr("on the line"));
    const Finding deep = finding(audit_shape(decoder(200, 256, 4, 64)), "depth-valley");
    EXPECT_THAT(deep.reading, HasSubstr("too deep, costs "));
}

// No study measured encoders, experts or such sizes: a cost there is worth knowing, never severe.
TEST(Findings, BeyondTheEvidenceNothingIsSevere) {
    const Finding large = finding(audit_shape(decoder(4, 16384, 128, 128)), "depth-valley");
    EXPECT_EQ(large.severity, Severity::notice);
    EXPECT_THAT(large.text, HasSubstr("This is an extrapolation"));
}

// The line was fitted to text: a model of pixels as tokens is never severe by it.
TEST(Findings, AnotherModalityIsAnExtrapolation) {
    const Finding pixels = finding(audit_model("sparse-transformer-cifar10"), "depth-valley");
    EXPECT_THAT(pixels.reading, HasSubstr("too deep"));
    EXPECT_EQ(pixels.severity, Severity::notice);
    EXPECT_THAT(pixels.text, HasSubstr("dense text decoders"));
    ModelShape text = decoder(128, 256, 2, 128);
    EXPECT_EQ(finding(audit_shape(text), "depth-valley").severity, Severity::severe);
}

// What is severe says what it cost where it was measured, and is known by a report, never by a bound alone.
TEST(Findings, WhatIsSevereWasMeasured) {
    for (const auto& row : zoo()) {
        const Report report = diagnose({row.shape, std::nullopt, "zoo", &row});
        for (const auto& found : report.findings) {
            if (found.severity != Severity::severe) continue;
            EXPECT_THAT(found.source.basis(), HasSubstr("reported")) << row.shape.name << " " << found.id;
            EXPECT_THAT(found.text, HasSubstr(" %")) << row.shape.name << " " << found.id;
        }
    }
}

// Queries and outputs by heads, keys and values by those they share: Qwen3-0.6B has 16 heads of 128 and 8
// shared.
TEST(Findings, WideAttentionWithSharedKeysCostsLess) {
    const Finding shared = finding(audit_model("qwen3-0.6b"), "attention-width");
    EXPECT_EQ(shared.reading, "2 times the width");
    EXPECT_THAT(shared.text, HasSubstr("as much as 0.17 standard layers"));
    EXPECT_THAT(finding(audit_model("t5-11b"), "attention-width").text,
                HasSubstr("as much as 5 standard layers"));
}

TEST(Findings, BelowTheThresholdIsANoticeAtMost) {
    // T(1024) = 12.34 for N >= 2d.
    const auto severity = [](std::int64_t depth) {
        return finding(audit_shape(decoder(depth, 1024, 16, 64)), "depth-threshold").severity;
    };
    EXPECT_EQ(severity(3), Severity::notice);
    EXPECT_EQ(severity(12), Severity::notice);
    EXPECT_EQ(severity(13), Severity::ok);
}

TEST(Findings, TheThresholdIsTheCertifiedOne) {
    const Report report = audit_model("gpt2");
    const double certified = theory::knee_depth(theory::RankVariety{768, 512}, 64).middle();
    EXPECT_NEAR(12 / *finding(report, "depth-threshold").value, certified, 1e-6);
}

TEST(Findings, ThePublishedThresholdSaysThatItsTheoremIsFalse) {
    const Finding published = finding(audit_model("gpt2"), "depth-published");
    EXPECT_NEAR(*published.value, 12 / (std::log(768) / std::log(3)), 1e-9);
    EXPECT_THAT(published.text, HasSubstr("E1"));
    EXPECT_EQ(published.source.basis(), "refuted");
}

// The nine depths tabulated in the notes on capacity, decided there with certified bounds.
TEST(Findings, SaturationIsTheCertifiedDepth) {
    const auto depth = [](const char* name) { return *finding(audit_model(name), "depth-saturation").value; };
    EXPECT_EQ(depth("gpt2"), 8);
    EXPECT_EQ(depth("gpt2-xl"), 8);
    EXPECT_EQ(depth("gpt-3-175b"), 8);
    EXPECT_EQ(depth("llama-3-8b"), 10);
    EXPECT_EQ(depth("esm-1b"), 7);
    EXPECT_EQ(depth("bert-base"), 7);
}

TEST(Findings, HeadsCostWhatTheLimitSays) {
    // d_a = d / H: f -> 1 - 2/H, and at width 65536 f is within 2^-15 of that.
    for (const std::int64_t heads : {1, 2, 4, 16, 64}) {
        const auto lost = finding(audit_shape(decoder(24, 65536, heads, 65536 / heads)), "first-layer-heads");
        const double limit = heads == 1 ? 0 : theory::heads_layers_lost(heads, 64).middle();
        EXPECT_NEAR(*lost.value, limit, 1e-3) << heads;
    }
    EXPECT_EQ(*finding(audit_model("t5-11b"), "first-layer-heads").value, 0) << "m_1 = D";
}

TEST(Findings, SharedKeysAreReadByTheirRank) {
    const Finding gqa = finding(audit_model("llama-3-8b"), "kv-rank");
    EXPECT_EQ(*gqa.value, 0.25);
    EXPECT_THAT(gqa.text, HasSubstr("32 query heads share 8 key and value heads"));
    EXPECT_EQ(audit_model("gpt2").find("kv-rank"), nullptr);
}

TEST(Findings, LatentAttentionIsReadByItsRanks) {
    const Report report = audit_model("deepseek-v3");
    EXPECT_EQ(*finding(report, "latent-rank").value, 512.0 / 7168);
    EXPECT_THAT(finding(report, "latent-rank").text, HasSubstr("queries from 1536"));
    EXPECT_EQ(report.find("kv-rank"), nullptr);
}

TEST(Findings, ContextBindsBelowTwiceTheWidth) {
    const auto severity = [](std::int64_t context) {
        return finding(audit_model("gpt2", {context}), "context-width").severity;
    };
    EXPECT_EQ(severity(1535), Severity::notice);
    EXPECT_EQ(severity(1536), Severity::ok);
    EXPECT_THAT(finding(audit_model("gpt2"), "context-width").text, HasSubstr("adds 262400 to capacity"))
        << "512 * 768 - 512 * 511 / 2";
}

TEST(Findings, MixersAreReadByTheirOwnNumbers) {
    const Report report = audit_model("mixer-b/16");
    EXPECT_EQ(*finding(report, "mixer-width").value, 196.0 * 768);
    EXPECT_NEAR(*finding(report, "mixer-window").value, 12 / std::log2(768), 1e-12);
    EXPECT_EQ(finding(report, "mixer-window").severity, Severity::ok);
    EXPECT_NEAR(*finding(report, "mixer-knee").value, 24 / std::log2(196 * 768), 1e-12);
    EXPECT_THAT(finding(report, "mixer-shape").reading, HasSubstr("best S = C = 417"));
    EXPECT_EQ(report.find("attention-width"), nullptr);
    EXPECT_EQ(report.find("depth-threshold"), nullptr);
}

TEST(Findings, ASquareMixerHasTheBestShape) {
    ModelShape shape;
    shape.kind = ModelKind::mixer;
    shape.depth = 8;
    shape.width = 256;
    shape.tokens = 256;
    EXPECT_NEAR(*finding(audit_shape(shape), "mixer-shape").value, 1, 1e-12);
    shape.tokens = 64;
    EXPECT_LT(*finding(audit_shape(shape), "mixer-shape").value, 1);
}

TEST(Findings, StateSpaceModelsAreToldThatTheBoundsDoNotApply) {
    const Report report = audit_model("mamba-130m");
    EXPECT_THAT(finding(report, "bounds-do-not-apply").text, HasSubstr("bounds do not apply"));
    EXPECT_EQ(report.find("depth-threshold"), nullptr);
    EXPECT_TRUE(left_out(report, "depth, width and heads",
                         "A state-space model has no attention: the bounds do not apply"));
    EXPECT_THAT(verdict(report), HasSubstr("bounds do not apply"));
}

TEST(Findings, RedundanciesAreThoseOfThePaper) {
    EXPECT_EQ(finding(audit_model("albert-xxlarge"), "reported-redundancy").value, 0.25);
    EXPECT_EQ(finding(audit_model("t5-3b"), "reported-redundancy").value, 0.25);
    EXPECT_EQ(finding(audit_model("t5-11b"), "reported-redundancy").value, 0.45);
    EXPECT_FALSE(finding(audit_model("esm-1b"), "reported-redundancy").value.has_value());
}

TEST(Findings, PositionsAreReadWhereATableIsAdded) {
    ModelShape shape = decoder(12, 768, 12, 64);
    shape.context = 512;
    shape.positions = "learned";
    EXPECT_EQ(*finding(audit_shape(shape), "position-rank").value, 512.0 / 768);
    shape.positional_rank = 16;
    EXPECT_EQ(*finding(audit_shape(shape), "position-rank").value, 16.0 / 768);
    shape.positional_rank.reset();
    shape.positions = "rotary";
    EXPECT_TRUE(left_out(audit_shape(shape), "position rank", "positions are rotary"));
}

TEST(Findings, AnEmptyShapeStillGivesAReport) {
    for (const auto kind :
         {ModelKind::decoder, ModelKind::encoder, ModelKind::encoder_decoder, ModelKind::mixer,
          ModelKind::state_space, ModelKind::hybrid, ModelKind::mlp, ModelKind::unknown}) {
        ModelShape shape;
        shape.kind = kind;
        const Report report = audit_shape(shape);
        EXPECT_GE(report.not_analysed.size(), 3U) << name_of(kind);
        EXPECT_FALSE(verdict(report).empty());
        EXPECT_EQ(facts(report), "no numbers of its shape are known");
    }
}

TEST(Findings, NumbersThatCannotBeAreLeftOutAndNamed) {
    for (const std::int64_t number : {std::int64_t{0}, std::int64_t{-5}, std::int64_t{1} << 62}) {
        ModelShape shape = decoder(12, 768, 12, 64);
        shape.width = number;
        const Report report = audit_shape(shape);
        EXPECT_FALSE(report.attention_over_width.has_value());
        EXPECT_TRUE(left_out(report, "width", "must be 1 to 2147483648, got " + std::to_string(number)));
    }
}

TEST(Findings, ExtremeNumbersDoNotBreakAnything) {
    const std::int64_t big = std::int64_t{1} << 31;
    for (const std::int64_t depth : {std::int64_t{1}, std::int64_t{3}, big})
        for (const std::int64_t width : {std::int64_t{1}, std::int64_t{2}, big})
            for (const std::int64_t heads : {std::int64_t{1}, big})
                for (const std::int64_t context : {std::int64_t{1}, std::int64_t{2}, std::int64_t{7}, big}) {
                    ModelShape shape = decoder(depth, width, heads, heads);
                    shape.context = context;
                    const Report report = audit_shape(shape);
                    EXPECT_FALSE(report.findings.empty());
                    for (const auto& found : report.findings)
                        EXPECT_TRUE(std::isfinite(found.value.value_or(0))) << found.id;
                }
}

// DeepSeek-V3's 128 heads of 192 are wider together than its stream; its latents are what it pays for:
// 7168 (512 + 64) + 512 128 (128 + 128) + 128 128 7168 + 1536 (7168 + 128 192) = 187,105,280 numbers a layer.
TEST(Findings, LatentAttentionIsJudgedByItsCost) {
    const Report report = audit_model("DeepSeek-V3");
    const Finding& width = finding(report, "attention-width");
    EXPECT_EQ(width.severity, Severity::ok);
    EXPECT_NEAR(*width.value, 187'105'280.0 / (12.0 * 7168 * 7168), 1e-12);
    EXPECT_NEAR(*width.value, 0.30, 0.005);
    EXPECT_TRUE(width.remedy.empty());
    EXPECT_THAT(width.text, HasSubstr("queries from 1536"));
    EXPECT_EQ(finding(audit_model("MiniCPM3-4B"), "attention-width").severity, Severity::ok);
    ModelShape expensive = report.shape;
    expensive.heads = expensive.kv_heads = 256;
    EXPECT_EQ(finding(audit_shape(expensive), "attention-width").severity, Severity::notice);
}

// Every remedy multiplies out, and its key heads divide its heads.
TEST(Findings, RemediesForHeadsMultiplyOut) {
    std::size_t remedies = 0;
    for (const auto& row : zoo()) {
        const Report report = diagnose({row.shape, std::nullopt, "zoo", &row});
        const Finding* found = report.find("attention-width");
        if (found == nullptr || found->remedy.find(" heads of ") == std::string::npos) continue;
        ++remedies;
        long width = 0, heads = 0, dim = 0, shared = 0;
        const int read =
            std::sscanf(found->remedy.c_str(), "heads x head_dim = %ld: %ld heads of %ld, %ld for", &width,
                        &heads, &dim, &shared);
        ASSERT_GE(read, 3) << found->remedy;
        EXPECT_EQ(width, row.shape.width) << row.shape.name;
        EXPECT_EQ(heads * dim, width) << row.shape.name << ": " << found->remedy;
        EXPECT_EQ(heads % std::max(shared, 1L), 0) << row.shape.name << ": " << found->remedy;
    }
    EXPECT_GE(remedies, 15U);
}

}  // namespace
}  // namespace plimsoll::audit
