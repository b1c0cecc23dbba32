#include "plimsoll/store/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "plimsoll/base/device.h"

namespace plimsoll::store {
namespace {

TEST(Environment, HasTheMachineAndWhatTheCallerSaid) {
    const Json json = environment_now({.program = "plimsoll-torch",
                                       .version = "0.1.0",
                                       .device = "cpu",
                                       .threads = 2,
                                       .libraries = {{"libtorch", "1.13.1"}},
                                       .command = {"plimsoll", "train", "run.toml"}});
    EXPECT_EQ(json.at("program"), "plimsoll-torch");
    EXPECT_EQ(json.at("threads"), 2);
    EXPECT_EQ(json.at("libraries").at("libtorch"), "1.13.1");
    EXPECT_EQ(json.at("command").dump(), R"(["plimsoll","train","run.toml"])");
    EXPECT_THAT(json.at("started").get<std::string>(), ::testing::MatchesRegex("....-..-..T..:..:..Z"));
    const Json& machine = json.at("machine");
    EXPECT_EQ(machine.at("simd").get<std::vector<std::string>>(), simd_sets());
    EXPECT_EQ(machine.at("gpus").size(), cuda_facts().gpus.size());
    EXPECT_GE(machine.at("cores").get<int>(), 1);
    EXPECT_GT(machine.at("memory_bytes").get<std::uint64_t>(), 100'000'000U);
    EXPECT_NE(machine.at("host"), "");
}

}  // namespace
}  // namespace plimsoll::store
