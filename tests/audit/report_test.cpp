#include "plimsoll/audit/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/audit/diagnose.h"
#include "plimsoll/audit/models/target_name.h"
#include "plimsoll/base/format.h"

namespace plimsoll::audit {
namespace {

using ::testing::HasSubstr;

Report audit_of(std::string_view name) {
    const ZooRow* row = *find_in_zoo(name);
    return diagnose({row->shape, std::nullopt, "zoo", row});
}

formats::TensorInfo tensor(std::string name, std::vector<std::uint64_t> shape) {
    formats::TensorInfo info;
    info.name = std::move(name);
    info.elements = 1;
    for (const auto size : shape) info.elements *= size;
    info.shape = std::move(shape);
    return info;
}

Target with_tensors(std::vector<formats::TensorInfo> tensors, std::optional<bool> tied) {
    Target target;
    target.shape.kind = formats::ModelKind::decoder;
    target.shape.tied = tied;
    target.source = "test";
    target.tensors.emplace();
    target.tensors->tensors = std::move(tensors);
    return target;
}

TEST(Report, NumbersOfT5ElevenB) {
    const Json json = to_json(audit_of("t5-11b"));
    EXPECT_EQ(json["depth"], 24);
    EXPECT_EQ(json["decoder_depth"], 24);
    EXPECT_EQ(json["width"], 1024);
    EXPECT_EQ(json["heads"], 128);
    EXPECT_EQ(json["head_dim"], 128);
    EXPECT_EQ(json["attention_over_width"], 16.0);
    EXPECT_EQ(json["input_rank_over_width"], 1.0);
}

TEST(Report, TheVerdictNamesWhatIsSevereAndWhatItWasReportedToCost) {
    EXPECT_EQ(verdict(audit_of("t5-11b")),
              "Attention is 16 times wider than the stream it reads and writes. 45 % of the parameters are "
              "reported as redundant [Wies 2021].");
    EXPECT_THAT(
        verdict(audit_of("llama-3-8b")),
        ::testing::MatchesRegex("The depth is inside the valley: [0-9]+ to [0-9]+ layers cost at most 1 % of "
                                "loss at this size, by extrapolation. Nothing found that needs action."));
    EXPECT_THAT(verdict(audit_of("gpt2")), HasSubstr("Nothing severe; worth knowing: context to width."));
    EXPECT_THAT(verdict(audit_of("albert-xxlarge")), HasSubstr("gives the input rank 128"));
}

// Each number without which findings are missing, taken out of a whole shape.
TEST(Report, WhatIsNotKnownIsNeverSummarisedAsFine) {
    Target target;
    target.shape = audit_of("llama-3-8b").shape;
    EXPECT_EQ(verdict(diagnose(target)).find("Not everything"), std::string::npos);
    using Shape = formats::ModelShape;
    const std::vector<std::pair<const char*, Shape::Number Shape::*>> numbers{{"depth", &Shape::depth},
                                                                              {"width", &Shape::width},
                                                                              {"heads", &Shape::heads},
                                                                              {"input", &Shape::vocab},
                                                                              {"context", &Shape::context}};
    for (const auto& [name, field] : numbers) {
        Target without = target;
        (without.shape.*field).reset();
        const std::string text = verdict(diagnose(without));
        EXPECT_EQ(text.find(fmt::format("Not everything was analysed: {} is not known. ", name)), 0U)
            << name << ": " << text;
        EXPECT_EQ(text.find("Nothing found that needs action"), std::string::npos) << text;
    }
}

TEST(Counts, TiedWeightsCountOnce) {
    const std::vector<formats::TensorInfo> tensors{tensor("model.embed_tokens.weight", {100, 8}),
                                                   tensor("model.norm.weight", {8}),
                                                   tensor("lm_head.weight", {100, 8})};
    const Report tied = diagnose(with_tensors(tensors, true));
    EXPECT_EQ(tied.parameters, 808);
    EXPECT_EQ(tied.counts.stored_twice, 800);
    ASSERT_NE(tied.find("tied-weights"), nullptr);
    EXPECT_THAT(tied.find("tied-weights")->text, HasSubstr("lm_head.weight: 800 numbers"));
    const Report untied = diagnose(with_tensors(tensors, false));
    EXPECT_EQ(untied.parameters, 1608);
    EXPECT_EQ(untied.find("tied-weights"), nullptr);
}

TEST(Counts, AnOutputOfAnotherShapeIsNotTheEmbedding) {
    const Report report = diagnose(
        with_tensors({tensor("transformer.wte.weight", {100, 8}), tensor("lm_head.weight", {10, 8})}, true));
    EXPECT_EQ(report.parameters, 880);
}

TEST(Counts, BuffersAreNotParameters) {
    const Report report =
        diagnose(with_tensors({tensor("h.0.attn.bias", {1, 1, 16, 16}), tensor("h.0.attn.c_attn.bias", {24}),
                               tensor("embeddings.position_ids", {1, 16})},
                              std::nullopt));
    EXPECT_EQ(report.parameters, 24);
    EXPECT_EQ(report.counts.buffers, 272);
}

}  // namespace
}  // namespace plimsoll::audit
