// Rates that transfer: the multipliers of model.parameterization, held against networks whose training they
// must not change.
#include <cmath>

#include "plimsoll/arch/tensors.h"
#include "plimsoll/base/text.h"
#include "plimsoll/exporter/folding.h"
#include "tests/exporter/export_support.h"
#include "tests/model/model_test_support.h"
#include "tests/support/error_text.h"
#include "tests/train/scaled_training.h"
#include "tests/train/train_test_support.h"

namespace plimsoll::train {
namespace {

using run::OptimizerKind;
using run::Parameterization;
using run::TensorKind;

arch::ArchSpec spec_of(const std::string& text) { return arch::parse_spec(text).value(); }

std::int64_t width_of(const arch::ArchSpec& spec) {
    if (const auto* s = std::get_if<arch::TransformerSpec>(&spec)) return s->width;
    if (const auto* s = std::get_if<arch::MlpSpec>(&spec)) return s->net.width;
    return std::get<arch::MixerSpec>(spec).channels;
}

// Every part of the update counts: a large epsilon and decay, of all tensors.
void make_visible(run::RunConfig& config, OptimizerKind kind) {
    config.optimizer.kind = kind;
    config.optimizer.lr = 1e-2;
    config.optimizer.eps = 1e-3;
    config.optimizer.weight_decay = kind == OptimizerKind::adamw ? 0.3 : 0.003;
    config.optimizer.decay = run::DecayedTensors::all;
}

// At the base shape

TEST(BaseShape, HasTheBitsOfStandard) {
    for (const char* text :
         {"transformer:depth=2,width=8,heads=2,vocab=7,context=6",
          "transformer:depth=2,width=8,heads=2,vocab=7,context=6,style=modern",
          "transformer:depth=2,width=8,heads=2,vocab=7,order=attention-first,attention=linear",
          "transformer:depth=2,width=8,heads=2,vocab=7,stack=encoder,norm_order=post,pooler=on,classes=3",
          "mixer:depth=2,channels=4,tokens=4,vocab=6", "s-mixer:depth=2,channels=4,tokens=4,vocab=6",
          "rp-mixer:depth=2,tokens=3,channels=8,classes=2",
          "mlp:depth=2,width=8,inputs=3,categories=2+4,classes=3"}) {
        const auto spec = spec_of(text);
        const std::int64_t width = width_of(spec);
        for (const char* init : {"gpt2", "fan-in", "navon"}) {
            std::vector<torch::Tensor> ends;
            for (const auto& config :
                 {standard_config(spec), scaled_config(spec, Parameterization::mup, width),
                  scaled_config(spec, Parameterization::completep, width, 2)}) {
                run::RunConfig own = config;
                own.model.init = init;
                ScaledTraining training(own);
                const auto input = model::sample_input(spec, 2, 1);
                const auto target = model::normal(training.output(input).sizes().vec(), 2);
                for (int step = 0; step < 3; ++step) training.step(input, target);
                ends.push_back(training.output(input));
            }
            EXPECT_TRUE(ends[0].equal(ends[1])) << text << ' ' << init;
            EXPECT_TRUE(ends[0].equal(ends[2])) << text << ' ' << init;
        }
    }
}

// The same law of the start for all shapes: what is measured on the wide and deep network is what the base
// shape has, times the multiplier of the table.
TEST(Start, IsTheBaseShapesTimesTheMultiplier) {
    const auto base = spec_of("transformer:depth=1,width=32,heads=2,vocab=50,context=40");
    const auto wide = spec_of("transformer:depth=3,width=128,heads=2,vocab=50,context=40");
    for (const char* init : {"gpt2", "bert", "navon", "fan-in"}) {
        run::RunConfig of_base = standard_config(base),
                       of_wide = scaled_config(wide, Parameterization::completep, 32, 1);
        of_base.model.init = of_wide.model.init = init;
        const ScaledTraining narrow(of_base), scaled(of_wide);
        const auto scales = run::network_scale(of_wide).tensors;
        for (std::size_t k = 0; k < scales.size(); ++k) {
            const auto& [name, tensor] = scaled.network().parameters()[k];
            if (name.find("layers.1") != name.npos || name.find("layers.2") != name.npos) continue;
            const torch::Tensor other = model::parameter(narrow.network(), name);
            const double found = tensor.square().mean().sqrt().item<double>(),
                         wanted = other.square().mean().sqrt().item<double>() * scales[k].start;
            // Five deviations of the estimate of a deviation from as many numbers as the base shape has.
            const double share = 5 / std::sqrt(2.0 * static_cast<double>(other.numel()));
            EXPECT_NEAR(found, wanted, share * wanted) << init << ' ' << name;
        }
    }
}

// Over the width

// Which sides of a network are doubled: every neuron twice, or every head.
enum class Twice { neurons, heads };

arch::ArchSpec doubled(arch::ArchSpec spec, Twice what) {
    if (auto* s = std::get_if<arch::TransformerSpec>(&spec)) {
        s->width *= 2, s->ffn *= 2;
        for (std::int64_t* size : {&s->head_dim, &s->value_dim})
            if (what == Twice::neurons) *size *= 2;
        for (std::int64_t* size : {&s->heads, &s->kv_heads})
            if (what == Twice::heads) *size *= 2;
    } else if (auto* mlp = std::get_if<arch::MlpSpec>(&spec)) {
        mlp->net.width *= 2, mlp->hidden *= 2;
    } else {
        auto& mixer = std::get<arch::MixerSpec>(spec);
        mixer.channels *= 2, mixer.channel_hidden *= 2;
    }
    return spec;
}

// How many numbers next to one another are repeated as one in a dimension that is doubled: a whole head, or
// one number.
std::int64_t block_of(const std::string& name, std::int64_t dim, const arch::ArchSpec& spec, Twice what) {
    const auto* s = std::get_if<arch::TransformerSpec>(&spec);
    if (what == Twice::neurons || s == nullptr) return 1;
    const bool columns = name.ends_with("attention.output.weight") && dim == 1;
    const bool rows = dim == 0 && (name.find(".query") != name.npos || name.find(".key") != name.npos ||
                                   name.find(".value") != name.npos);
    return rows || columns ? s->head_dim : 1;
}

torch::Tensor repeated(const torch::Tensor& x, std::int64_t dim, std::int64_t block) {
    return x.unflatten(dim, {x.size(dim) / block, block}).repeat_interleave(2, dim).flatten(dim, dim + 1);
}

// The weights of the narrow network in the wide one: every neuron twice, and half of each where both copies
// are read.
void copy_doubled(const model::Network& narrow, const model::Network& wide, Twice what) {
    const at::NoGradGuard no_grad;
    const auto& spec = narrow.spec();
    for (std::size_t k = 0; k < narrow.parameters().size(); ++k) {
        const auto& [name, tensor] = narrow.parameters()[k];
        torch::Tensor values = tensor.detach(), target = wide.parameters()[k].tensor;
        for (std::int64_t dim = 0; dim < values.dim(); ++dim)
            if (target.size(dim) != values.size(dim))
                values = repeated(values, dim, block_of(name, dim, spec, what));
        const arch::TensorShape shape{name, tensor.sizes().vec()};
        const TensorKind kind = run::tensor_kind(shape, spec);
        const bool halved =
            kind == TensorKind::hidden || kind == TensorKind::narrowing || kind == TensorKind::branch_matrix;
        target.copy_(halved ? values / 2 : values);
    }
}

void stir(const model::Network& network) {
    const at::NoGradGuard no_grad;
    std::uint64_t seed = 40;
    for (const auto& [name, tensor] : network.parameters()) {
        torch::Tensor target = tensor;
        target.add_(model::normal(tensor.sizes().vec(), ++seed), 0.1);
    }
}

struct Pair {
    ScaledTraining narrow, wide;
};

Pair pair_of(const arch::ArchSpec& spec, Twice what, Parameterization how, OptimizerKind kind) {
    const auto* transformer = std::get_if<arch::TransformerSpec>(&spec);
    run::RunConfig narrow = standard_config(spec), wide = standard_config(doubled(spec, what));
    if (how != Parameterization::standard) {
        wide.model.parameterization = how;
        wide.model.base_width = width_of(spec);
        if (what == Twice::heads) wide.model.base_heads = transformer->heads;
    }
    make_visible(narrow, kind);
    make_visible(wide, kind);
    Pair pair{ScaledTraining(narrow), ScaledTraining(wide)};
    stir(pair.narrow.network());
    copy_doubled(pair.narrow.network(), pair.wide.network(), what);
    return pair;
}

// The largest difference of the outputs over a few steps, as a share of what the steps changed.
double drift_apart(const arch::ArchSpec& spec, Twice what, Parameterization how, OptimizerKind kind) {
    Pair pair = pair_of(spec, what, how, kind);
    const auto input = model::sample_input(spec, 3, 1);
    const torch::Tensor before = pair.narrow.output(input), target = model::normal(before.sizes().vec(), 2);
    double apart = model::difference(before, pair.wide.output(input));
    for (int step = 0; step < 4; ++step) {
        pair.narrow.step(input, target), pair.wide.step(input, target);
        apart = std::max(apart, model::difference(pair.narrow.output(input), pair.wide.output(input)));
    }
    return apart / model::difference(before, pair.narrow.output(input));
}

struct WidthCase {
    Twice what;
    const char* spec;
};

class DoubledNetworks : public ::testing::TestWithParam<WidthCase> {};

// A network with every neuron, or every head, twice is the same function; with the multipliers of the table
// every step of Adam keeps it so.
TEST_P(DoubledNetworks, TrainLikeTheNarrowOne) {
    const auto spec = spec_of(GetParam().spec);
    for (const auto kind : {OptimizerKind::adamw, OptimizerKind::adam}) {
        constexpr double rounding = 1e-9;
        EXPECT_LT(drift_apart(spec, GetParam().what, Parameterization::mup, kind), rounding);
    }
    EXPECT_GT(drift_apart(spec, GetParam().what, Parameterization::standard, OptimizerKind::adamw), 0.05)
        << "standard trains another network";
}

INSTANTIATE_TEST_SUITE_P(
    Neurons, DoubledNetworks,
    ::testing::Values(
        WidthCase{Twice::neurons, "transformer:depth=2,width=8,heads=2,vocab=7,context=6"},
        WidthCase{Twice::neurons, "transformer:depth=2,width=8,heads=2,vocab=7,context=6,tied=off"},
        WidthCase{Twice::neurons,
                  "transformer:depth=2,width=8,heads=2,vocab=7,context=6,embedding_rank=3,tied=off,"
                  "head_rank=2,position_rank=2,factor_bias=on"},
        WidthCase{Twice::neurons,
                  "transformer:depth=2,width=8,heads=4,kv_heads=2,head_dim=3,vocab=7,positions=none,"
                  "norm=rms,ffn_matrices=3,activation=silu,bias=off,qk_norm=head"},
        WidthCase{Twice::neurons,
                  "transformer:depth=2,width=8,heads=2,vocab=7,positions=relative,qk_norm=full"},
        WidthCase{Twice::neurons,
                  "transformer:depth=2,width=8,heads=3,head_dim=4,vocab=7,positions=alibi,order=parallel"},
        WidthCase{Twice::neurons,
                  "transformer:depth=2,width=8,heads=2,vocab=7,stack=encoder,norm_order=post,segments=2,"
                  "pooler=on,classes=3,embedding_norm=on"},
        WidthCase{Twice::neurons,
                  "transformer:depth=2,width=8,heads=2,vocab=7,stack=encoder,norm_order=both,segments=2,"
                  "head_transform=on,head_bias=on"},
        WidthCase{Twice::neurons,
                  "transformer:depth=3,width=8,heads=2,vocab=7,layer_groups=1,embedding_rank=4,"
                  "positions_in_rank=on,segments=2,head_transform=on,head_bias=on,stack=encoder"},
        WidthCase{Twice::neurons,
                  "transformer:depth=2,width=8,heads=2,vocab=7,order=attention-first,attention=linear"},
        WidthCase{Twice::neurons,
                  "transformer:depth=1,width=8,heads=2,patch=2,image=4,image_channels=1,classes=3"},
        WidthCase{Twice::neurons, "mixer:depth=2,channels=4,patch=2,image=4,image_channels=3,classes=3"},
        WidthCase{Twice::neurons, "mixer:depth=2,channels=4,tokens=4,vocab=6"},
        WidthCase{Twice::neurons, "s-mixer:depth=2,channels=4,tokens=4,vocab=6,tied=off,norm=rms"},
        WidthCase{Twice::neurons, "mlp:depth=2,width=4,inputs=3,categories=2+4,classes=3"},
        WidthCase{Twice::neurons, "mlp:depth=3,width=4,inputs=3,hidden=none,skip=off,norm=layer,classes=1"}));

INSTANTIATE_TEST_SUITE_P(
    Heads, DoubledNetworks,
    ::testing::Values(
        WidthCase{Twice::heads, "transformer:depth=2,width=8,heads=2,vocab=7,context=6,style=modern"},
        WidthCase{Twice::heads, "transformer:depth=2,width=8,heads=2,vocab=7,positions=relative"},
        WidthCase{Twice::heads,
                  "transformer:depth=1,width=8,heads=2,patch=2,image=4,image_channels=1,classes=3"}));

// Over the depth

// Every layer twice, one after the other; branches so small that a layer does not see the one before.
struct DepthPair {
    ScaledTraining shallow, deep;
};

void copy_layers_twice(const model::Network& shallow, const model::Network& deep, double branches) {
    const at::NoGradGuard no_grad;
    const auto source = [&](const std::string& name) {
        std::vector<std::string> words = split(name, '.');
        const bool numbered = words.front() == "layers" || words.front() == "blocks";
        if (numbered) words[1] = std::to_string(std::stoi(words[1]) / 2);
        return join(words, ".");
    };
    for (const auto* network : {&shallow, &deep}) {
        for (const auto& [name, tensor] : network->parameters()) {
            torch::Tensor target = tensor;
            if (network == &deep) target.copy_(model::parameter(shallow, source(name)));
            const bool of_block = name.starts_with("blocks.") &&
                                  (name.ends_with("tokens.weight") || name.ends_with("channels.weight"));
            const bool ends_branch =
                of_block || name.ends_with("attention.output.weight") || name.ends_with("down.weight");
            if (network == &shallow && ends_branch) target.mul_(branches);
        }
    }
}

// How far the changes of the last layer's output by a few steps are apart, as a share of them.
double drift_by_depth(const std::string& text, Parameterization how) {
    const auto spec = spec_of(text);
    arch::ArchSpec deep_spec = spec;
    std::visit(
        [](auto& s) {
            if constexpr (requires { s.depth; }) s.depth *= 2;
            if constexpr (requires { s.net.depth; }) s.net.depth *= 2;
            if constexpr (requires { s.layer_groups; }) s.layer_groups *= 2;
        },
        deep_spec);
    run::RunConfig shallow = standard_config(spec), deep = standard_config(deep_spec);
    if (how == Parameterization::completep) deep = scaled_config(deep_spec, how, 8, 2);
    for (auto* config : {&shallow, &deep}) {
        make_visible(*config, OptimizerKind::adamw);
        config->optimizer.lr = 1e-5;
    }
    DepthPair pair{ScaledTraining(shallow), ScaledTraining(deep)};
    copy_layers_twice(pair.shallow.network(), pair.deep.network(), 1e-3);
    const auto input = model::sample_input(spec, 3, 1);
    const auto last = [&](const ScaledTraining& one) { return layers_of(one.network(), input).end()[-2]; };
    const torch::Tensor before = last(pair.shallow), deep_before = last(pair.deep);
    const auto target = model::normal(pair.shallow.output(input).sizes().vec(), 2);
    for (int step = 0; step < 3; ++step) pair.shallow.step(input, target), pair.deep.step(input, target);
    const torch::Tensor change = last(pair.shallow) - before, deep_change = last(pair.deep) - deep_before;
    return ((change - deep_change).norm() / change.norm()).item<double>();
}

class DeeperNetworks : public ::testing::TestWithParam<const char*> {};

// To first order in the branches twice the layers, each with half of its branch, are the same function, and
// completep keeps it so. Inputs are vectors, so that branches alone change what the last layer puts out.
TEST_P(DeeperNetworks, TrainLikeTheShallowOne) {
    // Branches of 1e-3 and what they do to one another; of norms on the stream the first also sets the size
    // of the input, once for two layers.
    const bool post = std::string(GetParam()).find("norm_order=post") != std::string::npos;
    const double second_order = post ? 0.1 : 0.02;
    EXPECT_LT(drift_by_depth(GetParam(), Parameterization::completep), second_order);
    EXPECT_GT(drift_by_depth(GetParam(), Parameterization::standard), 0.3) << "standard changes more";
}

INSTANTIATE_TEST_SUITE_P(
    Families, DeeperNetworks,
    ::testing::Values("transformer:depth=2,width=8,heads=2,classes=3,positions=none",
                      "transformer:depth=2,width=8,heads=2,classes=3,positions=none,order=parallel",
                      "transformer:depth=2,width=8,heads=2,classes=3,positions=none,ffn_matrices=3,"
                      "qk_norm=head,norm=rms",
                      "transformer:depth=2,width=8,heads=2,classes=3,positions=none,norm_order=post",
                      "transformer:depth=2,width=8,heads=2,classes=3,positions=none,order=attention-first",
                      "mixer:depth=2,tokens=3,channels=8,classes=3", "mlp:depth=2,width=8,classes=3",
                      "s-mixer:depth=2,tokens=3,channels=8,classes=3,activation=identity"));

// Folded into the weights of a stock class

TEST(Folding, GivesTheNetworkWithoutMultipliers) {
    for (const auto& [class_name, text] : exporter::fitting_specs()) {
        const auto spec = spec_of(text);
        run::RunConfig scaled = scaled_config(spec, Parameterization::completep, 3, 5);
        scaled.model.base_heads = 1;
        const ScaledTraining one(scaled), usual(standard_config(spec));
        stir(one.network());
        const auto multipliers = exporter::folded_multipliers(scaled);
        {
            const at::NoGradGuard no_grad;
            for (std::size_t k = 0; k < multipliers.size(); ++k) {
                torch::Tensor target = usual.network().parameters()[k].tensor;
                target.copy_(one.network().parameters()[k].tensor);
            }
        }
        const auto input = model::sample_input(spec, 2, 1);
        const torch::Tensor wanted = one.output(input);
        EXPECT_GT(model::difference(usual.output(input), wanted), 1e-3) << class_name;
        const at::NoGradGuard no_grad;
        for (std::size_t k = 0; k < multipliers.size(); ++k) {
            torch::Tensor target = usual.network().parameters()[k].tensor;
            target.mul_(multipliers[k]);
        }
        EXPECT_LT(model::difference(usual.output(input), wanted), 1e-12) << class_name;
    }
}

// Whole runs

class ScaledRuns : public TrainTest {
  protected:
    const std::vector<std::string> deep_{
        "model.spec=transformer:depth=3,width=16,heads=2,vocab=256,context=16", "model.init=fan-in",
        "model.parameterization=completep", "model.base_width=8", "model.base_depth=1"};

