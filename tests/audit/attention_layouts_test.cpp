#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/audit/weights/weight_spectra.h"
#include "tests/audit/made_layer.h"

namespace plimsoll::audit {
namespace {

using formats::Dtype;
using formats::ModelShape;
using testing::expect_same;
using testing::Floats;
using testing::Layer;
using testing::MadeModel;
using testing::only;
using testing::product;
using testing::random_weights;
using testing::report_of;
using testing::rows;
using testing::spectrum_by_definition;
using testing::stacked;
using testing::transposed;

TEST(AttentionLayouts, ValueOutputIsTheSumOverHeads) {
    for (const std::size_t kv : {6, 3, 1}) {
        const Layer layer(kv);
        rank::DenseMatrix<double> sum(24, 24);
        for (std::size_t head = 0; head < 6; ++head) {
            const auto term = product(layer.output.view().block(0, head * 4, 24, 4),
                                      rows(layer.value, head / (6 / kv) * 4, 4));
            for (std::size_t i = 0; i < 24; ++i) {
                for (std::size_t j = 0; j < 24; ++j) sum(i, j) += term(i, j);
            }
        }
        const rank::Spectrum expected = spectrum_by_definition(sum);
        const WeightReport report = report_of(layer);
        const WeightSpectrum& entry = only(report, WeightRole::value_output);
        for (std::size_t i = 0; i < std::min<std::size_t>(24, 4 * kv); ++i) {
            EXPECT_NEAR(entry.spectrum.values[i], expected.values[i], 1e-10) << kv << " " << i;
        }
        EXPECT_EQ(entry.spectrum.numerical_rank, static_cast<std::int64_t>(4 * kv));
        EXPECT_EQ(entry.heads->heads, 6);
        EXPECT_EQ(entry.heads->numerical.most, 4);
    }
}

TEST(AttentionLayouts, QueryKeyHoldsEachHeadsProduct) {
    for (const std::size_t kv : {6, 2}) {
        const Layer layer(kv);
        double least = 1e9, squares = 0;
        for (std::size_t head = 0; head < 6; ++head) {
            const Floats query = transposed(stacked({rows(layer.query, head * 4, 4)}));
            const rank::Spectrum spectrum = spectrum_by_definition(
                product(std::as_const(query).view(), rows(layer.key, head / (6 / kv) * 4, 4)));
            least = std::min(least, spectrum.stable_rank);
            for (const double value : spectrum.values) squares += value * value;
        }
        const WeightReport report = report_of(layer);
        const WeightSpectrum& entry = only(report, WeightRole::query_key);
        EXPECT_EQ(entry.spectrum.values.size(), 24);
        EXPECT_NEAR(entry.heads->stable.least, least, 1e-10);
        double sum = 0;
        for (const double value : entry.spectrum.values) sum += value * value;
        EXPECT_NEAR(sum, squares, 1e-9 * squares);
    }
}

// Law: GPT-2's transposed and fused tensors are the same layer.
TEST(AttentionLayouts, Gpt2LayoutEqualsLlamaLayout) {
    const Layer layer;
    MadeModel model;
    model.add("h.0.attn.c_attn.weight",
              transposed(stacked({std::as_const(layer.query).view(), std::as_const(layer.key).view(),
                                  std::as_const(layer.value).view()})));
    model.add("h.0.attn.c_proj.weight", transposed(layer.output));
    expect_same(report_of(layer), report_of(model, layer.shape()));
}

// Law: every way of fusing gives the same layer as separate tensors, with and without shared keys.
TEST(AttentionLayouts, FusedTensorsEqualSeparateOnes) {
    for (const std::size_t kv : {6, 2, 1}) {
        const Layer layer(kv);
        const WeightReport separate = report_of(layer);
        for (const auto& [fused, output] : std::vector<std::pair<std::string, std::string>>{
                 {"model.layers.0.self_attn.qkv_proj.weight", "model.layers.0.self_attn.o_proj.weight"},
                 {"blocks.0.attn.qkv.weight", "blocks.0.attn.proj.weight"},
                 {"blk.0.attn_qkv.weight", "blk.0.attn_output.weight"},
                 {"encoder.layers.0.self_attention.query_key_value.weight",
                  "encoder.layers.0.self_attention.dense.weight"}}) {
            MadeModel model;
            model.add(fused, stacked({std::as_const(layer.query).view(), std::as_const(layer.key).view(),
                                      std::as_const(layer.value).view()}));
            model.add(output, layer.output);
            SCOPED_TRACE(fused);
            expect_same(separate, report_of(model, layer.shape()));
        }
        MadeModel model;
        model.add("transformer.h.0.self_attention.query_key_value.weight", layer.grouped());
        model.add("transformer.h.0.self_attention.dense.weight", layer.output);
        expect_same(separate, report_of(model, layer.shape()));
    }
}

// Law: an MLA layer whose factors multiply to given projections is that layer. Gain 2 on the latent vector is
// taken back by halved rows.
TEST(AttentionLayouts, LatentLayoutEqualsItsProduct) {
    const std::size_t heads = 6, plain = 4, rotary = 2, latent = 8, width = 24;
    const Floats second = random_weights(heads * 2 * plain, latent, 5),
                 first = random_weights(latent, width, 6);
    const Floats shared = random_weights(rotary, width, 7);
    const Floats query = random_weights(heads * (plain + rotary), width, 8);
    const Floats output = random_weights(width, heads * plain, 9);
    Floats halved = first, gain(1, latent);
    for (std::size_t i = 0; i < latent; ++i) {
        gain(0, i) = 2;
        for (float& entry : halved.view().row(i)) entry /= 2;
    }
    const auto as_floats = [](const rank::DenseMatrix<double>& matrix) {
        Floats floats(matrix.rows(), matrix.cols());
        for (std::size_t i = 0; i < matrix.rows(); ++i) {
            for (std::size_t j = 0; j < matrix.cols(); ++j) floats(i, j) = static_cast<float>(matrix(i, j));
        }
        return floats;
    };
    const Floats whole = as_floats(product(second.view(), first.view()));
    std::vector<MatrixView<const float>> keys, values;
    for (std::size_t head = 0; head < heads; ++head) {
        keys.push_back(rows(whole, head * 2 * plain, plain));
        keys.push_back(std::as_const(shared).view());
        values.push_back(rows(whole, head * 2 * plain + plain, plain));
    }
    const std::string prefix = "model.layers.0.self_attn";
    MadeModel plain_model, latent_model;
    plain_model.add(prefix + ".q_proj.weight", query).add(prefix + ".k_proj.weight", stacked(keys));
    plain_model.add(prefix + ".v_proj.weight", stacked(values)).add(prefix + ".o_proj.weight", output);
    latent_model.add(prefix + ".kv_b_proj.weight", second).add(prefix + ".q_proj.weight", query);
    latent_model.add(prefix + ".kv_a_proj_with_mqa.weight",
                     stacked({std::as_const(halved).view(), std::as_const(shared).view()}));
    latent_model.add(prefix + ".kv_a_layernorm.weight", gain, Dtype::f32, {latent});
    latent_model.add(prefix + ".o_proj.weight", output);
    const ModelShape shape = Layer().shape();
    const WeightReport report = report_of(latent_model, shape);
    expect_same(report_of(plain_model, shape), report);
    // All values pass through 8 numbers.
    EXPECT_EQ(only(report, WeightRole::value_output).spectrum.numerical_rank, 8);
}

// Law: with queries in two factors, too.
TEST(AttentionLayouts, LatentQueriesEqualTheirProduct) {
    const Floats query_second = random_weights(24, 5, 1), query_first = random_weights(5, 24, 2);
    MadeModel model;
    const std::string prefix = "model.layers.0.self_attn";
    model.add(prefix + ".q_a_proj.weight", query_first).add(prefix + ".q_b_proj.weight", query_second);
    model.add(prefix + ".kv_a_proj_with_mqa.weight", random_weights(8, 24, 3));
    model.add(prefix + ".kv_b_proj.weight", random_weights(48, 8, 4));
    model.add(prefix + ".o_proj.weight", random_weights(24, 24, 5));
    const WeightReport report = report_of(model, Layer().shape());
    EXPECT_TRUE(report.not_analysed.empty());
    const WeightSpectrum& entry = only(report, WeightRole::query_key);
    EXPECT_EQ(entry.heads->largest_possible, 4);
    EXPECT_THAT(entry.tensors, ::testing::Contains(prefix + ".q_b_proj.weight"));
}

}  // namespace
}  // namespace plimsoll::audit
