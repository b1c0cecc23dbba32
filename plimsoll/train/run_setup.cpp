#include "plimsoll/train/run_setup.h"

#include <c10/core/DeviceGuard.h>

#include "plimsoll/base/device.h"
#include "plimsoll/base/format.h"
#include "plimsoll/run/parameterization.h"
#include "plimsoll/train/analysed_answer.h"

namespace plimsoll::train {
namespace {

// Puts one number there: a device may be named and yet refuse to work (busy, exclusive to another process,
// failed).
Result<torch::Device> opened(torch::Device device) {
    try {
        const c10::DeviceGuard on_device(device);
        torch::empty({1}, device);
        return device;
    } catch (const c10::Error& error) {
        const std::string why = error.what_without_backtrace();
        return io_error(
            "device", fmt::format("{} cannot be used now: {}", device.str(), why.substr(0, why.find('\n'))));
    }
}

model::Scaling scaling_of(const run::RunConfig& config) {
    const run::NetworkScale scale = run::network_scale(config);
    model::Scaling scaling{{}, scale.residual, scale.scores, scale.depth};
    for (const auto& tensor : scale.tensors)
        scaling.tensors.push_back({tensor.columns, tensor.start, tensor.use});
    return scaling;
}

}  // namespace

Result<torch::Device> device_named(const std::string& name) {
    if (name == "cpu") return torch::Device(torch::kCPU);
    if (!name.starts_with("cuda")) {
        return bad_input("device", fmt::format("must be cpu, cuda or cuda:1, got '{}'", name));
    }
    const CudaFacts facts = cuda_facts();
    if (!facts.built)
        return unsupported("device",
                           "this plimsoll-torch was built without CUDA (make it with --preset gpu)");
    if (!facts.problem.empty()) return unsupported("device", facts.problem);
    int index = 0;
    if (name.size() > 5) {
        const auto digits = name.substr(5);
        if (digits.size() != 1 || digits[0] < '0' || digits[0] > '9') {
            return bad_input("device", fmt::format("must be cpu, cuda or cuda:1, got '{}'", name));
        }
        index = digits[0] - '0';
    }
    if (static_cast<std::size_t>(index) >= facts.gpus.size()) {
        return not_found("device", fmt::format("there are {} GPUs, no number {}", facts.gpus.size(), index));
    }
    return opened(torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(index)));
}

torch::Dtype parameter_dtype(const run::RunConfig& config) {
    return config.train.precision == run::Precision::fp64 ? torch::kDouble : torch::kFloat;
}

model::BuildOptions build_options(const run::RunConfig& config, torch::Device device) {
    model::BuildOptions options;
    options.init_seeds = {config.seeds.init};
    options.init = config.model.init;
    options.dropout = config.model.dropout;
    options.dtype = parameter_dtype(config);
    options.device = device;
    options.scaling = scaling_of(config);
    return options;
}

Result<std::unique_ptr<model::Network>> build_network(const run::RunConfig& config, torch::Device device) {
    return build_network(std::vector<run::RunConfig>{config}, device);
}

Result<std::unique_ptr<model::Network>> build_network(const std::vector<run::RunConfig>& stack,
                                                      torch::Device device) {
    const run::RunConfig& config = stack.front();  // the others share all of it but seeds
    model::BuildOptions options = build_options(config, device);
    options.init_seeds.clear();
    for (const auto& member : stack) options.init_seeds.push_back(member.seeds.init);
    PLIMSOLL_ASSIGN(network, model::build(config.model.spec, options));
    return with_answer(std::move(network));
}

FeedPlan feed_plan(const std::vector<run::RunConfig>& stack, torch::Device device, std::int64_t capacity) {
    const run::RunConfig& config = stack.front();
    FeedPlan plan;
    plan.batch = config.train.batch;
    plan.parts = config.optimizer.accumulate;
    plan.capacity = capacity;
    plan.seeds.clear();
    for (const auto& member : stack) plan.seeds.push_back(member.seeds.data);
    plan.crop = config.data.crop;
    plan.flip = config.data.flip;
    plan.device = device;
    plan.dtype = config.train.precision == run::Precision::bf16 ? torch::kBFloat16 : parameter_dtype(config);
    return plan;
}

}  // namespace plimsoll::train
