#include "plimsoll/run/parameterization.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "tests/run/config_support.h"
#include "tests/support/random_spec.h"

namespace plimsoll::run {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string completep =
    "model.parameterization = \"completep\"\nmodel.base_width = 4\nmodel.base_depth = 1\n";

RunConfig run_of(const arch::ArchSpec& spec, Parameterization how, std::int64_t base_width,
                 std::int64_t base_depth) {
    RunConfig config;
    config.model.spec = spec;
    config.model.parameterization = how;
    config.model.base_width = base_width;
    if (how == Parameterization::completep) config.model.base_depth = base_depth;
    return config;
}

RunConfig run_of(const std::string& spec, std::int64_t base_width, std::int64_t base_depth) {
    return run_of(arch::parse_spec(spec).value(), Parameterization::completep, base_width, base_depth);
}

struct Sizes {
    std::int64_t width, depth;
};

Sizes sizes_of(const arch::ArchSpec& spec) {
    if (const auto* s = std::get_if<arch::TransformerSpec>(&spec)) return {s->width, s->depth};
    if (const auto* s = std::get_if<arch::MlpSpec>(&spec)) return {s->net.width, s->net.depth};
    const auto& s = std::get<arch::MixerSpec>(spec);
    return {s.channels, s.depth};
}

// The spec with every size twice as large that goes with the width.
arch::ArchSpec twice_as_wide(arch::ArchSpec spec) {
    if (auto* s = std::get_if<arch::TransformerSpec>(&spec)) {
        for (std::int64_t* size : {&s->width, &s->head_dim, &s->value_dim, &s->ffn, &s->kv_rank, &s->q_rank,
                                   &s->rope_dim, &s->expert_ffn, &s->shared_ffn})
            *size *= 2;
    } else if (auto* mlp = std::get_if<arch::MlpSpec>(&spec)) {
        mlp->net.width *= 2, mlp->hidden *= 2;
    } else {
        auto& mixer = std::get<arch::MixerSpec>(spec);
        mixer.channels *= 2, mixer.channel_hidden *= 2;
    }
    return spec;
}

bool is_scaled_and_trained(const arch::ArchSpec& spec) {
    const auto* s = std::get_if<arch::TransformerSpec>(&spec);
    return s != nullptr
               ? s->experts == 0
               : std::holds_alternative<arch::MixerSpec>(spec) || std::holds_alternative<arch::MlpSpec>(spec);
}

template <class Body>
void for_scaled_families(Body body) {
    testing::for_random_specs(60, [&](const arch::ArchSpec& spec) {
        if (is_scaled_and_trained(spec)) body(spec);
    });
}

bool is_one_by_one(TensorKind kind) {
    return kind == TensorKind::hidden || kind == TensorKind::branch_matrix;
}

// Two ways to one answer: the name of a tensor, and which of its sides grow with the width.
TEST(TensorKinds, AreWhatTheShapesSay) {
    std::set<TensorKind> seen;
    const auto check = [&](const arch::ArchSpec& spec) {
        const auto shapes = arch::tensors(spec), wider = arch::tensors(twice_as_wide(spec));
        ASSERT_EQ(shapes.size(), wider.size());
        for (std::size_t k = 0; k < shapes.size(); ++k) {
            const auto& [name, shape] = shapes[k];
            const TensorKind kind = tensor_kind(shapes[k], spec);
            const bool columns = wider[k].shape.back() == 2 * shape.back();
            const bool rows = wider[k].shape.end()[-std::min<int>(2, int(shape.size()))] ==
                              2 * shape.end()[-std::min<int>(2, int(shape.size()))];
            seen.insert(kind);
            const bool stays = kind == TensorKind::fixed || kind == TensorKind::token_mixing ||
                               kind == TensorKind::score_table;
            EXPECT_EQ(stays, !rows && !columns) << name;
            if (shape.size() < 2) continue;
            EXPECT_EQ(has_wide_columns(shapes[k], spec), columns) << name;
            EXPECT_EQ(is_one_by_one(kind), rows && columns) << name;
            const bool narrows = kind == TensorKind::output || kind == TensorKind::narrowing;
            EXPECT_TRUE(!narrows || (columns && !rows)) << name;
        }
    };
    for_scaled_families(check);
    check(arch::parse_spec("transformer:depth=1,width=8,heads=2,vocab=7,stack=encoder,embedding_rank=4,"
                           "head_transform=on")
              .value());
    for (const KindRow& row : parameterization_table())
        EXPECT_TRUE(seen.contains(row.kind)) << "no drawn network has the kind " << row.name;
}

TEST(Parameterizations, ChangeNothingAtTheBaseShape) {
    for_scaled_families([](const arch::ArchSpec& spec) {
        const auto [width, depth] = sizes_of(spec);
        for (const auto how :
             {Parameterization::standard, Parameterization::mup, Parameterization::completep}) {
            const NetworkScale scale = network_scale(run_of(spec, how, width, depth));
            EXPECT_EQ(scale.residual, 1);
            EXPECT_EQ(scale.scores, 1);
            EXPECT_EQ(scale.tensors, std::vector<TensorScale>(arch::tensors(spec).size()));
        }
    });
}

// The reasons of docs/MODELS.md, on every tensor of drawn networks.
TEST(Parameterizations, KeepWhatOneUpdateDoes) {
    for_scaled_families([](const arch::ArchSpec& spec) {
        const auto [width, depth] = sizes_of(spec);
        RunConfig config = run_of(spec, Parameterization::completep, 3 * width, 5 * depth);
        const NetworkScale scale = network_scale(config);
        const double m = 1.0 / 3, l = 1.0 / 5, near = 1e-12;
        EXPECT_NEAR(scale.residual * l, 1, near);
        const auto shapes = arch::tensors(spec);
        for (std::size_t k = 0; k < shapes.size(); ++k) {
            const TensorScale& one = scale.tensors[k];
            const TensorKind kind = tensor_kind(shapes[k], spec);
            const double update = one.columns * one.rate * one.use;
            if (kind == TensorKind::input) {
                EXPECT_EQ(one.rate, 1);
                EXPECT_NEAR(one.use * (one.use == 1 ? 1 : m), 1, near) << "as the output matrix";
            } else {
                EXPECT_NEAR(update, kind == TensorKind::stream_norm ? 1 / l : 1, near);
            }
            const bool shrinks = is_one_by_one(kind) || kind == TensorKind::narrowing;
            EXPECT_NEAR(shrinks ? one.columns * one.start * one.start : one.start, 1, near);
            EXPECT_NEAR(one.rate * one.decay, 1, near) << "adamw shrinks by rate times decay";
        }
        config.optimizer.kind = OptimizerKind::adam;
        for (const TensorScale& one : network_scale(config).tensors)
            EXPECT_NEAR(one.rate * one.decay, one.epsilon, near)
                << "adam's decay is divided by the gradient's size";
    });
}

TEST(Parameterizations, MupLeavesDepthAlone) {
    const auto spec = arch::parse_spec("transformer:depth=12,width=32,heads=2,vocab=9").value();
    const NetworkScale mup = network_scale(run_of(spec, Parameterization::mup, 8, 0)),
                       deep = network_scale(run_of(spec, Parameterization::completep, 8, 12)),
                       deeper = network_scale(run_of(spec, Parameterization::completep, 8, 3));
    EXPECT_EQ(mup.tensors, deep.tensors);
    EXPECT_EQ(mup.residual, 1);
    EXPECT_EQ(deeper.residual, 0.25);
    EXPECT_NE(mup.tensors, deeper.tensors);
}

TensorScale scale_named(const std::string& name, const RunConfig& config) {
    const auto shapes = arch::tensors(config.model.spec);
    for (std::size_t k = 0; k < shapes.size(); ++k)
        if (shapes[k].name == name) return network_scale(config).tensors[k];
    ADD_FAILURE() << "no tensor " << name;
    return {};
}

// The choices that docs/MODELS.md explains, on one network four times as wide and twice as deep.
TEST(Parameterizations, WhatThePapersLeaveOpen) {
    const std::string wide = "transformer:depth=4,width=32,heads=2,vocab=9,context=8";
    const RunConfig tied = run_of(wide, 8, 2), untied = run_of(wide + ",tied=off", 8, 2);
    TensorScale as_input = scale_named("tokens.weight", untied),
                as_output = scale_named("head.weight", untied), as_both = scale_named("tokens.weight", tied);
    EXPECT_EQ(as_both.use, as_output.use);
    as_both.use = as_output.use = 1;
    as_input.columns = 4;  // the law of a table has its rows too
    EXPECT_EQ(as_both, as_input);
    EXPECT_EQ(as_both, as_output);
    EXPECT_EQ(scale_named("positions.weight", tied), as_input);

    const RunConfig ranked = run_of(wide + ",embedding_rank=3,position_rank=2", 8, 2);
    EXPECT_EQ(scale_named("tokens.weight", ranked), TensorScale{});
    EXPECT_EQ(scale_named("tokens.factor.weight", ranked), (TensorScale{.epsilon = 0.25}));
    EXPECT_EQ(scale_named("positions.weight", ranked), TensorScale{});
    EXPECT_EQ(scale_named("head.factor.weight", ranked),
              (TensorScale{.columns = 4, .epsilon = 0.25, .use = 0.25}));

    const RunConfig modern = run_of(wide + ",style=modern", 8, 2);
    EXPECT_EQ(scale_named("layers.3.attention.key_norm.weight", modern), (TensorScale{.epsilon = 0.125}));
    EXPECT_EQ(scale_named("layers.3.ffn.gate.weight", modern),
              (TensorScale{.columns = 4, .start = 0.5, .rate = 0.25, .epsilon = 0.125, .decay = 4}));

    const RunConfig post = run_of(wide + ",stack=encoder,norm_order=post", 8, 2);
    EXPECT_EQ(scale_named("layers.0.ffn_norm.weight", post),
              (TensorScale{.rate = 0.5, .epsilon = 0.25, .decay = 2}));

    const RunConfig mixer = run_of("mixer:depth=4,channels=32,tokens=8,vocab=9", 8, 2);
    EXPECT_EQ(scale_named("blocks.1.tokens.up.weight", mixer), (TensorScale{.epsilon = 0.5}));
    EXPECT_EQ(scale_named("blocks.1.channels.up.weight", mixer),
              (TensorScale{.columns = 4, .start = 0.5, .rate = 0.25, .epsilon = 0.125, .decay = 4}));
}

TEST(Parameterizations, ScoresFollowTheHeads) {
    const std::string spec = "transformer:depth=1,width=64,heads=8,vocab=9";
    RunConfig config = run_of(spec, 16, 1);
    EXPECT_EQ(network_scale(config).scores, 0.5) << "eight heads of 2 became eight of 8";
    config.model.base_heads = 2;
    EXPECT_EQ(network_scale(config).scores, 1) << "two heads of 8 became eight of 8";
    config.model.base_heads = 4;
    EXPECT_DOUBLE_EQ(network_scale(config).scores, std::sqrt(0.5));
    EXPECT_EQ(network_scale(run_of(spec + ",attention=linear", 16, 1)).scores, 0.25);
    EXPECT_EQ(network_scale(run_of("mixer:depth=1,tokens=4,channels=64", 16, 1)).scores, 1);
}

TEST(Parameterizations, TheTableIsThatOfTheDocs) {
    const std::string page = *read_text(PLIMSOLL_SOURCE_DIR "/docs/MODELS.md");
    std::string table =
        "<!-- parameterizations -->\n| kind | tensors | start | rate | epsilon | decay | use |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n";
    int number = 0;
    for (const KindRow& row : parameterization_table()) {
        EXPECT_EQ(static_cast<int>(row.kind), number++);
        const ScalePower decay{-row.rate.width, -row.rate.heads, -row.rate.depth};
        table +=
            fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.name, row.tensors, row.start.text(),
                        row.rate.text(), row.epsilon.text(), decay.text(), row.use.text());
    }
    EXPECT_THAT(page, HasSubstr(table + "<!-- end -->"));
}

