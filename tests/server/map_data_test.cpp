#include "plimsoll/server/map_data.h"

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include "plimsoll/audit/models/zoo.h"
#include "plimsoll/theory/capacity/capacity_enclosure.h"

namespace plimsoll::server {
namespace {

TEST(MapData, StopsWhenAsked) {
    const std::atomic<bool> stop = true;
    EXPECT_TRUE(judge_zoo(stop).models.empty());
}

// The field lies between the certified ends, to the four digits that it has.
TEST(MapData, FieldIsTheCertifiedCapacity) {
    const auto field = field_json(4096);
    ASSERT_TRUE(field.ok());
    const std::size_t across = field->at("across"), down = field->at("down");
    ASSERT_EQ(field->at("log10").size(), across * down);
    for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 0}, {30, 20}, {0, 40}}) {
        const double u = static_cast<double>(i) / static_cast<double>(across - 1);
        const double width = narrowest * std::pow(widest / narrowest, u);
        const double v = static_cast<double>(j) / static_cast<double>(down - 1);
        const double depth = shallowest * std::pow(deepest / shallowest, v);
        const auto below = theory::enclose_capacity(static_cast<std::int64_t>(depth),
                                                    static_cast<std::int64_t>(width), 4096);
        const auto above = theory::enclose_capacity(static_cast<std::int64_t>(depth) + 1,
                                                    static_cast<std::int64_t>(width) + 1, 4096);
        const double value = field->at("log10").at(j * across + i);
        EXPECT_GE(value, std::log10(below.lower.lower()) - 1e-4) << i << " " << j;
        EXPECT_LE(value, std::log10(above.upper.upper()) + 1e-4) << i << " " << j;
    }
}

TEST(MapData, FieldGrowsWithDepthAndWidth) {
    const auto field = field_json(1024);
    const std::size_t across = field->at("across"), down = field->at("down");
    const auto at = [&](std::size_t i, std::size_t j) {
        return field->at("log10").at(j * across + i).get<double>();
    };
    for (std::size_t j = 0; j + 1 < down; ++j)
        for (std::size_t i = 0; i + 1 < across; ++i) {
            ASSERT_LE(at(i, j), at(i, j + 1) + 1e-4);
            ASSERT_LE(at(i, j), at(i + 1, j) + 1e-4);
        }
}

TEST(MapData, FieldsAreOfPowersOfTwo) {
    for (const std::int64_t context : {0, 1, -4, 1000, 1 << 25})
        EXPECT_FALSE(field_json(context).ok()) << context;
    EXPECT_EQ(field_json(1000).error().text(),
              "context: must be a power of two from 2 to 16777216, got 1000");
}

}  // namespace
}  // namespace plimsoll::server
