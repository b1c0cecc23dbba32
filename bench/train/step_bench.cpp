// step_bench cpu|cuda [--stack K] [--without-cudnn] [SHAPE...]: milliseconds of a training step, median of
// several rounds; of a stack of K runs a step of all of them, and that divided by K. On the CPU also as a
// share of the sgemm rate measured between the rounds; on a GPU bench/train/pytorch_step.py is the peer, with
// the same shapes. The loss of the first and the last step are printed: a step that learns nothing is no
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
#include <torch/version.h>

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
    {"mixer-32", "mixer:depth=8,channels=32,patch=4,image=32,classes=10", 128, 0, 0, "bf16", 200},
    {"decoder-13x96", "transformer:depth=13,width=96,heads=4,vocab=4000,context=304", 64, 4000, 304, "bf16",
     20},
    {"decoder-3x176", "transformer:depth=3,width=176,heads=4,vocab=4000,context=304", 64, 4000, 304, "bf16",
     20},
    {"modern-13x96", "transformer:depth=13,width=96,heads=4,vocab=4000,context=304,style=modern", 64, 4000,
     304, "bf16", 20},
    {"modern-3x176", "transformer:depth=3,width=176,heads=4,vocab=4000,context=304,style=modern", 64, 4000,
     304, "bf16", 20},
    {"decoder-70k", "transformer:depth=3,width=40,heads=4,vocab=257,context=64", 16, 257, 64, "fp32", 10},
    {"causal-70k", "mixer:depth=4,channels=64,tokens=64,vocab=257,causal=on", 16, 257, 64, "fp32", 10},
    {"mixer-70k", "mixer:depth=4,channels=48,patch=8,image=32,classes=10", 16, 0, 0, "fp32", 10},
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

using Configs = std::vector<run::RunConfig>;

// K runs that differ in their seeds.
Configs stack_of(const Shape& shape, std::int64_t runs) {
    Configs configs;
    for (std::int64_t k = 0; k < runs; ++k) {
        configs.push_back(config_of(shape));
        auto& seeds = configs.back().seeds;
        seeds.init = seeds.data = seeds.dropout = static_cast<std::uint64_t>(k + 1);
    }
    return configs;
}

std::unique_ptr<Feed> feed_of(const Shape& shape, const Configs& configs, torch::Device device) {
    const FeedRequest request{.plan = feed_plan(configs, device, capacity)};
    RandomStream stream(1, "bench/data");
    if (shape.vocabulary > 0) {
        const torch::Tensor ids = at::empty({1'000'000}, at::kInt);
        for (std::int64_t i = 0; i < ids.numel(); ++i)
            ids.data_ptr<std::int32_t>()[i] =
                static_cast<std::int32_t>(stream.next() % static_cast<std::uint64_t>(shape.vocabulary));
        const torch::Tensor text = ids.to(device);
        const TextData data{
            text, text.narrow(0, 0, 1000),
            at::ones({shape.vocabulary}, at::TensorOptions().dtype(at::kDouble).device(device))};
        return std::move(text_feed(data, shape.context, request).value());
    }
    constexpr std::int64_t images = 10'000;
    LabelledTensors all;
    all.pixels = at::randint(0, 256, {images, 3, 32, 32}, at::kByte).to(device);
    all.labels = at::randint(0, 10, {images}, at::kLong).to(device);
    const torch::Tensor middle = at::full({1, 3, 1, 1}, 127.5, at::TensorOptions().device(device));
    return labelled_feed({all, all, {middle, middle / 2}}, form_for(configs.front().model.spec), request);
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

void measure(const Shape& shape, torch::Device device, std::int64_t runs) {
    const Configs configs = stack_of(shape, runs);
    const run::RunConfig& config = configs.front();
    const auto network = std::move(build_network(configs, device).value());
    const auto feed = feed_of(shape, configs, device);
    Processes alone;
    StepProgram program({configs, std::vector(configs.size(), config.train.steps)}, *network, *feed, alone);
    const auto cost = arch::count(config.model.spec, {}).value();
    const double flops = cost.training_flops.real() *
                         static_cast<double>(runs * shape.batch * (cost.unit == "token" ? cost.tokens : 1));
    std::int64_t step = 1;
    const double first = program.run(step, 8).front().front().loss;
    double last = first;
    step += 8;
    std::vector<double> times, shares;
    for (int round = 0; round < rounds; ++round, step += shape.steps) {
        const auto start = Clock::now();
        last = program.run(step, shape.steps).front().back().loss;
        const double seconds = seconds_since(start) / static_cast<double>(shape.steps);
        times.push_back(1e3 * seconds);
        if (device.is_cpu()) shares.push_back(flops / seconds / sgemm_rate());
    }
    std::printf("%-15s %9.3f ms a step  %8.2f GFLOP  loss %.3f -> %.3f", shape.name, median(times),
                flops / 1e9, first, last);
    if (runs > 1)
        std::printf("  stack of %lld: %.3f ms a run", static_cast<long long>(runs),
                    median(times) / static_cast<double>(runs));
    std::printf("  %.3g FLOP/s", flops / median(times) * 1e3);
    if (device.is_cpu()) std::printf("  %.3f of sgemm on %d threads", median(shares), at::get_num_threads());
    std::printf("\n");
}

// Takes "--stack K" out of the words; 1 without it.
std::int64_t stack_size(std::vector<std::string>& words) {
    const auto flag = std::ranges::find(words, "--stack");
    if (flag == words.end() || flag + 1 == words.end()) return 1;
    const std::int64_t runs = std::max(1, std::atoi((flag + 1)->c_str()));
    words.erase(flag, flag + 2);
    return runs;
}

// Takes "--without-cudnn" out of the words: LibTorch 2 then chooses its own kernels for attention.
void choose_attention(std::vector<std::string>& words) {
    if (std::erase(words, "--without-cudnn") == 0) return;
#if TORCH_VERSION_MAJOR >= 2
    at::globalContext().setSDPUseCuDNN(false);
#endif
}

int run(std::vector<std::string> words) {
    choose_attention(words);
    const std::int64_t runs = stack_size(words);
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
        if (wanted) measure(shape, *device, runs);
    }
    return 0;
}

}  // namespace
}  // namespace plimsoll::train

int main(int argc, char** argv) { return plimsoll::train::run({argv + 1, argv + argc}); }