// Runs of old releases keep their ids.
TEST(Parameterizations, StandardLeavesNoTrace) {
    const RunConfig plain = parsed(text_run);
    EXPECT_EQ(run_hash(plain), run_hash(parsed(text_run, {"model.parameterization=standard"})));
    EXPECT_THAT(to_toml(plain), Not(HasSubstr("base_")));
    EXPECT_THAT(to_toml(plain), Not(HasSubstr("parameterization")));
    const RunConfig mup = parsed(text_run, {"model.parameterization=mup", "model.base_width=4"});
    EXPECT_THAT(to_toml(mup), HasSubstr("dropout = 0.0\nparameterization = \"mup\"\nbase_width = 4\n"
                                        "base_heads = \"none\"\n\n[data]\n"));
    EXPECT_EQ(parsed(to_toml(mup)), mup);
    const RunConfig deep = parsed(text_run + completep);
    EXPECT_THAT(to_toml(deep), HasSubstr("base_depth = 1\n"));
    EXPECT_EQ(parsed(to_toml(deep)), deep);
    EXPECT_NE(run_hash(deep), run_hash(plain));
}

TEST(Parameterizations, TheBaseShapeIsAskedFor) {
    const std::vector<std::pair<std::vector<std::string>, const char*>> wrong{
        {{"model.base_width=8"}, "model.base_width: only mup and completep have it; leave it out"},
        {{"model.base_depth=8"}, "model.base_depth: only completep has it; leave it out"},
        {{"model.base_heads=8"}, "model.base_heads: only mup and completep have it; leave it out"},
        {{"model.parameterization=mup"},
         "model.base_width: mup needs it: the width whose best rate is known"},
        {{"model.parameterization=mup", "model.base_width=8", "model.base_depth=8"},
         "model.base_depth: only completep has it; leave it out"},
        {{"model.parameterization=completep", "model.base_width=8"},
         "model.base_depth: completep needs it: the depth whose best rate is known"},
        {{"model.parameterization=mu"},
         "--set: model.parameterization: must be standard|mup|completep, got mu"},
    };
    for (const auto& [overrides, message] : wrong)
        EXPECT_THAT(refusal(text_run, overrides), HasSubstr(message));
    const auto kind = [](const std::string& toml, const std::vector<std::string>& overrides) {
        const auto config = parse_run_config(toml + completep, "run.toml", overrides);
        EXPECT_FALSE(config.ok());
        return config.ok() ? std::string() : config.error().text();
    };
    const std::string mixer = "data.name = \"x\"\n";
    EXPECT_THAT(kind(text_run, {"optimizer.kind=sgd"}), HasSubstr("are made for adam and adamw"));
    EXPECT_THAT(kind(mixer, {"model.spec=pk:depth=1,width=8,blocks=2"}),
                HasSubstr("are for transformers, mixers and mlp; pk takes standard"));
    EXPECT_THAT(kind(mixer, {"model.spec=mixer:depth=1,tokens=4,channels=4,skip=off"}),
                HasSubstr("scales residual branches, which skip=off leaves out; use mup"));
    EXPECT_THAT(kind(mixer, {"model.spec=mlp:depth=1,width=4,skip=off"}),
                HasSubstr("scales residual branches, which skip=off leaves out; use mup"));
    EXPECT_THAT(kind(mixer, {"model.spec=mixer:depth=1,tokens=4,channels=4", "model.init=ntk"}),
                HasSubstr("model.init: ntk is itself a parameterization"));
    EXPECT_THAT(kind(mixer, {"model.spec=mixer:depth=1,tokens=4,channels=4", "model.base_heads=2"}),
                HasSubstr("model.base_heads: is for transformers; this family has no heads"));
}

}  // namespace
}  // namespace plimsoll::run
