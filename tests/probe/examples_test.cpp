// Templates, their join, and the entries of a score matrix against the network on whole examples.
#include "plimsoll/probe/torch/examples.h"

#include <algorithm>
#include <set>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/probe/torch/score_matrix.h"
#include "plimsoll/rank/singular_values.h"
#include "tests/support/random_spec.h"

namespace plimsoll::probe {
namespace {

ExampleShape shape_of(const std::string& spec, std::optional<std::int64_t> positions = {}) {
    return example_shape(*arch::parse_spec(spec), positions).value();
}

OpenSubject opened(const arch::ArchSpec& spec) { return open_subject({spec}, torch::kCPU).value(); }

std::vector<bool> first_half(std::size_t items) {
    std::vector<bool> left(items, false);
    std::fill_n(left.begin(), items / 2, true);
    return left;
}

bool needs_positions(const arch::ArchSpec& spec) {
    const auto shape = example_shape(spec, {});
    return !shape.ok();
}

// What is measured are inputs of numbers or tokens alone.
bool reads_categories(const arch::ArchSpec& spec) {
    const auto* mlp = std::get_if<arch::MlpSpec>(&spec);
    return mlp != nullptr && !mlp->categories.empty();
}

TEST(Examples, EveryFamilyReadsItsOwn) {
    testing::for_random_specs(4, [](const arch::ArchSpec& spec) {
        if (reads_categories(spec)) {
            EXPECT_FALSE(example_shape(spec, {}).ok());
            return;
        }
        const auto cost = arch::count(spec, {});
        if (!cost.ok() || cost->parameters > 50'000 || !model::build(spec, {}).ok()) return;
        std::optional<std::int64_t> positions;
        if (needs_positions(spec)) positions = 2;
        const auto shape = example_shape(spec, positions);
        ASSERT_TRUE(shape.ok()) << shape.error().text();
        const model::Input input = random_input(*shape, 2, 1, "test");
        const auto status = model::check_input(spec, input);
        if (status.ok()) return;
        EXPECT_NE(status.error().message.find("positions, got 2"), std::string::npos)  // context=1
            << status.error().text();
    });
}

TEST(Examples, PatchesAreTheItemsOfAnImage) {
    const ExampleShape shape = shape_of(
        "mixer:depth=1,channels=4,patch=2,image=4,image_width=6,patch_width=3,image_channels=2,classes=3");
    EXPECT_EQ(shape.split.items(), 4U);
    const torch::Tensor mask = side_mask(shape, {true, false, false, true});
    for (std::int64_t c = 0; c < 2; ++c) {
        for (std::int64_t y = 0; y < 4; ++y) {
            for (std::int64_t x = 0; x < 6; ++x) {
                const bool left = (y < 2) == (x < 3);  // the patches top left and bottom right
                EXPECT_EQ(mask[c][y][x].item<bool>(), left);
            }
        }
    }
}

TEST(Examples, StringsDifferAndAreAllThereWhenFew) {
    const ExampleShape shape = shape_of("attention:depth=1,width=2,heads=1,vocab=3", 4);
    const std::vector<bool> side{true, false, true, false};
    const auto strings = [&](std::int64_t count) {
        const torch::Tensor tokens = distinct_strings(shape, side, count, 1, "test");
        std::set<std::pair<std::int64_t, std::int64_t>> set;
        for (std::int64_t k = 0; k < tokens.size(0); ++k) {
            set.emplace(tokens[k][0].item<std::int64_t>(), tokens[k][2].item<std::int64_t>());
        }
        EXPECT_EQ(static_cast<std::int64_t>(set.size()), tokens.size(0));
        return set.size();
    };
    EXPECT_EQ(strings(7), 7U);
    EXPECT_EQ(strings(9), 9U);
    EXPECT_EQ(strings(100), 9U);
}

class ScoreMatrix : public ::testing::TestWithParam<std::pair<const char*, std::int64_t>> {
  protected:
    // Rows and columns of six templates, half the items in A.
    void SetUp() override {
        const auto [text, positions] = GetParam();
        const auto spec = *arch::parse_spec(text);
        subject_ = opened(spec);
        shape_ = example_shape(spec, positions > 0 ? std::optional(positions) : std::nullopt).value();
        grid_ = {random_input(shape_, 6, 1, "rows"),
                 random_input(shape_, 6, 1, "cols"),
                 side_mask(shape_, first_half(shape_.split.items())),
                 shape_.split.by_position,
                 {0, 0}};
    }
    rank::DenseMatrix<double> scores() const { return score_matrix(*subject_.network, grid_, 1, {}).value(); }

    OpenSubject subject_;
    ExampleShape shape_;
    Grid grid_;
};

// The whole example put together number by number.
torch::Tensor mixture(const torch::Tensor& a, const torch::Tensor& b, const torch::Tensor& mask) {
    if (!a.defined()) return {};
    torch::Tensor result = b.clone().flatten();
    const torch::Tensor from = a.flatten(), choose = mask.reshape({-1});
    for (std::int64_t k = 0; k < result.numel(); ++k) {
        if (choose[k].item<bool>()) result[k] = from[k];
    }
    return result.view(b.sizes()).unsqueeze(0);
}

TEST_P(ScoreMatrix, HasTheOutputOnTheJoinedExample) {
    const auto matrix = scores();
    for (const auto& [i, j] : {std::pair{0, 0}, {0, 5}, {4, 2}}) {
        model::Input one;
        const auto part = [&](const torch::Tensor& a, const torch::Tensor& b) {
            return a.defined() ? mixture(a[i], b[j], grid_.mask) : torch::Tensor();
        };
        one.tokens = part(grid_.rows.tokens, grid_.cols.tokens);
        one.values = part(grid_.rows.values, grid_.cols.values);
        const torch::Tensor y = subject_.network->forward(one, 0);
        // Another batch size may sum in another order.
        const double expected = y.flatten()[0].item<double>();
        EXPECT_NEAR(matrix(static_cast<std::size_t>(i), static_cast<std::size_t>(j)), expected,
                    1e-12 * std::max(1.0, std::abs(expected)));
    }
}

TEST_P(ScoreMatrix, KeepsItsSingularValuesWhenTemplatesChangePlaces) {
    ASSERT_TRUE(rank::prepare_singular_values(1).ok());
    const auto before = rank::spectrum_of(scores().view()).values;
    const auto turned = [](const torch::Tensor& tensor) {
        return tensor.defined() ? tensor.flip(0) : tensor;
    };
    grid_.rows.tokens = turned(grid_.rows.tokens);
    grid_.rows.values = turned(grid_.rows.values);
    const auto after = rank::spectrum_of(scores().view()).values;
    for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(after[k], before[k], 1e-13 * before[0]);
    EXPECT_GT(before[0], 0);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ScoreMatrix,
    ::testing::Values(std::pair{"transformer:depth=1,width=8,heads=2,vocab=11,context=4,stack=encoder", 4},
                      std::pair{"attention:depth=2,width=3,heads=1", 4},
                      std::pair{"mixer:depth=1,channels=4,patch=2,image=4,classes=3", 0},
                      std::pair{"square-mixer:rows=2,cols=3,depth=2", 0},
                      std::pair{"sw-mlp:depth=2,width=8,connections=30,activation=tanh", 0}));

TEST(ScoreMatrix, ReadsTheChosenPlace) {
    const torch::Tensor y = at::arange(24).view({2, 3, 4});
    EXPECT_EQ(chosen_output(y, true, {1, 2})[1].item<std::int64_t>(), y[1][2][1].item<std::int64_t>());
    EXPECT_EQ(chosen_output(y, false, {1, 2})[1].item<std::int64_t>(), y[1][1][2].item<std::int64_t>());
    EXPECT_EQ(chosen_output(y.flatten(1), false, {7, 0})[0].item<std::int64_t>(), 7);
}

}  // namespace
}  // namespace plimsoll::probe