    [[nodiscard]] run::RunConfig config(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), deep_.begin(), deep_.end());
        return config_of(text_run, more);
    }
};

TEST_F(ScaledRuns, ResumeWithTheSameBytes) {
    const std::string undisturbed = bytes_of(run(config(), "whole"));
    stop_at(config(), 15);
    const auto resumed = run(config());
    EXPECT_TRUE(resumed->resumed);
    EXPECT_EQ(bytes_of(resumed), undisturbed);
}

TEST_F(ScaledRuns, TrainInAStackAsAlone) {
    const std::vector<run::RunConfig> configs{
        config({"train.precision=fp64"}),
        config({"train.precision=fp64", "optimizer.lr=3e-3", "seeds.init=4"})};
    TrainOptions options;
    options.runs = folder_.path() / "stack";
    const auto together = train_stack(configs, options);
    for (std::size_t k = 0; k < configs.size(); ++k) {
        ASSERT_TRUE(together[k].ok()) << error_text(together[k]);
        const auto alone = run(configs[k]);
        ASSERT_TRUE(alone.ok());
        EXPECT_NEAR(together[k]->validation.loss, alone->validation.loss, 1e-8);
    }
}

TEST_F(ScaledRuns, AreEvaluatedWithTheirMultipliers) {
    const auto summary = run(config({"train.eval_batches=all"})).value();
    const auto found = evaluate(summary.folder, {});
    ASSERT_TRUE(found.ok()) << error_text(found);
    EXPECT_EQ(found->loss, summary.validation.loss);
}

}  // namespace
}  // namespace plimsoll::train
