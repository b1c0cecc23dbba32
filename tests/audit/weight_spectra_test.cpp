#include "plimsoll/audit/weights/weight_spectra.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/audit/weights/weight_reader.h"
#include "tests/audit/made_layer.h"
#include "tests/support/shared_data.h"

namespace plimsoll::audit {
namespace {

using formats::Dtype;
using formats::ModelShape;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Layer;
using testing::MadeModel;
using testing::only;
using testing::product;
using testing::random_weights;
using testing::report_of;
using testing::spectrum_by_definition;
using testing::stacked;
using testing::transposed;

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

// Law: streamed in two pieces into a Gram matrix or taken whole, an embedding has one spectrum: with each row
// twice it is streamed and has sqrt(2) times the values.
TEST(WeightSpectra, AStreamedEmbeddingHasTheSpectrumOfTheWhole) {
    const std::size_t count = 9000, cols = 64;
    const Floats part = random_weights(count, cols, 3);
    const auto view = std::as_const(part).view();
    MadeModel streamed, whole;
    streamed.add("model.embed_tokens.weight", stacked({view, view}));
    whole.add("model.embed_tokens.weight", part);
    const auto a = report_of(streamed, {}), b = report_of(whole, {});
    const auto& twice = only(a, WeightRole::input_embedding).spectrum;
    const auto& once = only(b, WeightRole::input_embedding).spectrum;
    ASSERT_EQ(twice.values.size(), cols);
    for (std::size_t i = 0; i < cols; ++i) {
        EXPECT_NEAR(twice.values[i], std::sqrt(2.0) * once.values[i], 1e-7 * twice.values[0]);
    }
    EXPECT_EQ(twice.numerical_rank, 64);
    // Rounding: longer columns, the same rows.
    double row = 0, column = 0;
    for (std::size_t i = 0; i < count; ++i) {
        double square = 0;
        for (const float entry : view.row(i)) square += double{entry} * entry;
        row = std::max(row, std::sqrt(square));
    }
    for (std::size_t j = 0; j < cols; ++j) {
        double square = 0;
        for (std::size_t i = 0; i < count; ++i) square += double{part(i, j)} * part(i, j);
        column = std::max(column, std::sqrt(square));
    }
    const double resolved = std::sqrt(64 * 0x1p-52) * twice.values[0];
    EXPECT_NEAR(twice.tolerance, 0x1p-24 * (row + std::sqrt(2.0) * column) / std::sqrt(3.0) + resolved,
                1e-12);
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

// Queries of rank 3 in every head of 4 keep it when they are rounded to BF16.
TEST(WeightSpectra, RoundedHeadsKeepTheirRank) {
    Layer layer;
    layer.width = 240;
    layer.key = random_weights(24, 240, 2);
    layer.query = Floats(24, 240);
    for (std::size_t head = 0; head < 6; ++head) {
        const Floats left = random_weights(4, 3, head), right = random_weights(3, 240, head + 10);
        const auto low = product(left.view(), right.view());
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t j = 0; j < 240; ++j) {
                const auto exact = static_cast<float>(0.123 * low(i, j));
                const auto bits = std::bit_cast<std::uint32_t>(exact) + 0x8000U;
                layer.query(4 * head + i, j) = std::bit_cast<float>(bits & 0xffff0000U);
            }
        }
    }
    layer.value = random_weights(24, 240, 3);
    layer.output = random_weights(240, 24, 4);
    MadeModel model;
    layer.add_to(model, "model.layers.0.self_attn", Dtype::bf16);
    const WeightReport report = report_of(model, layer.shape());
    const WeightSpectrum& entry = only(report, WeightRole::query_key);
    EXPECT_EQ(entry.heads->numerical.least, 3);
    EXPECT_EQ(entry.heads->numerical.most, 3);
    EXPECT_EQ(entry.spectrum.numerical_rank, 18);
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
    model.table.tensors.back().ggml_type = 2;
    model.add("blk.0.attn_k.weight", random_weights(24, 24, 1))
        .add("blk.0.attn_v.weight", random_weights(24, 24, 2));
    model.add("blk.0.attn_output.weight", random_weights(24, 24, 3));
    const WeightReport report = report_of(model, Layer().shape());
    ASSERT_EQ(report.not_analysed.size(), 1);
    EXPECT_EQ(report.not_analysed[0].part, "blk.0 query-key");
    EXPECT_EQ(report.not_analysed[0].reason, "blk.0.attn_q.weight is Q4_0, which is not decoded");
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

// The table of a safetensors file that is known to be sound.
formats::TensorTable table_of_sound_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::uint64_t size = 0;
    file.read(reinterpret_cast<char*>(&size), sizeof size);
    std::string text(size, ' ');
    file.read(text.data(), static_cast<std::streamsize>(size));
    formats::TensorTable table;
    table.files = {path};
    const Json header = Json::parse(text);
    for (const auto& [name, facts] : header.items()) {
        if (name == "__metadata__") continue;
        formats::TensorInfo tensor;
        tensor.name = name;
        tensor.dtype = *formats::dtype_from_name(facts["dtype"].get<std::string>());
        tensor.shape = facts["shape"].get<std::vector<std::uint64_t>>();
        tensor.begin = 8 + size + facts["data_offsets"][0].get<std::uint64_t>();
        tensor.bytes = 8 + size + facts["data_offsets"][1].get<std::uint64_t>() - tensor.begin;
        tensor.elements = 8 * tensor.bytes / static_cast<std::uint64_t>(formats::bits_of(tensor.dtype));
        table.tensors.push_back(tensor);
    }
    return table;
}

// Law on a real model (TinyTimeMixer): the squares of the values add up to those of the entries.
TEST(WeightSpectra, OfARealMixerKeepTheNorms) {
    const auto path = shared_folder() / "data/models/ttm_v1/model.safetensors";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
    const formats::TensorTable table = table_of_sound_file(path);
    const auto report = weight_spectra(table, {}, {.threads = 1});
    ASSERT_TRUE(report.ok());
    EXPECT_TRUE(report->not_analysed.empty());
    // The patch embedding, and four mixing matrices in each of 6 + 2 layers.
    ASSERT_EQ(report->spectra.size(), 33);
    EXPECT_EQ(report->spectra[0].name, "backbone.encoder.patcher.weight");
    EXPECT_EQ(report->spectra[0].spectrum.numerical_rank, 64);
    WeightReader reader(table);
    for (const WeightSpectrum& entry : report->spectra) {
        Floats matrix(entry.rows, entry.cols);
        ASSERT_TRUE(reader.read_rows(*table.find(entry.name), 0, matrix.view()).ok());
        double squares = 0, sum = 0;
        for (std::size_t i = 0; i < matrix.rows(); ++i) {
            for (const float value : matrix.view().row(i)) squares += double{value} * value;
        }
        for (const double value : entry.spectrum.values) sum += value * value;
        EXPECT_NEAR(sum, squares, 1e-12 * squares) << entry.name;
    }
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
