// The vision MLPs against their formulas, entry by entry.
#include "tests/model/model_test_support.h"

namespace plimsoll::model {
namespace {

// A network of one block without norms whose channel MLP does nothing, so that the output is that of the
// token mixing on the patches; the patch projection is the identity.
std::unique_ptr<Network> only_mixing(const std::string& text) {
    auto network = built(text + ",depth=1,norm=none,bias=off,skip=off,activation=identity");
    const auto size = [&](const std::string& name) { return parameter(*network, name).size(0); };
    set(*network, "patches.weight", at::eye(size("patches.weight"), at::kDouble));
    const auto hidden = size("blocks.0.channels.up.weight"), channels = size("blocks.0.channels.down.weight");
    set(*network, "blocks.0.channels.up.weight", at::eye(hidden, channels, at::kDouble));
    set(*network, "blocks.0.channels.down.weight", at::eye(channels, hidden, at::kDouble));
    return network;
}

torch::Tensor mixed(const Network& network, const torch::Tensor& grid) {
    Input input;
    input.values = grid.permute({0, 3, 1, 2});  // patches of one pixel: (B, C, rows, cols)
    return network.forward(input, 0).view(grid.sizes());
}

TEST(S2Mlp, ShiftsEachQuarterItsOwnWayAndKeepsTheBorder) {
    const auto network = only_mixing("s2-mlp:channels=4,patch=1,image=3,image_channels=4");
    for (const char* name : {"blocks.0.before_shift.weight", "blocks.0.after_shift.weight"}) {
        set(*network, name, at::eye(4, at::kDouble));
    }
    const auto x = normal({1, 3, 3, 4}, 2);
    const auto y = mixed(*network, x);
    const auto clamp = [](int k) { return std::min(2, std::max(0, k)); };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            EXPECT_EQ(y[0][i][j][0].item<double>(), x[0][clamp(i - 1)][j][0].item<double>());
            EXPECT_EQ(y[0][i][j][1].item<double>(), x[0][clamp(i + 1)][j][1].item<double>());
            EXPECT_EQ(y[0][i][j][2].item<double>(), x[0][i][clamp(j - 1)][2].item<double>());
            EXPECT_EQ(y[0][i][j][3].item<double>(), x[0][i][clamp(j + 1)][3].item<double>());
        }
    }
}

TEST(Vip, MixesASegmentOfTheChannelsOverAWholeColumn) {
    const auto network =
        only_mixing("vip:channels=6,patch=1,image=3,image_width=2,image_channels=6,weighted=off");
    set(*network, "blocks.0.projection.weight", at::eye(6, at::kDouble));
    set(*network, "blocks.0.channel.weight", at::zeros({6, 6}, at::kDouble));
    set(*network, "blocks.0.width.weight", at::zeros({6, 6}, at::kDouble));
    const auto weight = parameter(*network, "blocks.0.height.weight");
    const auto x = normal({1, 3, 2, 6}, 2), y = mixed(*network, x);
    for (int col = 0; col < 2; ++col) {
        for (int segment = 0; segment < 3; ++segment) {  // as many as rows, two channels each
            const auto part = x[0].select(1, col).narrow(1, 2 * segment, 2).flatten();
            const auto expected = at::matmul(weight, part).view({3, 2});
            EXPECT_LT(difference(y[0].select(1, col).narrow(1, 2 * segment, 2), expected), 1e-13);
        }
    }
}

TEST(Vip, HeightOfAnImageIsWidthOfItsTranspose) {
    const std::string tail = ",channels=12,patch=1,image_channels=12";
    const auto tall = only_mixing("vip:image=3,image_width=2" + tail);
    const auto wide = only_mixing("vip:image=2,image_width=3" + tail);
    copy_namesakes(*tall, *wide);
    set(*wide, "blocks.0.height.weight", parameter(*tall, "blocks.0.width.weight"));
    set(*wide, "blocks.0.width.weight", parameter(*tall, "blocks.0.height.weight"));
    // The weights of the branches come in threes, height before width.
    const auto up = parameter(*tall, "blocks.0.weighting.up.weight").view({12, 3, -1});
    set(*wide, "blocks.0.weighting.up.weight",
        at::stack({up.select(1, 1), up.select(1, 0), up.select(1, 2)}, 1).flatten(0, 1));
    const auto x = normal({2, 3, 2, 12}, 2);
    EXPECT_LT(difference(mixed(*tall, x), mixed(*wide, x.transpose(1, 2)).transpose(1, 2)), 1e-12);
}

TEST(HireMlp, MixesRegionsOfAColumnAfterAShift) {
    const auto network =
        only_mixing("hire-mlp:channels=3,patch=1,image=4,image_channels=3,weighted=off,bottleneck=2");
    for (const char* name : {"width.down", "width.up", "channel"}) {
        const std::string full = std::string("blocks.0.") + name + ".weight";
        set(*network, full, at::zeros_like(parameter(*network, full)));
    }
    set(*network, "blocks.0.projection.weight", at::eye(3, at::kDouble));
    const auto map = at::matmul(parameter(*network, "blocks.0.height.up.weight"),
                                parameter(*network, "blocks.0.height.down.weight"));  // (6, 6)
    const auto x = normal({1, 4, 4, 3}, 2), y = mixed(*network, x);
    for (int col = 0; col < 4; ++col) {
        // Shifted by one, rows 3 and 0 are the first region, 1 and 2 the second.
        for (const auto& [first, second] : {std::pair{3, 0}, std::pair{1, 2}}) {
            const auto region = at::cat({x[0][first][col], x[0][second][col]});
            const auto expected = at::matmul(map, region);
            EXPECT_LT(difference(y[0][first][col], expected.narrow(0, 0, 3)), 1e-13);
            EXPECT_LT(difference(y[0][second][col], expected.narrow(0, 3, 3)), 1e-13);
        }
    }
}

}  // namespace
}  // namespace plimsoll::model
