#include "plimsoll/audit/weight_spectra.h"

#include <cmath>
#include <filesystem>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/audit/made_model.h"

namespace plimsoll::audit {
namespace {

using formats::Dtype;
using formats::ModelShape;
using testing::Floats;
using ::testing::HasSubstr;
using testing::MadeModel;
using testing::random_weights;
using testing::rows;
using testing::stacked;
using testing::transposed;

// One attention layer as it is meant: heads of 4 over a width of 24.
struct Layer {
    std::size_t heads = 6, kv_heads = 6, dim = 4, width = 24;
    Floats query, key, value, output;

    explicit Layer(std::size_t kv = 6, std::uint64_t seed = 1)
        : kv_heads(kv),
          query(random_weights(heads * dim, width, seed)),
          key(random_weights(kv * dim, width, seed + 1)),
          value(random_weights(kv * dim, width, seed + 2)),
          output(random_weights(width, heads * dim, seed + 3)) {}

    [[nodiscard]] ModelShape shape() const {
        ModelShape shape;
        shape.heads = static_cast<std::int64_t>(heads);
        shape.width = static_cast<std::int64_t>(width);
        return shape;
    }

    void add_to(MadeModel& model, const std::string& prefix, Dtype dtype = Dtype::f32) const {
        model.add(prefix + ".q_proj.weight", query, dtype).add(prefix + ".k_proj.weight", key, dtype);
        model.add(prefix + ".v_proj.weight", value, dtype).add(prefix + ".o_proj.weight", output, dtype);
    }

    // Queries, keys and values of key-value head `group`, as GPT-NeoX and Falcon lay them.
    [[nodiscard]] Floats grouped() const {
        std::vector<MatrixView<const float>> parts;
        const std::size_t sharing = heads / kv_heads;
        for (std::size_t group = 0; group < kv_heads; ++group) {
            parts.push_back(rows(query, group * sharing * dim, sharing * dim));
            parts.push_back(rows(key, group * dim, dim));
            parts.push_back(rows(value, group * dim, dim));
        }
        return stacked(parts);
    }
};

WeightReport report_of(const MadeModel& model, const ModelShape& shape, WeightOptions options = {}) {
    options.threads = 1;
    auto report = weight_spectra(model.table, shape, options);
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().text());
    return report.ok() ? *report : WeightReport{};
}

WeightReport report_of(const Layer& layer) {
    MadeModel model;
    layer.add_to(model, "model.layers.0.self_attn");
    return report_of(model, layer.shape());
}

const WeightSpectrum& only(const WeightReport& report, WeightRole role) {
    const WeightSpectrum* found = nullptr;
    for (const auto& entry : report.spectra) {
        if (entry.role != role) continue;
        EXPECT_EQ(found, nullptr) << "two of " << name_of(role);
        found = &entry;
    }
    if (found == nullptr) throw std::runtime_error("no spectrum of " + std::string(name_of(role)));
    return *found;
}

void expect_same(const WeightSpectrum& a, const WeightSpectrum& b) {
    ASSERT_EQ(a.spectrum.values.size(), b.spectrum.values.size());
    for (std::size_t i = 0; i < a.spectrum.values.size(); ++i) {
        EXPECT_NEAR(a.spectrum.values[i], b.spectrum.values[i], 1e-12 * a.spectrum.values[0]) << i;
    }
    EXPECT_EQ(a.spectrum.numerical_rank, b.spectrum.numerical_rank);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.cols, b.cols);
    ASSERT_EQ(a.heads.has_value(), b.heads.has_value());
    if (!a.heads) return;
    EXPECT_NEAR(a.heads->stable.least, b.heads->stable.least, 1e-11);
    EXPECT_NEAR(a.heads->stable.mean, b.heads->stable.mean, 1e-11);
    EXPECT_NEAR(a.heads->effective.most, b.heads->effective.most, 1e-11);
    EXPECT_EQ(a.heads->numerical.mean, b.heads->numerical.mean);
}

void expect_same(const WeightReport& a, const WeightReport& b) {
    EXPECT_TRUE(a.not_analysed.empty() && b.not_analysed.empty());
    for (const WeightRole role : {WeightRole::value_output, WeightRole::query_key}) {
        expect_same(only(a, role), only(b, role));
    }
}

rank::Spectrum spectrum_by_definition(const rank::DenseMatrix<double>& matrix) {
    return rank::spectrum_of(matrix.view());
}

