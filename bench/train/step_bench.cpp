// step_bench cpu|cuda [SHAPE...]: milliseconds of a training step, median of several rounds. On the CPU also
// as a share of the sgemm rate measured between the rounds; on a GPU bench/train/pytorch_step.py is the peer,
// with the same shapes. The loss of the first and the last step are printed: a step that learns nothing is no
// step.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "plimsoll/arch/count.h"
#include "plimsoll/base/random.h"
#include "plimsoll/train/device_graph.h"
#include "plimsoll/train/feeds/labelled_feed.h"
#include "plimsoll/train/feeds/text_feed.h"
#include "plimsoll/train/page_keeper.h"
#include "plimsoll/train/run_setup.h"
#include "plimsoll/train/step_program.h"

namespace plimsoll::train {
namespace {

struct Shape {
    const char* name;
    const char* spec;
    std::int64_t batch, vocabulary, context;  // vocabulary 0: images of 32 x 32
    const char* precision;
    std::int64_t steps;  // of a round
};

constexpr Shape shapes[] = {
    {"deep-narrow", "transformer:depth=24,width=144,heads=4,vocab=2000,context=128", 512, 2000, 128, "bf16",
     40},
    {"deep-wide", "transformer:depth=24,width=480,heads=8,vocab=2000,context=128", 512, 2000, 128, "bf16",
     20},
    {"mixer", "mixer:depth=8,channels=128,patch=4,image=32,classes=10", 128, 0, 0, "bf16", 200},
    {"decoder-3m", "transformer:depth=4,width=256,heads=4,vocab=257,context=128", 16, 257, 128, "fp32", 6},
    {"decoder-3m-long", "transformer:depth=4,width=256,heads=4,vocab=257,context=256", 32, 257, 256, "fp32",
     2},
};
constexpr int rounds = 5;
constexpr std::int64_t capacity = 256;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}
double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

run::RunConfig config_of(const Shape& shape) {
    const std::string text = std::string("[model]\nspec = \"") + shape.spec + "\"\n[data]\nname = \"" +
                             (shape.vocabulary > 0 ? "bench.txt" : "cifar10") +
                             "\"\n[train]\nbatch = " + std::to_string(shape.batch) + "\nprecision = \"" +
                             shape.precision +
                             "\"\nsteps = 100000\n[optimizer]\nlr = 3e-4\n[schedule]\nkind = \"constant\"\n";
    return run::parse_run_config(text, shape.name).value();
}

std::unique_ptr<Feed> feed_of(const Shape& shape, const run::RunConfig& config, torch::Device device) {
    const FeedRequest request{.plan = feed_plan(config, device, capacity)};
    RandomStream stream(1, "bench/data");
    if (shape.vocabulary > 0) {
        TextTokens tokens;
        for (std::int64_t i = 0; i < 1'000'000; ++i)
            tokens.train.push_back(
                static_cast<std::uint32_t>(stream.next() % static_cast<std::uint64_t>(shape.vocabulary)));
        tokens.validation.assign(tokens.train.begin(), tokens.train.begin() + 1000);
        tokens.bytes.assign(static_cast<std::size_t>(shape.vocabulary), 1.0);
        return std::move(text_feed(tokens, shape.context, request).value());
    }
    constexpr std::int64_t images = 10'000;
    LabelledTensors all;
    all.pixels = at::randint(0, 256, {images, 3, 32, 32}, at::kByte).to(device);
    all.labels = at::randint(0, 10, {images}, at::kLong).to(device);
    const torch::Tensor middle = at::full({1, 3, 1, 1}, 127.5, at::TensorOptions().device(device));
    return labelled_feed(all, all, {middle, middle / 2}, request);
}

// FLOP/s of 1536 x 1536 products in float.
double sgemm_rate() {
    constexpr std::int64_t side = 1536;
    const torch::Tensor a = at::randn({side, side}), b = at::randn({side, side});
    torch::Tensor c = at::mm(a, b);
    const auto start = Clock::now();
    constexpr int times = 4;
    for (int i = 0; i < times; ++i) at::mm_out(c, a, b);
    return times * 2.0 * side * side * side / seconds_since(start);
}

void measure(const Shape& shape, torch::Device device) {
    const run::RunConfig config = config_of(shape);
    const auto network = std::move(build_network(config, device).value());
    const auto feed = feed_of(shape, config, device);
    Processes alone;
    StepProgram program(config, config.train.steps, *network, *feed, alone);
    const auto cost = arch::count(config.model.spec, {}).value();
    const double flops = cost.training_flops.real() *
                         static_cast<double>(shape.batch * (cost.unit == "token" ? cost.tokens : 1));
    std::int64_t step = 1;
    const double first = program.run(step, 8).front().loss;
    double last = first;
    step += 8;
    std::vector<double> times, shares;
    for (int round = 0; round < rounds; ++round, step += shape.steps) {
        const auto start = Clock::now();
        last = program.run(step, shape.steps).back().loss;
        const double seconds = seconds_since(start) / static_cast<double>(shape.steps);
        times.push_back(1e3 * seconds);
        if (device.is_cpu()) shares.push_back(flops / seconds / sgemm_rate());
    }
    std::printf("%-15s %9.3f ms a step  %8.2f GFLOP  loss %.3f -> %.3f", shape.name, median(times),
                flops / 1e9, first, last);
    if (device.is_cpu()) std::printf("  %.3f of sgemm on %d threads", median(shares), at::get_num_threads());
    std::printf("\n");
}

int run(const std::vector<std::string>& words) {
    const auto device = device_named(words.empty() ? "cpu" : words[0]);
    if (!device.ok()) {
        std::fprintf(stderr, "step_bench: %s\n", device.error().message.c_str());
        return 2;
    }
    if (std::getenv("OMP_NUM_THREADS") == nullptr)
        at::set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
    if (device->is_cpu()) keep_pages();  // as train() does
    for (const Shape& shape : shapes) {
        const bool wanted = words.size() < 2
                                ? device->is_cuda() != (std::string(shape.precision) == "fp32")
                                : std::find(words.begin() + 1, words.end(), shape.name) != words.end();
        if (wanted) measure(shape, *device);
    }
    return 0;
}

}  // namespace
}  // namespace plimsoll::train

int main(int argc, char** argv) { return plimsoll::train::run({argv + 1, argv + argc}); }
