#include "plimsoll/train/processes/processes.h"

#include <cstdlib>
#include <optional>

#include <ATen/ATen.h>
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "plimsoll/base/device.h"
#include "plimsoll/train/run_setup.h"
#include "plimsoll/train/step_program.h"

namespace plimsoll::train {
namespace {

// A port that nobody listens on just now.
int free_port() {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ::bind(descriptor, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(descriptor);
    return ntohs(address.sin_port);
}

// One process that talks to itself through c10d.
Processes talking_to_itself() {
    ProcessRank place;
    place.port = free_port();
    place.join_seconds = place.wait_seconds = 60;
    return {place, connect(place)};
}

run::RunConfig small_config(const std::vector<std::string>& overrides = {}) {
    return run::parse_run_config(R"(
[model]
spec = "transformer:depth=1,width=16,heads=2,vocab=256,context=16"
[data]
name = "synthetic:grammar,bytes=20000"
[train]
steps = 12
batch = 8
)",
                                 "run.toml", overrides)
        .value();
}

// The losses of twelve steps on `device`.
std::vector<double> losses(const run::RunConfig& config, torch::Device device, Processes& processes) {
    const auto network = build_network(config, device).value();
    const auto feed = make_feed(config, {.plan = feed_plan({config}, device, 12)}).value();
    StepProgram program({{config}, {12}}, *network, *feed, processes);
    program.share_state();
    std::vector<double> result;
    const auto records = program.run(1, 12);
    for (const StepRecord& record : records.front()) result.push_back(record.loss);
    return result;
}

TEST(ProcessesTest, OneAloneAgreesWithItself) {
    Processes alone;
    const torch::Tensor numbers = at::arange(4, at::kDouble);
    alone.sum(numbers);
    alone.copy_from_first(numbers);
    EXPECT_TRUE(numbers.equal(at::arange(4, at::kDouble)));
    EXPECT_TRUE(alone.recordable());
    EXPECT_TRUE(alone.agree(Status()).ok());
    EXPECT_EQ(alone.agree(Status(bad_input("x", "is wrong"))).error().text(), "x: is wrong");
    EXPECT_EQ(alone.agree(Result<int>(3)).value(), 3);
}

TEST(ProcessesTest, EveryTypeGoesThroughTheWire) {
    Processes processes = talking_to_itself();
    for (const auto type : {at::kFloat, at::kDouble, at::kBFloat16, at::kLong, at::kByte}) {
        const torch::Tensor numbers = at::arange(9).to(type);
        processes.sum(numbers);
        processes.copy_from_first(numbers);
        EXPECT_TRUE(numbers.equal(at::arange(9).to(type))) << type;
    }
    const torch::Tensor every_other = at::arange(8, at::kDouble).slice(0, 0, 8, 2);  // not contiguous
    processes.sum(every_other);
    EXPECT_EQ(every_other[3].item<double>(), 6);
    EXPECT_TRUE(processes.same("text"));
    EXPECT_FALSE(processes.recordable());
    EXPECT_EQ(processes.agree(Status(io_error("disk", "is full"))).error().text(), "disk: is full");
}

TEST(ProcessesTest, TheWireChangesNoBitOfAStep) {
    Processes alone, wired = talking_to_itself();
    for (const char* precision : {"train.precision=fp32", "train.precision=fp64"}) {
        const run::RunConfig config = small_config({precision});
        EXPECT_EQ(losses(config, torch::kCPU, wired), losses(config, torch::kCPU, alone));
    }
}

// NCCL with itself, on a machine with a GPU: the same losses as Gloo through the host, and as one process
// alone up to the order of sums in its recorded step.
TEST(ProcessesTest, NcclAddsWhatGlooAdds) {
    if (!cuda_facts().problem.empty() || !cuda_facts().built) GTEST_SKIP() << "no GPU";
    const torch::Device gpu(torch::kCUDA, 0);
    for (const char* precision : {"train.precision=fp32", "train.precision=bf16"}) {
        const run::RunConfig config = small_config({precision});
        Processes gloo = talking_to_itself(), nccl = talking_to_itself(), alone;
        nccl.use(gpu);
        const auto through_nccl = losses(config, gpu, nccl), recorded = losses(config, gpu, alone);
        EXPECT_EQ(through_nccl, losses(config, gpu, gloo));
        ASSERT_EQ(through_nccl.size(), recorded.size());
        for (std::size_t i = 0; i < recorded.size(); ++i) EXPECT_NEAR(through_nccl[i], recorded[i], 1e-3);
    }
}

}  // namespace
}  // namespace plimsoll::train
