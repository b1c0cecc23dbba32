#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "plimsoll/audit/weights/weight_spectra.h"
#include "tests/audit/made_model.h"
#include "tests/support/error_text.h"

namespace plimsoll::testing {

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

    [[nodiscard]] formats::ModelShape shape() const {
        formats::ModelShape shape;
        shape.heads = static_cast<std::int64_t>(heads);
        shape.width = static_cast<std::int64_t>(width);
        return shape;
    }

    void add_to(MadeModel& model, const std::string& prefix,
                formats::Dtype dtype = formats::Dtype::f32) const {
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

inline audit::WeightReport report_of(const MadeModel& model, const formats::ModelShape& shape,
                                     audit::WeightOptions options = {}) {
    options.threads = 1;
    auto report = audit::weight_spectra(model.table, shape, options);
    EXPECT_TRUE(report.ok()) << error_text(report);
    return report.ok() ? *report : audit::WeightReport{};
}

inline audit::WeightReport report_of(const Layer& layer) {
    MadeModel model;
    layer.add_to(model, "model.layers.0.self_attn");
    return report_of(model, layer.shape());
}

inline const audit::WeightSpectrum& only(const audit::WeightReport& report, audit::WeightRole role) {
    const audit::WeightSpectrum* found = nullptr;
    for (const auto& entry : report.spectra) {
        if (entry.role != role) continue;
        EXPECT_EQ(found, nullptr) << "two of " << audit::name_of(role);
        found = &entry;
    }
    if (found == nullptr) throw std::runtime_error("no spectrum of " + std::string(audit::name_of(role)));
    return *found;
}

inline void expect_same(const audit::WeightSpectrum& a, const audit::WeightSpectrum& b) {
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

inline void expect_same(const audit::WeightReport& a, const audit::WeightReport& b) {
    EXPECT_TRUE(a.not_analysed.empty() && b.not_analysed.empty());
    for (const audit::WeightRole role : {audit::WeightRole::value_output, audit::WeightRole::query_key}) {
        expect_same(only(a, role), only(b, role));
    }
}

inline rank::Spectrum spectrum_by_definition(const rank::DenseMatrix<double>& matrix) {
    return rank::spectrum_of(matrix.view());
}

// left (rows of a head) and right as they stand, product by its definition.
inline rank::DenseMatrix<double> product(MatrixView<const float> left, MatrixView<const float> right) {
    rank::DenseMatrix<double> result(left.rows(), right.cols());
    for (std::size_t i = 0; i < left.rows(); ++i) {
        for (std::size_t j = 0; j < right.cols(); ++j) {
            for (std::size_t k = 0; k < left.cols(); ++k) result(i, j) += double{left(i, k)} * right(k, j);
        }
    }
    return result;
}

}  // namespace plimsoll::testing