// left (rows of a head) and right as they stand, product by its definition.
rank::DenseMatrix<double> product(MatrixView<const float> left, MatrixView<const float> right) {
    rank::DenseMatrix<double> result(left.rows(), right.cols());
    for (std::size_t i = 0; i < left.rows(); ++i) {
        for (std::size_t j = 0; j < right.cols(); ++j) {
            for (std::size_t k = 0; k < left.cols(); ++k) result(i, j) += double{left(i, k)} * right(k, j);
        }
    }
    return result;
}

TEST(WeightSpectra, ValueOutputIsTheSumOverHeads) {
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

TEST(WeightSpectra, QueryKeyHoldsEachHeadsProduct) {
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
TEST(WeightSpectra, Gpt2LayoutEqualsLlamaLayout) {
    const Layer layer;
    MadeModel model;
    model.add("h.0.attn.c_attn.weight",
              transposed(stacked({std::as_const(layer.query).view(), std::as_const(layer.key).view(),
                                  std::as_const(layer.value).view()})));
    model.add("h.0.attn.c_proj.weight", transposed(layer.output));
    expect_same(report_of(layer), report_of(model, layer.shape()));
}

// Law: every way of fusing gives the same layer as separate tensors, with and without shared keys.
TEST(WeightSpectra, FusedTensorsEqualSeparateOnes) {
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
TEST(WeightSpectra, LatentLayoutEqualsItsProduct) {
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
TEST(WeightSpectra, LatentQueriesEqualTheirProduct) {
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

TEST(WeightSpectra, EveryDtypeGivesTheSameSpectrum) {
    const Layer layer(2);
    const WeightReport exact = report_of(layer);
    for (const Dtype dtype : {Dtype::f64, Dtype::f16, Dtype::bf16, Dtype::f8_e4m3, Dtype::f8_e5m2,
                              Dtype::f8_e4m3fnuz, Dtype::f8_e5m2fnuz}) {
        MadeModel model;
        layer.add_to(model, "model.layers.0.self_attn", dtype);
        const WeightReport report = report_of(model, layer.shape());
        const WeightSpectrum& entry = only(report, WeightRole::value_output);
        EXPECT_EQ(entry.dtype, formats::name_of(dtype));
        const auto& expected = only(exact, WeightRole::value_output).spectrum;
        for (std::size_t i = 0; i < expected.values.size(); ++i) {
            EXPECT_NEAR(entry.spectrum.values[i], expected.values[i], 1e-12 * expected.values[0]);
        }
        // The tolerance grows with the dtype's rounding.
        EXPECT_GE(entry.spectrum.tolerance, expected.tolerance * roundoff_of(dtype) / 0x1p-24 / 2);
    }
}

// Law: F8 with scales for rows, for blocks of 128 and for all is the scaled matrix in F32.
TEST(WeightSpectra, ScalesOfF8AreMultipliedIn) {
    const std::size_t size = 192;
    const Floats weights = random_weights(size, size, 1);
    Floats per_row(1, size), blocks(2, 2), one(1, 1);
    for (std::size_t i = 0; i < size; ++i) per_row(0, i) = static_cast<float>(1 + i % 3);
    for (std::size_t i = 0; i < 4; ++i) blocks(i / 2, i % 2) = static_cast<float>(i + 1);
    one(0, 0) = 3;
    const auto expect_scaled = [&](const Floats& scales, const std::string& ending,
                                   std::vector<std::uint64_t> shape, auto factor) {
        Floats scaled = weights;
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) scaled(i, j) *= factor(i, j);
        }
        MadeModel expected, got;
        expected.add("embed_tokens.weight", scaled);
        got.add("embed_tokens.weight", weights, Dtype::f8_e4m3);
        got.add("embed_tokens.weight" + ending, scales, Dtype::f32, std::move(shape));
        const auto a = report_of(expected, {}), b = report_of(got, {});
        ASSERT_TRUE(b.not_analysed.empty());
        EXPECT_NEAR(only(a, WeightRole::input_embedding).spectrum.stable_rank,
                    only(b, WeightRole::input_embedding).spectrum.stable_rank, 1e-10);
        EXPECT_NEAR(only(a, WeightRole::input_embedding).spectrum.values[0],
                    only(b, WeightRole::input_embedding).spectrum.values[0], 1e-8);
    };
    expect_scaled(per_row, "_scale", {size}, [&](std::size_t i, std::size_t) { return per_row(0, i); });
    expect_scaled(per_row, "_scale", {size, 1}, [&](std::size_t i, std::size_t) { return per_row(0, i); });
    expect_scaled(one, "_scale", {}, [&](std::size_t, std::size_t) { return 3.0F; });
    expect_scaled(blocks, "_scale_inv", {2, 2},
                  [&](std::size_t i, std::size_t j) { return blocks(i / 128, j / 128); });
}

TEST(WeightSpectra, ScalesThatDoNotFitAreSaid) {
    MadeModel model;
    model.add("embed_tokens.weight", random_weights(10, 6, 1), Dtype::f8_e4m3);
    model.add("embed_tokens.weight_scale", random_weights(4, 1, 1));
    const WeightReport report = report_of(model, {});
    ASSERT_EQ(report.not_analysed.size(), 1);
    EXPECT_EQ(report.not_analysed[0].reason, "its scales embed_tokens.weight_scale do not fit its shape");
}

// Law: streamed by pieces into a Gram matrix or taken whole, an embedding has one spectrum. 1,100 x 1,000 is
// taken whole, 2,200 x 1,000 (each row twice) is streamed and has sqrt(2) times its values.
TEST(WeightSpectra, AStreamedEmbeddingHasTheSpectrumOfTheWhole) {
    const std::size_t count = 2400, cols = 500;
    const Floats half = random_weights(count / 2, cols, 3);
    const auto view = std::as_const(half).view();
    MadeModel streamed, whole;
    streamed.add("model.embed_tokens.weight", stacked({view, view}));
    whole.add("model.embed_tokens.weight", half);
    const auto a = report_of(streamed, {}), b = report_of(whole, {});
    const auto& twice = only(a, WeightRole::input_embedding).spectrum;
    const auto& once = only(b, WeightRole::input_embedding).spectrum;
    ASSERT_EQ(twice.values.size(), cols);
    for (std::size_t i = 0; i < cols; ++i) {
        EXPECT_NEAR(twice.values[i], std::sqrt(2.0) * once.values[i], 1e-7 * twice.values[0]);
    }
    EXPECT_EQ(twice.numerical_rank, 500);
}

TEST(WeightSpectra, AnEmbeddingOfLowRankIsSeen) {
    const Floats left = random_weights(90, 7, 1), right = random_weights(7, 40, 2);
    const auto low = product(left.view(), right.view());
    Floats table(90, 40);
    for (std::size_t i = 0; i < 90; ++i) {
        for (std::size_t j = 0; j < 40; ++j) table(i, j) = static_cast<float>(low(i, j));
    }
    MadeModel model;
    model.add("transformer.wte.weight", table);
    const WeightReport report = report_of(model, {});
    EXPECT_EQ(only(report, WeightRole::input_embedding).spectrum.numerical_rank, 7);
    EXPECT_EQ(only(report, WeightRole::input_embedding).layer, std::nullopt);
}

TEST(WeightSpectra, UnknownHeadsCountAsOne) {
    const Layer layer;
    MadeModel model;
    layer.add_to(model, "model.layers.0.self_attn");
    const WeightReport report = report_of(model, {});
    const WeightSpectrum& entry = only(report, WeightRole::query_key);
    EXPECT_FALSE(entry.heads.has_value());
    const Floats query = transposed(layer.query);
    const auto expected = spectrum_by_definition(product(std::as_const(query).view(), layer.key.view()));
    EXPECT_NEAR(entry.spectrum.stable_rank, expected.stable_rank, 1e-10);
    // The sum over heads does not need their number.
    EXPECT_NEAR(only(report, WeightRole::value_output).spectrum.stable_rank,
                only(report_of(layer), WeightRole::value_output).spectrum.stable_rank, 1e-10);
}

// A vision tower's layers have a width of their own: the text model's heads are not theirs.
TEST(WeightSpectra, HeadsOfAnotherWidthAreNotUsed) {
    const Layer layer;
    MadeModel model;
    layer.add_to(model, "vision_model.encoder.layers.0.self_attn");
    ModelShape shape = layer.shape();
    shape.width = 4096;
    EXPECT_FALSE(only(report_of(model, shape), WeightRole::query_key).heads.has_value());
}

TEST(WeightSpectra, SizesThatDoNotFitAreSaid) {
    MadeModel model;
    Layer(3).add_to(model, "model.layers.0.self_attn");
    const WeightReport report = report_of(model, {});
    EXPECT_TRUE(report.spectra.empty());
    ASSERT_EQ(report.not_analysed.size(), 1);
    EXPECT_EQ(report.not_analysed[0].part, "model.layers.0.self_attn");
    EXPECT_EQ(report.not_analysed[0].reason,
              "the sizes of its projections do not fit an unknown number of heads");
}

TEST(WeightSpectra, QuantisedTensorsAreSaid) {
    MadeModel model;
    model.add_bytes("blk.0.attn_q.weight", std::vector<std::byte>(18), Dtype::ggml_block, {24, 24}, 576);
    model.add("blk.0.attn_k.weight", random_weights(24, 24, 1))
        .add("blk.0.attn_v.weight", random_weights(24, 24, 2));
    model.add("blk.0.attn_output.weight", random_weights(24, 24, 3));
    const WeightReport report = report_of(model, Layer().shape());
    ASSERT_EQ(report.not_analysed.size(), 1);
    EXPECT_EQ(report.not_analysed[0].part, "blk.0 query-key");
    EXPECT_EQ(report.not_analysed[0].reason, "blk.0.attn_q.weight is GGML, which is not decoded");
    EXPECT_EQ(only(report, WeightRole::value_output).spectrum.numerical_rank, 24);
}

TEST(WeightSpectra, NotANumberIsCountedAndLeftOut) {
    Layer layer;
    layer.value(3, 3) = std::numeric_limits<float>::quiet_NaN();
    layer.value(5, 3) = -std::numeric_limits<float>::infinity();
    const WeightReport report = report_of(layer);
    EXPECT_EQ(report.not_finite, 2);
    ASSERT_EQ(report.not_analysed.size(), 1);
    EXPECT_EQ(report.not_analysed[0].part, "model.layers.0.self_attn value-output");
    EXPECT_EQ(report.not_analysed[0].reason, "2 of its values are NaN or infinite");
    EXPECT_EQ(only(report, WeightRole::query_key).heads->heads, 6);
}

// Finite factors whose product no float holds.
TEST(WeightSpectra, LatentProductsThatOverflowAreLeftOut) {
    Floats large(8, 24);
    for (std::size_t i = 0; i < 8; ++i) large(i, i) = 3e38F;
    Floats second(48, 8);
    for (std::size_t i = 0; i < 48; ++i) second(i, i % 8) = 3e38F;
    MadeModel model;
    const std::string prefix = "model.layers.0.self_attn";
    model.add(prefix + ".q_proj.weight", random_weights(24, 24, 1));
    model.add(prefix + ".kv_a_proj_with_mqa.weight", large).add(prefix + ".kv_b_proj.weight", second);
    model.add(prefix + ".o_proj.weight", random_weights(24, 24, 5));
    const WeightReport report = report_of(model, Layer().shape());
    EXPECT_TRUE(report.spectra.empty());
    EXPECT_GT(report.not_finite, 0);
}

TEST(WeightSpectra, TheLargestFloatsAreNoTrouble) {
    Layer layer;
    for (Floats* matrix : {&layer.query, &layer.key, &layer.value, &layer.output}) {
        for (std::size_t i = 0; i < 24; ++i) {
            for (float& entry : matrix->view().row(i)) entry *= 2e38F;
        }
    }
    const WeightReport huge = report_of(layer), plain = report_of(Layer());
    EXPECT_TRUE(huge.not_analysed.empty());
    EXPECT_NEAR(only(huge, WeightRole::value_output).spectrum.stable_rank,
                only(plain, WeightRole::value_output).spectrum.stable_rank, 1e-6);
}

TEST(WeightSpectra, WhatNeedsMoreMemoryThanAllowedIsSaid) {
    MadeModel model;
    Layer().add_to(model, "model.layers.0.self_attn");
    model.add("model.embed_tokens.weight", random_weights(50, 24, 1));
    WeightOptions options;
    options.max_memory = 1000;
    const WeightReport report = report_of(model, Layer().shape(), options);
    EXPECT_TRUE(report.spectra.empty());
    ASSERT_EQ(report.not_analysed.size(), 3);
    EXPECT_THAT(report.not_analysed[0].reason, HasSubstr("of memory, 1000 B are allowed"));
}

// A header may claim any size: nothing is allocated or multiplied out before the limit is checked.
TEST(WeightSpectra, HugeShapesAreRefusedByTheLimit) {
    MadeModel model;
    const std::uint64_t huge = std::uint64_t{1} << 40;
    for (const char* name : {"l.0.q.weight", "l.0.k.weight", "l.0.v.weight"}) {
        model.add_bytes(name, {}, Dtype::f8_e4m3, {1, huge}, huge);
    }
    model.add_bytes("l.0.o.weight", {}, Dtype::f8_e4m3, {huge, 1}, huge);
    model.add_bytes("wte.weight", {}, Dtype::f32, {2, huge}, 2 * huge);
    const WeightReport report = report_of(model, {});
    EXPECT_TRUE(report.spectra.empty());
    EXPECT_EQ(report.not_analysed.size(), 3);
}

TEST(WeightSpectra, LayersComeInOrderAndMayBeThinnedOut) {
    MadeModel model;
    for (const int number : {10, 2, 0, 7, 1}) {
        Layer(6, static_cast<std::uint64_t>(number))
            .add_to(model, "model.layers." + std::to_string(number) + ".self_attn");
    }
    std::vector<std::int64_t> layers;
    for (const auto& entry : report_of(model, Layer().shape()).spectra) {
        if (entry.role == WeightRole::query_key) layers.push_back(*entry.layer);
    }
    EXPECT_THAT(layers, ::testing::ElementsAre(0, 1, 2, 7, 10));
    WeightOptions options;
    options.max_layers = 3;
    const WeightReport thin = report_of(model, Layer().shape(), options);
    EXPECT_EQ(thin.spectra.size(), 6);
    EXPECT_EQ(thin.spectra.back().layer, 10);
    EXPECT_EQ(thin.not_analysed.at(0).reason, "3 of 5 were asked for, evenly spread");
}

TEST(WeightSpectra, ProgressRunsToTheEnd) {
    MadeModel model;
    Layer().add_to(model, "model.layers.0.self_attn");
    model.add("model.embed_tokens.weight", random_weights(50, 24, 1));
    std::uint64_t last = 0, total = 0;
    const auto report =
        weight_spectra(model.table, Layer().shape(), {}, [&](std::uint64_t done, std::uint64_t all) {
            EXPECT_GE(done, last);
            last = done;
            total = all;
        });
    ASSERT_TRUE(report.ok());
    EXPECT_GT(total, 0);
    EXPECT_EQ(last, total);
}

TEST(WeightSpectra, MixersAndUnknownNetsShowTheirMatrices) {
    MadeModel mixer;
    mixer.add("blocks.0.mlp_tokens.fc1.weight", random_weights(6, 9, 1));
    mixer.add("blocks.0.mlp_channels.fc1.weight", random_weights(5, 8, 2));
    mixer.add("stem.proj.weight", random_weights(8, 12, 3), Dtype::f32, {8, 3, 2, 2});
    const WeightReport report = report_of(mixer, {});
    EXPECT_EQ(only(report, WeightRole::token_mixing).spectrum.numerical_rank, 6);
    EXPECT_EQ(only(report, WeightRole::channel_mixing).cols, 8);
    EXPECT_EQ(report.spectra[0].role, WeightRole::input_embedding);
    EXPECT_EQ(report.spectra[0].cols, 12);

    MadeModel net;
    net.add("l1.weight", random_weights(12, 9, 1)).add("l1.bias", random_weights(1, 12, 2), Dtype::f32, {12});
    EXPECT_EQ(only(report_of(net, {}), WeightRole::matrix).name, "l1.weight");

    MadeModel nothing;
    nothing.add("bias", random_weights(1, 12, 2), Dtype::f32, {12});
    ASSERT_EQ(report_of(nothing, {}).not_analysed.size(), 1);
    EXPECT_EQ(report_of(nothing, {}).not_analysed[0].reason, "the files hold no matrix");
}

TEST(WeightSpectra, AFileCutShortIsAnError) {
    MadeModel model;
    model.add("wte.weight", random_weights(50, 24, 1));
    std::filesystem::resize_file(model.table.files[0], 4000);
    const auto report = weight_spectra(model.table, {});
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, ErrorKind::io);
    EXPECT_THAT(report.error().text(), HasSubstr("ends inside wte.weight"));
    std::filesystem::remove(model.table.files[0]);
    EXPECT_THAT(weight_spectra(model.table, {}).error().text(), HasSubstr("is no longer a regular file"));
}

TEST(WeightSpectra, JsonHasRanksAndASampledSpectrum) {
    MadeModel model;
    Layer().add_to(model, "model.layers.3.self_attn");
    model.add("model.embed_tokens.weight", random_weights(200, 100, 1));
    const Json json = to_json(report_of(model, Layer().shape()));
    const Json& embedding = json["spectra"][0];
    EXPECT_EQ(embedding["role"], "input embedding");
    EXPECT_EQ(embedding["singular_values"], 100);
    EXPECT_EQ(embedding["spectrum"].size(), 64);
    EXPECT_EQ(embedding["spectrum"][0], embedding["largest"]);
    EXPECT_EQ(embedding["spectrum"][63], embedding["smallest"]);
    EXPECT_EQ(json["spectra"][1]["layer"], 3);
    EXPECT_EQ(json["spectra"][1]["heads"]["heads"], 6);
    EXPECT_EQ(json["not_finite"], 0);
}

}  // namespace
}  // namespace plimsoll::audit
